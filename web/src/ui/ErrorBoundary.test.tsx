// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ErrorBoundary } from "./ErrorBoundary.tsx";

let broken = true;

function View() {
  if (broken) throw new Error("no such class");
  return <p>The view</p>;
}

const page = (scenario: string) => (
  <>
    <p>The rest</p>
    <ErrorBoundary
      retryOn={scenario}
      fallback={(error, retry) => (
        <button type="button" onClick={retry}>
          {String(error)}
        </button>
      )}
    >
      <View />
    </ErrorBoundary>
  </>
);

beforeEach(() => {
  broken = true;
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(cleanup);

it("keeps the rest of the page, and tries again when asked", () => {
  render(page("a"));
  expect(screen.getByText("The rest")).toBeTruthy();
  fireEvent.click(screen.getByText("Error: no such class"));
  expect(screen.queryByText("The view")).toBeNull();
  broken = false;
  fireEvent.click(screen.getByText("Error: no such class"));
  expect(screen.getByText("The view")).toBeTruthy();
});

it("tries again when what the children show has changed", () => {
  const { rerender } = render(page("a"));
  broken = false;
  rerender(page("a"));
  expect(screen.queryByText("The view")).toBeNull();
  rerender(page("b"));
  expect(screen.getByText("The view")).toBeTruthy();
});
