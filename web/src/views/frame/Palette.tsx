import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useEffectiveScenario, useRun, useSession } from "../../panels/context.tsx";
import type { Figure, ThemeGroup } from "../../scenario/themes.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { useSuggestions } from "../../workbench/study/useSuggestions.ts";
import { useEmbed, useShown, useViews } from "../../workbench/view/viewContext.tsx";
import {
  actionEntries,
  type Entry,
  figureEntries,
  matching,
  SHOWN,
  scenarioEntries,
  settingEntries,
  speedEntries,
  studyEntries,
  viewEntries,
} from "./paletteEntries.ts";
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

/** Entries that a page on a screen is moved by. */
const PAGE = 8;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

function Found({ onClose }: { readonly onClose: () => void }) {
  const entries = useEntries();
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => matching(entries, search), [entries, search]);
  const shown = found.slice(0, SHOWN);
  const place = Math.min(at, shown.length - 1);
  const chosen = shown[place];
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen comes into sight
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosen?.id]);

  const take = (entry: Entry | undefined) => {
    if (!entry || entry.hindrance) return;
    onClose();
    // The page has the focus again before anything is asked of it.
    setTimeout(entry.run);
  };
  const key = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(shown.length - 1, place + step)));
    else if (event.key === "Enter") take(chosen);
    else return;
    event.preventDefault();
  };
  const optionId = (index: number) => `${id}-${index}`;
  return (
    <>
      <IconButton icon="close" label="Close" className="palette-close" onClick={onClose} />
      <TextField
        data-autofocus
        role="combobox"
        aria-label="Find an action, a view, a setting or a scenario"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen && optionId(place)}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setAt(0);
        }}
        onKeyDown={key}
      />
      <div ref={list} id={`${id}-list`} className="palette-list" role="listbox" aria-label="What was found">
        {shown.map((entry, index) => (
          <Option
            key={entry.id}
            id={optionId(index)}
            entry={entry}
            chosen={index === place}
            onTake={() => take(entry)}
          />
        ))}
      </div>
      <p className="note" role="status">
        {found.length === 0
          ? `Nothing has “${search.trim()}” in it.`
          : found.length > SHOWN && `The first ${SHOWN} of ${found.length}. Add words to find fewer.`}
      </p>
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: Entry;
  readonly chosen: boolean;
  readonly onTake: () => void;
}

function Option({ id, entry: { kind, name, aside, key, hindrance }, chosen, onTake }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the field above
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      aria-disabled={hindrance ? true : undefined}
      className="palette-entry"
      onClick={onTake}
    >
      <span>{name}</span>
      <span className="note">{hindrance ?? aside ?? (key ? "" : kind)}</span>
      {key && <kbd>{key}</kbd>}
    </div>
  );
}

/** What there is to find. A run that goes on does not change it under the hand: only its phase does. */
function useEntries(): readonly Entry[] {
  const session = useSession();
  const views = useViews();
  const embed = useEmbed();
  const { settings } = useShown();
  const scenario = useEffectiveScenario();
  const phase = useRun((run) => run.phase);
  const speed = useRun((run) => run.speed);
  const { groups, figures } = useFindable();
  const { suggestions } = useSuggestions(session.scenario);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what actions say of themselves depends on phase and speed
  return useMemo(
    () => [
      ...actionEntries(session, views, embed === null),
      ...viewEntries(views),
      ...(settings ? settingEntries(session, views, scenario) : []),
      ...(suggestions && !embed ? studyEntries(session, views, suggestions) : []),
      ...speedEntries(session),
      ...(session.lock ? [] : scenarioEntries(session, groups)),
      ...(embed ? [] : figureEntries(views, figures)),
    ],
    [session, views, embed, settings, scenario, phase, speed, groups, figures, suggestions],
  );
}

interface Findable {
  readonly groups: readonly ThemeGroup[];
  readonly figures: readonly Figure[];
}

/** The scenarios of the menu and the figures, which come when somebody looks for something. */
function useFindable(): Findable {
  const [found, setFound] = useState<Findable>({ groups: [], figures: [] });
  useEffect(() => {
    // Without the network everything else is found all the same.
    void import("../../scenario/presets.ts").then(
      ({ PRESET_GROUPS, FIGURES }) => setFound({ groups: PRESET_GROUPS, figures: FIGURES }),
      () => {},
    );
  }, []);
  return found;
}
