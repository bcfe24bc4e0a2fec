import { HOWS, type How, type MappedField } from "../../engine/files/rackProtocol.ts";
import { type Fill, FillGlyph } from "../../ui/FillGlyph.tsx";

export const HOW_TITLES: Readonly<Record<How, string>> = {
  exactly: "Exactly",
  roughly: "Roughly",
  "not-at-all": "Not at all",
};

const FILLS: Readonly<Record<How, Fill>> = { exactly: "full", roughly: "half", "not-at-all": "open" };

export const HowGlyph = ({ how }: { readonly how: How }) => <FillGlyph fill={FILLS[how]} />;

/** How many fields go over in which way. */
export function Hows({ fields }: { readonly fields: readonly MappedField[] }) {
  return (
    <span className="rack-hows">
      {HOWS.map((how) => (
        <span key={how}>
          <HowGlyph how={how} /> {fields.filter((field) => field.how === how).length}
          <span className="visually-hidden"> {HOW_TITLES[how].toLowerCase()}</span>
        </span>
      ))}
    </span>
  );
}

export function HowsLegend() {
  return (
    <p className="rack-legend note" aria-hidden="true">
      {HOWS.map((how) => (
        <span key={how}>
          <HowGlyph how={how} /> {HOW_TITLES[how].toLowerCase()}
        </span>
      ))}
    </p>
  );
}
