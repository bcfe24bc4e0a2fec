import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useSession } from "../panels/context.tsx";
import type { ThemeGroup } from "../scenario/themes.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { ACTIONS } from "./actions.ts";
import { type Entry, matching } from "./paletteEntries.ts";
import { useViews } from "./viewContext.tsx";
import "./Palette.css";

export interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Everything that can be done, shown or set, found by its words. */
export default function Palette({ open, onClose }: PaletteProps) {
  return (
    <Dialog open={open} title="Find anything" onClose={onClose} className="palette">
      <Found onClose={onClose} />
    </Dialog>
  );
}

function Found({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const views = useViews();
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const groups = useScenarios();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const entries = useMemo(
    (): readonly Entry[] => [
      ...ACTIONS.filter(({ id: name }) => name !== "palette").map(
        (item): Entry => ({
          kind: "Action",
          name: item.name,
          aside: item.shown,
          run: () => item.perform(session, views),
        }),
      ),
      ...views.all.map(
        (view): Entry => ({ kind: "View", name: view.title, aside: "", run: () => views.show(view) }),
      ),
      ...settings(),
      ...groups.flatMap(({ theme, presets }) =>
        presets.map(
          ({ title, source, scenario }): Entry => ({
            kind: "Scenario",
            name: title,
            aside: source,
            more: `${scenario.name} ${theme.title}`,
            run: () => session.begin(scenario),
          }),
        ),
      ),
    ],
    [session, views, groups],
  );
  const found = matching(entries, search);
  const chosen = found[Math.min(at, found.length - 1)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen comes into sight
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const take = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    // The page has the focus again before anything is asked of it.
    setTimeout(entry.run);
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined)
      setAt(Math.max(0, Math.min(found.length - 1, Math.min(at, found.length - 1) + step)));
    else if (event.key === "Enter") take(chosen);
    else return;
    event.preventDefault();
  };
  const optionId = (place: number) => `${id}-${place}`;
  return (
    <>
      <input
        className="text-field palette-search"
        data-autofocus
        role="combobox"
        aria-label="Find an action, a view, a setting or a scenario"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen ? optionId(found.indexOf(chosen)) : undefined}
        autoComplete="off"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setAt(0);
        }}
        onKeyDown={key}
      />
      <div ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label="What was found">
        {found.map((entry, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the field above
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={`${entry.kind} ${entry.name} ${entry.aside}`}
            id={optionId(place)}
            role="option"
            aria-selected={entry === chosen}
            className="palette-entry"
            onClick={() => take(entry)}
          >
            <span>{entry.name}</span>
            <span className="note">{entry.aside || entry.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="note">Nothing has “{search.trim()}” in it.</p>}
    </>
  );
}

/** The scenarios of the menu, which come when somebody looks for something. */
function useScenarios(): readonly ThemeGroup[] {
  const [groups, setGroups] = useState<readonly ThemeGroup[]>([]);
  useEffect(() => {
    // Without the network everything else is found all the same.
    void import("../scenario/presets.ts").then(
      ({ PRESET_GROUPS }) => setGroups(PRESET_GROUPS),
      () => {},
    );
  }, []);
  return groups;
}

/** The settings that have a row on the page: chosen, the field in it gets the focus. */
function settings(): readonly Entry[] {
  const rows = [...document.querySelectorAll<HTMLElement>(".sidebar [data-path]")];
  return rows.flatMap((row) => {
    const name = row.querySelector(".row-label")?.textContent?.trim();
    const control = row.querySelector<HTMLElement>("input, select, button, [role=switch]");
    const panel = row.closest(".panel")?.querySelector("h2")?.textContent?.trim() ?? "";
    if (!name || !control) return [];
    return [{ kind: "Setting", name, aside: panel, run: () => control.focus() }];
  });
}
