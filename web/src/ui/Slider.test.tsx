// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Slider } from "./Slider.tsx";

afterEach(cleanup);

const onChange = vi.fn();

function show(disabled = false, value = 140) {
  onChange.mockClear();
  render(
    <Slider
      label="ECN threshold"
      scale={{ low: 10, high: 400, scale: "log" }}
      value={value}
      valueText={`${value} packets`}
      band={{ low: 30, high: 52 }}
      ticks
      disabled={disabled}
      round={Math.round}
      step={(from, steps) => from + steps}
      onChange={onChange}
    />,
  );
  return screen.getByRole("slider", { name: "ECN threshold" });
}

/** Presses and moves the pointer over a slider of 100 px. */
function drag(...xs: number[]) {
  const control = document.querySelector<HTMLElement>(".slider-control") as HTMLElement;
  control.getBoundingClientRect = () => new DOMRect(0, 0, 100, 24);
  const [first = 0, ...rest] = xs;
  fireEvent.pointerDown(control, { button: 0, clientX: first, clientY: 12, buttons: 1, pointerId: 1 });
  for (const x of rest) {
    fireEvent.pointerMove(document, { clientX: x, clientY: 12, buttons: 1, pointerId: 1 });
  }
  fireEvent.pointerUp(document, { clientX: xs.at(-1), clientY: 12, pointerId: 1 });
}

describe("a slider", () => {
  it("says its value in words, and where its round values are", () => {
    expect(show().getAttribute("aria-valuetext")).toBe("140 packets");
    expect(document.querySelector(".slider-ticks")?.textContent).toBe("1030100400");
  });

  it("moves by natural steps with the arrows, with Shift by ten", () => {
    const slider = show();
    fireEvent.keyDown(slider, { key: "ArrowLeft" });
    fireEvent.keyDown(slider, { key: "ArrowUp", shiftKey: true });
    expect(onChange.mock.calls).toEqual([[139], [150]]);
  });

  it("goes to its ends with Home and End", () => {
    const slider = show();
    fireEvent.keyDown(slider, { key: "Home" });
    fireEvent.keyDown(slider, { key: "End" });
    expect(onChange.mock.calls).toEqual([[10], [400]]);
  });

  it("gives every value that a pointer passes, on its scale", () => {
    show();
    drag(50, 75, 100);
    expect(onChange.mock.calls.flat()).toEqual([63, 159, 400]);
  });

  it("says that a value lies beyond its range", () => {
    show(false, 1000);
    expect(screen.getByText("beyond")).toBeTruthy();
  });

  it("can be reached but not changed while it has no effect", () => {
    const slider = show(true);
    expect(slider.getAttribute("aria-disabled")).toBe("true");
    slider.focus();
    expect(document.activeElement).toBe(slider);
    fireEvent.keyDown(slider, { key: "ArrowLeft" });
    drag(50, 75);
    expect(onChange).not.toHaveBeenCalled();
  });
});
