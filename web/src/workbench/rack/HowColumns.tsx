import { type ReactNode, useState } from "react";
import { HOWS, type How } from "../../engine/files/rackProtocol.ts";
import { Button } from "../../ui/Button.tsx";
import { HOW_TITLES, HowGlyph } from "./Hows.tsx";
import "./HowColumns.css";

/** Entries of a kind that are seen at first: what stands below is what most come for. */
const FIRST = 2;

/** Something that goes over to another form, in whatever way. */
export interface GoneOver {
  readonly key: string;
  readonly how: How;
  readonly title: ReactNode;
  /** Where it stands, shown under the pointer. */
  readonly place: string;
  readonly from: string;
  /** What it became; empty: nothing. */
  readonly to: string;
  readonly why: ReactNode;
}

interface HowColumnsProps {
  readonly label: string;
  readonly items: readonly GoneOver[];
  /** What they are, where all are asked for: `fields`. */
  readonly what: string;
}

/** What became of everything: exactly, roughly, not at all, side by side. */
export function HowColumns({ label, items, what }: HowColumnsProps) {
  const [all, setAll] = useState(false);
  const columns = HOWS.map((how) => [how, items.filter((item) => item.how === how)] as const);
  const isLong = columns.some(([, own]) => own.length > FIRST);
  return (
    <section className="how-columns" aria-label={label}>
      {columns.map(([how, own]) => (
        <div key={how}>
          <h4>
            <HowGlyph how={how} /> {HOW_TITLES[how]}{" "}
            {own.length > 0 && <span className="note">{own.length}</span>}
          </h4>
          {own.length === 0 && <p className="note">None.</p>}
          <dl>
            {(all ? own : own.slice(0, FIRST)).map(({ key, title, place, from, to, why }) => (
              <div key={key}>
                <dt title={place}>{title}</dt>
                <dd>
                  {from}
                  {to !== "" && (
                    <>
                      {" "}
                      → <b>{to}</b>
                    </>
                  )}
                </dd>
                <dd className="note">{why}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {isLong && (
        <p>
          <Button look="link" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show all ${items.length} ${what}`}
          </Button>
        </p>
      )}
    </section>
  );
}
