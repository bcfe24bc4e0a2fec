import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { useScenario, useSession } from "../../panels/context.tsx";
import { PRESET_GROUPS, PRESET_TOUR, STATED_COMPARISONS } from "../../scenario/presets.ts";
import {
  type ComparedPresets,
  comparisonsOf,
  found,
  type Preset,
  type ThemeGroup,
} from "../../scenario/themes.ts";
import type { Scenario } from "../../scenario/types.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { useFrame } from "../../ui/media.ts";
import { openFile } from "../files/openFile.ts";
import { compareView } from "../state/compareView.ts";
import { figuresView } from "../state/figuresView.ts";
import { useViews } from "../view/viewContext.tsx";
import { SavedList } from "./SavedList.tsx";
import { readSaved, savedStore } from "./savedRuns.ts";

const holds = (group: ThemeGroup, name: string) =>
  group.presets.some(({ scenario }) => scenario.name === name);

interface PresetListProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onClose: () => void;
  /** What becomes of the scenario that is chosen; by default it is opened. */
  readonly onChoose?: ((scenario: Scenario) => void) | undefined;
}

/** Themes on the left, the scenarios of one on the right; a search shows what matches of all. */
export default function PresetList({ search, onSearch, onClose, onChoose }: PresetListProps) {
  const session = useSession();
  const scenario = useScenario();
  const narrow = useFrame() === "phone";
  const [chosen, setChosen] = useState(
    () => PRESET_TOUR.find((group) => holds(group, scenario.name)) ?? PRESET_TOUR[0],
  );
  const [atSaved, setAtSaved] = useState(false);
  const saved = useStore(savedStore, ({ runs }) => runs?.length ?? 0);
  useEffect(() => void readSaved(), []);
  const searching = search.trim() !== "";
  const groups = searching
    ? found(PRESET_GROUPS, search)
    : PRESET_TOUR.filter((group) => narrow || (group === chosen && !atSaved));
  const views = useViews();
  const choose = (scenario: Scenario) => {
    onClose();
    if (onChoose) onChoose(scenario);
    else session.begin(scenario);
  };
  const compare = ({ scenarios }: ComparedPresets) => {
    const last = scenarios.at(-1);
    onClose();
    if (!last) return;
    session.begin(last);
    views.change(compareView, { baselines: scenarios.slice(0, -1) });
    views.show(compareView);
  };
  const showFigure = (figure: string) => {
    onClose();
    views.open(figuresView, { figure });
  };
  return (
    <>
      <div className="preset-columns">
        {!narrow && (
          <nav className="preset-themes" aria-label="Themes">
            {PRESET_TOUR.map((group) => (
              <ThemeButton
                key={group.theme.title}
                title={group.theme.title}
                count={group.presets.length}
                current={!searching && !atSaved && group === chosen}
                onChoose={() => {
                  setChosen(group);
                  setAtSaved(false);
                  onSearch("");
                }}
              />
            ))}
            {!onChoose && (
              <ThemeButton
                title="Saved here"
                count={saved}
                current={!searching && atSaved}
                onChoose={() => {
                  setAtSaved(true);
                  onSearch("");
                }}
              />
            )}
          </nav>
        )}
        <div className="preset-list">
          {!onChoose && (atSaved || searching || (narrow && saved > 0)) && (
            <SavedList search={search} onClose={onClose} />
          )}
          {groups.map((group) => (
            <Section
              key={group.theme.title}
              group={group}
              current={scenario.name}
              onChoose={choose}
              onCompare={onChoose ? null : compare}
              onFigure={onChoose ? null : showFigure}
            />
          ))}
          {searching && groups.length === 0 && (
            <p className="preset-promise">No scenario has “{search.trim()}” in it.</p>
          )}
        </div>
      </div>
      <FileButton onClose={onClose} />
    </>
  );
}

interface ThemeButtonProps {
  readonly title: string;
  readonly count: number;
  readonly current: boolean;
  readonly onChoose: () => void;
}

function ThemeButton({ title, count, current, onChoose }: ThemeButtonProps) {
  return (
    <button type="button" className="preset-theme" aria-current={current} onClick={onChoose}>
      {title}
      <span className="note">{count}</span>
    </button>
  );
}

interface SectionProps {
  readonly group: ThemeGroup;
  /** Name of the scenario on the page. */
  readonly current: string;
  readonly onChoose: (scenario: Scenario) => void;
  /** Opens scenarios side by side; null where one is looked for. */
  readonly onCompare: ((compared: ComparedPresets) => void) | null;
  /** Opens the figure that a scenario is of; null likewise. */
  readonly onFigure: ((figure: string) => void) | null;
}

function Section({ group: { theme, presets }, current, onChoose, onCompare, onFigure }: SectionProps) {
  return (
    <section aria-label={theme.title}>
      <h2>{theme.title}</h2>
      <p className="preset-promise">{theme.promise}</p>
      {onCompare && <Comparisons presets={presets} onCompare={onCompare} />}
      {presets.map((preset) => (
        <Item
          key={`${preset.figure} ${preset.id}`}
          preset={preset}
          current={preset.scenario.name === current}
          onChoose={onChoose}
          onFigure={onFigure}
        />
      ))}
    </section>
  );
}

interface ComparisonsProps {
  readonly presets: readonly Preset[];
  readonly onCompare: (compared: ComparedPresets) => void;
}

/** What papers hold against each other, to be opened side by side. */
function Comparisons({ presets, onCompare }: ComparisonsProps) {
  const comparisons = comparisonsOf(presets, STATED_COMPARISONS);
  if (comparisons.length === 0) return null;
  return (
    <details className="preset-comparisons">
      <summary>
        {comparisons.length === 1 ? "One comparison" : `${comparisons.length} comparisons`}, side by side
      </summary>
      {comparisons.map((compared) => (
        <button
          key={`${compared.title} ${compared.labels.join()}`}
          type="button"
          className="preset-compare"
          onClick={() => onCompare(compared)}
        >
          <span className="preset-name">
            <span>{compared.title}</span>
            <span className="note">{compared.source}</span>
          </span>
          <span className="note preset-text">Compare {compared.labels.join(" | ")}</span>
        </button>
      ))}
    </details>
  );
}

interface ItemProps {
  readonly preset: Preset;
  readonly current: boolean;
  readonly onChoose: (scenario: Scenario) => void;
  readonly onFigure: ((figure: string) => void) | null;
}

function Item({ preset: { scenario, source, figure }, current, onChoose, onFigure }: ItemProps) {
  return (
    <div className="preset-item">
      <button
        type="button"
        className="preset"
        aria-current={current}
        title={scenario.description}
        onClick={() => onChoose(scenario)}
      >
        <span className="preset-name">
          <span>{scenario.name}</span>
          {!scenario.name.startsWith(source) && <span className="note">{source}</span>}
        </span>
        {scenario.description && <span className="note preset-text">{scenario.description}</span>}
      </button>
      {onFigure && figure !== "" && (
        <IconButton
          icon="figures"
          label={`Figure: ${source}`}
          className="preset-figure"
          onClick={() => onFigure(figure)}
        />
      )}
    </div>
  );
}

function FileButton({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const views = useViews();
  const file = useRef<HTMLInputElement>(null);
  const open = (chosen: File | undefined) => {
    if (!chosen) return;
    onClose();
    void openFile(session, views, chosen);
  };
  return (
    <div className="button-row">
      <Button icon="open" onClick={() => file.current?.click()}>
        Open a scenario or a trace
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label="File of a scenario or a trace"
        onChange={(event) => open(event.target.files?.[0])}
      />
    </div>
  );
}
