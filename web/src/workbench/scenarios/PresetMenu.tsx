import { type KeyboardEvent, type RefObject, Suspense, useState } from "react";
import type { Scenario } from "../../scenario/types.ts";
import { part } from "../../ui/part.tsx";
import { Popover } from "../../ui/popups.ts";
import { TextField } from "../../ui/TextField.tsx";
import "./PresetMenu.css";

interface PresetMenuProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
  /** What becomes of the scenario that is chosen; by default it is opened. */
  readonly onChoose?: ((scenario: Scenario) => void) | undefined;
}

/** The scenarios come with the menu, when it is first opened; the search is there at once. */
const PresetList = part(() => import("./PresetList.tsx"));

/** The scenarios that come with the page, and files. */
export function PresetMenu({ open, onClose, anchor, onChoose }: PresetMenuProps) {
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} label="Scenarios" className="preset-menu">
      <Menu onClose={onClose} onChoose={onChoose} />
    </Popover>
  );
}

function Menu({ onClose, onChoose }: Pick<PresetMenuProps, "onClose" | "onChoose">) {
  const [search, setSearch] = useState("");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows only add to Tab, which reaches every button
    <div className="preset-body" onKeyDown={moveFocus}>
      <TextField
        type="search"
        aria-label="Find a scenario"
        placeholder="Find a scenario"
        data-autofocus
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Suspense fallback={<div className="preset-columns" />}>
        <PresetList search={search} onSearch={setSearch} onClose={onClose} onChoose={onChoose} />
      </Suspense>
    </div>
  );
}

/**
 * Up and down move within a column and from the search into the list, left and right between themes and scenarios;
 * Enter in the search opens the first that matches.
 */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const from = document.activeElement;
  const menu = event.currentTarget;
  const inSearch = from instanceof HTMLInputElement;
  const themes = menu.querySelector(".preset-themes");
  const list = menu.querySelector(".preset-list");
  if (inSearch && event.key === "Enter" && from.value.trim() !== "") {
    list?.querySelector<HTMLElement>(".preset")?.click();
    return;
  }
  const side = event.key === "ArrowRight" ? list : event.key === "ArrowLeft" ? themes : null;
  if (side && !inSearch) {
    side.querySelector<HTMLElement>('button[aria-current="true"], button')?.focus();
    event.preventDefault();
    return;
  }
  const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (direction === undefined) return;
  const column = inSearch ? list : themes?.contains(from) ? themes : list;
  const buttons = [...(column?.querySelectorAll("button") ?? [])];
  const at = buttons.indexOf(from as HTMLButtonElement) + direction;
  if (at < 0) menu.querySelector<HTMLElement>("input")?.focus();
  else buttons[inSearch ? 0 : at % buttons.length]?.focus();
  event.preventDefault();
}
