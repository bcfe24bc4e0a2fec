import { useState } from "react";
import { ScatterChart } from "../../charts/study/ScatterChart.tsx";
import { aboveText } from "../../charts/study/scatter.ts";
import { factorName, spokenFactor, unitText, valueText } from "../../charts/study/studyText.ts";
import type { Found, Standing, StudyTable } from "../../generated/answers.d.ts";
import type { StudyDocument } from "../../scenario/study.ts";
import { useFrame } from "../../ui/media.ts";
import { Segmented } from "../../ui/Segmented.tsx";
import { Select } from "../../ui/Select.tsx";
import {
  candidatesPicture,
  cellText,
  measureAt,
  preferenceName,
  type SearchParts,
  settingsText,
  standingCounts,
  tradeOffPicture,
} from "../../workbench/study/answer.ts";
import type { SearchAsk } from "../../workbench/study/targets.ts";
import { Refused } from "./Refused.tsx";
import { useStudyStamp } from "./SweepPane.tsx";
import "./SearchPane.css";

/** The trade-off between two things that are preferred: each point of the curve can be looked at. */
export function TradeOff({
  table,
  ask,
  found,
  point,
  onChoose,
}: SearchParts & {
  readonly found: Found;
  readonly point: number | null;
  readonly onChoose: (point: number) => void;
}) {
  const stamp = useStudyStamp(table);
  const [first, second] = ask.prefer;
  if (!first || !second) return null;
  const names = [preferenceName(table, first), preferenceName(table, second)] as const;
  const picture = tradeOffPicture(table, [first, second], found, point);
  return (
    <section className="search-charts" data-count={1} aria-label="Trade-off">
      <ScatterChart
        id="trade-off"
        title={`${names[1].title} against ${names[0].title}`}
        unit={[unitText(names[1].unit), "axes do not start at 0"].filter(Boolean).join(", ")}
        height={260}
        picture={picture}
        sentence={`${picture.marks.length} settings of which none is better in both ${names[0].title} and ${names[1].title}.`}
        headers={names.map(({ title, unit }) => (unit ? `${title} (${unit})` : title))}
        rows={() => picture.marks.map(({ x, y }) => [x, y ?? ""])}
        stamp={stamp}
        read={(at) => readingOf(table, ask, at)}
        onChoose={onChoose}
        choosing="Enter looks at its setting."
      />
    </section>
  );
}

/** What stands beside a mark: its settings, then what they gave. */
function readingOf(table: StudyTable, ask: SearchAsk, at: number): readonly (readonly [string, string])[] {
  const item = table.points[at];
  if (!item) return [];
  const measured = [
    ...new Set([...ask.targets.map(({ measure }) => measure), ...ask.prefer.map(({ of }) => of)]),
  ];
  return [
    ...table.factors.map((factor, place): readonly [string, string] => [
      spokenFactor(factor),
      valueText(factor, item.values[place] ?? ""),
    ]),
    ...table.measures.flatMap(({ title, unit }, place): (readonly [string, string])[] => {
      const cell = item.cells[place];
      return measured.includes(title) && cell ? [[title, cellText(unit, cell)]] : [];
    }),
    ["seeds", String(item.seeds)],
  ];
}

/** What each mark of the field says. */
const STANDINGS: readonly { readonly standing: Standing; readonly said: (count: number) => string }[] = [
  { standing: "leading", said: (count) => `${count} leading` },
  { standing: "open", said: (count) => `${count} open` },
  { standing: "beaten", said: (count) => `${count} beaten` },
  { standing: "misses", said: (count) => (count === 1 ? "1 misses a target" : `${count} miss a target`) },
];

/** All that was tried, factor by factor, against what a target asks: it thins as the search learns. */
export function Field({
  study,
  ask,
  table,
  candidates,
  found,
  onChoose,
}: SearchParts & {
  readonly study: StudyDocument;
  readonly candidates: readonly Standing[];
  readonly found: Found | null;
  readonly onChoose: (point: number) => void;
}) {
  const stamp = useStudyStamp(table);
  const frame = useFrame();
  const [chosen, setChosen] = useState(0);
  const target = ask.targets[Math.min(chosen, ask.targets.length - 1)];
  if (!target) return null;
  const counts = standingCounts(table, candidates);
  const measure = table.measures[measureAt(table, target)];
  const named = {
    found: found?.point ?? null,
    word: found?.isMet ? "answer" : "nearest",
    guess: found?.firstGuess ?? null,
  };
  const options = ask.targets.map(({ measure: title }, at) => ({ value: String(at), title }));
  const choose = (value: string) => setChosen(Number(value));
  return (
    <section className="search-field" aria-label="What was tried">
      <header>
        <h2>What was tried</h2>
        {options.length > 3 || (options.length > 1 && frame === "phone") ? (
          <Select aria-label="Target shown" value={String(chosen)} options={options} onChange={choose} />
        ) : (
          options.length > 1 && (
            <Segmented label="Target shown" value={String(chosen)} options={options} onChange={choose} />
          )
        )}
        <ul className="search-standings" aria-label="What is thought of it">
          {STANDINGS.map(({ standing, said }) => (
            <li key={standing} data-standing={standing}>
              <Glyph standing={standing} /> {said(counts[standing])}
            </li>
          ))}
          {counts.refused > 0 && <li>{counts.refused} refused</li>}
        </ul>
      </header>
      <div className="search-charts" data-count={table.factors.length}>
        {table.factors.map((factor, at) => {
          const picture = candidatesPicture(study, table, candidates, at, target, named);
          const above = aboveText(picture);
          return (
            <ScatterChart
              key={factor.title}
              id={`candidates-${at}`}
              title={factorName(factor)}
              unit={`${measure?.title ?? target.measure}${measure?.unit ? `, ${unitText(measure.unit)}` : ""}`}
              height={220}
              picture={picture}
              sentence={`${settingsText(picture.marks.length)} tried of ${factorName(factor)}: ${STANDINGS.map(({ standing, said }) => said(counts[standing])).join(", ")}.${above ? ` Beyond the axis: ${above}.` : ""}`}
              headers={[
                ...table.factors.map(({ title, unit }) => (unit ? `${title} (${unit})` : title)),
                ...table.measures.map(({ title, unit }) => (unit ? `${title} (${unit})` : title)),
                "seeds",
                "standing",
              ]}
              rows={() =>
                table.points.map((point, place) => [
                  ...point.values.map((value) => (typeof value === "number" ? value : String(value))),
                  ...table.measures.map((_, cell) => point.cells[cell]?.mean ?? ""),
                  point.seeds,
                  point.refused ?? candidates[place] ?? "open",
                ])
              }
              stamp={stamp}
              read={(place) => readingOf(table, ask, place)}
              onChoose={onChoose}
              choosing="Enter looks at its setting."
            />
          );
        })}
      </div>
      <Refused table={table} />
    </section>
  );
}

/** A mark of the field beside what it says. */
function Glyph({ standing }: { readonly standing: Standing }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" data-standing={standing}>
      {standing === "misses" ? (
        <path d="M3.4 3.4l5.2 5.2M8.6 3.4l-5.2 5.2" />
      ) : (
        <circle cx="6" cy="6" r={standing === "leading" ? 4.6 : 3.2} />
      )}
    </svg>
  );
}
