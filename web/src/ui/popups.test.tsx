// @vitest-environment happy-dom
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createRef, useRef, useState } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Explained, HINT_DELAY_MS } from "./Explained.tsx";
import { Notice } from "./Notice.tsx";
import { fetchParts, onDemand } from "./onDemand.tsx";
import type { PopoverProps } from "./Popover.tsx";
import { Drawer, Menu, Popover } from "./popups.ts";

beforeAll(async () => {
  configure({ asyncUtilTimeout: 10_000 });
  await fetchParts();
});
afterEach(cleanup);

const pressEscape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
const focused = (element: () => Element | null) =>
  waitFor(() => expect(document.activeElement).toBe(element()));
const opener = () => screen.getByRole("button", { name: "Open", hidden: true });
/** Presses the button as the keyboard does: with the focus on it. */
function open() {
  act(() => opener().focus());
  fireEvent.click(opener());
}

function PopoverPage() {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button ref={anchor} onClick={() => setOpen(!isOpen)}>
        Open
      </Button>
      <Popover open={isOpen} onClose={() => setOpen(false)} anchor={anchor} label="Share this run">
        <input aria-label="First" />
        <input aria-label="Link" data-autofocus />
      </Popover>
    </>
  );
}

describe("a popover", () => {
  it("is not there until it is opened", () => {
    render(<PopoverPage />);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("gives the focus to what asks for it, and Esc gives it back", async () => {
    render(<PopoverPage />);
    open();
    await screen.findByRole("dialog", { name: "Share this run" });
    await focused(() => screen.getByLabelText("Link"));
    pressEscape();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await focused(opener);
  });

  it("closes by its button as well", async () => {
    render(<PopoverPage />);
    open();
    await screen.findByRole("dialog");
    fireEvent.click(opener());
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("a popover that has not come yet", () => {
  it.each([
    ["Esc", pressEscape, 1],
    ["a press elsewhere", () => fireEvent.pointerDown(document.body), 1],
    ["a press on its button, which closes it itself", () => fireEvent.pointerDown(opener()), 0],
  ])("is called off by %s", (_, act, closed) => {
    const Waiting = onDemand<PopoverProps>(() => new Promise(() => {}));
    const onClose = vi.fn();
    const anchor = createRef<HTMLButtonElement>();
    render(
      <>
        <Button ref={anchor}>Open</Button>
        <Waiting open onClose={onClose} anchor={anchor} label="Share this run">
          Link
        </Waiting>
      </>,
    );
    act();
    expect(onClose).toHaveBeenCalledTimes(closed);
  });
});

const chosen = vi.fn();

function MenuPage() {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const entry = (id: string, more: object = {}) => ({
    id,
    content: id,
    onSelect: () => chosen(id),
    ...more,
  });
  return (
    <>
      <Button ref={anchor} onClick={() => setOpen(!isOpen)}>
        Open
      </Button>
      <Menu
        open={isOpen}
        onClose={() => setOpen(false)}
        anchor={anchor}
        label="What the chart shows"
        entries={[
          entry("rate", { chosen: false }),
          entry("window", { chosen: true }),
          entry("paused: no pause frames", { chosen: false, disabled: true }),
        ]}
      />
    </>
  );
}

describe("a menu", () => {
  it("begins at what holds, gives what is chosen and closes", async () => {
    chosen.mockClear();
    render(<MenuPage />);
    open();
    await screen.findByRole("menu", { name: "What the chart shows" });
    await focused(() => screen.getByRole("menuitemradio", { name: "window", checked: true }));
    fireEvent.click(screen.getByRole("menuitemradio", { name: "rate" }));
    expect(chosen.mock.calls).toEqual([["rate"]]);
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    await focused(opener);
  });

  it("keeps an entry without effect in sight, with its reason", async () => {
    chosen.mockClear();
    render(<MenuPage />);
    open();
    const entry = await screen.findByRole("menuitemradio", { name: /no pause frames/ });
    expect(entry.getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(entry);
    expect(chosen).not.toHaveBeenCalled();
  });

  it("stays open where an entry asks for it", async () => {
    const onClose = vi.fn();
    const anchor = { current: document.body };
    const entries = [{ id: "theme", content: "Dark theme", stays: true, onSelect: chosen }];
    render(<Menu open onClose={onClose} anchor={anchor} label="More" entries={entries} />);
    fireEvent.click(await screen.findByRole("menuitem", { name: "Dark theme" }));
    expect(onClose).not.toHaveBeenCalled();
  });
});

function DialogPage() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog open={isOpen} title="The engine stopped" onClose={() => setOpen(false)}>
        <Button>Other</Button>
        <Button data-autofocus onClick={() => setOpen(false)}>
          Close
        </Button>
      </Dialog>
    </>
  );
}

describe("a dialog", () => {
  it("is named by its title, takes the focus, and gives it back", async () => {
    render(<DialogPage />);
    open();
    await screen.findByRole("dialog", { name: "The engine stopped" });
    await focused(() => screen.getByRole("button", { name: "Close" }));
    pressEscape();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await focused(opener);
  });

  it("does not close by a click beside it", async () => {
    render(<DialogPage />);
    open();
    await screen.findByRole("dialog");
    fireEvent.pointerDown(document.body);
    fireEvent.click(document.querySelector(".dialog-backdrop") as Element);
    expect(screen.getByRole("dialog")).toBeTruthy();
  });
});

function DrawerPage() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Drawer open={isOpen} label="Settings" onClose={() => setOpen(false)}>
        <input aria-label="Duration" />
      </Drawer>
    </>
  );
}

/** A hint that stands outside the drawer and explains a field in it. */
function PageOfHint() {
  const [isOpen, setOpen] = useState(true);
  const [hinted, setHinted] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Drawer open={isOpen} label="Settings" onClose={() => setOpen(false)}>
        <input ref={field} aria-label="Duration" />
      </Drawer>
      <Popover open={hinted} onClose={() => setHinted(false)} anchor={field} label="Hint" takesFocus={false}>
        How long the run is.
      </Popover>
    </>
  );
}

describe("a drawer", () => {
  it("leaves the page alive, and closes by Esc only from inside", async () => {
    render(<DrawerPage />);
    open();
    const field = await screen.findByLabelText("Duration");
    await focused(() => field);
    act(() => opener().focus());
    pressEscape();
    expect(screen.getByRole("dialog", { name: "Settings" })).toBeTruthy();
    act(() => field.focus());
    pressEscape();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("leaves Esc to what is open over it, also while the focus is still in the drawer", async () => {
    render(<PageOfHint />);
    const field = await screen.findByLabelText("Duration");
    await screen.findByRole("dialog", { name: "Hint" });
    act(() => field.focus());
    pressEscape();
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Hint" })).toBeNull());
    expect(screen.getByRole("dialog", { name: "Settings" })).toBeTruthy();
    pressEscape();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("words that explain themselves", () => {
  const word = () => screen.getByRole("button", { name: "RTT" });
  const show = () =>
    render(
      <Explained title="RTT" sentence="The time there and back.">
        RTT
      </Explained>,
    );

  it("do so when pressed, without taking the focus, until Esc", async () => {
    show();
    act(() => word().focus());
    fireEvent.click(word());
    expect((await screen.findByRole("dialog", { name: "RTT" })).textContent).toContain("there and back");
    expect(document.activeElement).toBe(word());
    pressEscape();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("do so under a pointer that rests on them, and not under one that passes", async () => {
    vi.useFakeTimers();
    show();
    fireEvent.pointerEnter(word(), { pointerType: "mouse" });
    fireEvent.pointerLeave(word(), { pointerType: "mouse" });
    act(() => void vi.advanceTimersByTime(HINT_DELAY_MS + 1));
    expect(screen.queryByRole("dialog")).toBeNull();
    fireEvent.pointerEnter(word(), { pointerType: "mouse" });
    act(() => void vi.advanceTimersByTime(HINT_DELAY_MS + 1));
    vi.useRealTimers();
    expect(await screen.findByRole("dialog", { name: "RTT" })).toBeTruthy();
  });
});

it("a notice is said to assistive technology, and offers what may be done", () => {
  const resume = vi.fn();
  render(<Notice action={<Button onClick={resume}>Resume</Button>}>The engine does not answer.</Notice>);
  expect(screen.getByRole("status").textContent).toContain("does not answer");
  fireEvent.click(screen.getByRole("button", { name: "Resume" }));
  expect(resume).toHaveBeenCalled();
});
