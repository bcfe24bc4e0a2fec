// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchedWhenIdle, fetchParts, late } from "./onDemand.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const unreachable = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

describe("scripts that are fetched when the page is idle", () => {
  it("are all tried, whichever of them cannot be fetched", async () => {
    const next = vi.fn(() => Promise.resolve({}));
    fetchedWhenIdle(unreachable);
    fetchedWhenIdle(next);
    await fetchParts();
    expect(next).toHaveBeenCalledOnce();
  });
});

describe("a late part", () => {
  it("that could not be fetched leaves what stands around it, and can be tried again", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const load = vi
      .fn<() => Promise<{ default: () => string }>>()
      .mockImplementationOnce(unreachable)
      .mockResolvedValueOnce({ default: () => "h12, 1 SSD" });
    const Servers = late(load);
    render(
      <>
        Treatment <Servers />
      </>,
    );
    const retry = await screen.findByRole("button", { name: "try again" });
    expect(document.body.textContent).toContain("This part could not be fetched");
    expect(document.body.textContent).toContain("Treatment");
    fireEvent.click(retry);
    expect(await screen.findByText(/1 SSD/)).toBeTruthy();
    expect(load).toHaveBeenCalledTimes(2);
  });
});
