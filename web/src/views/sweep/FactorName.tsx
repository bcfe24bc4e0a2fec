import type { StudyFactor } from "../../generated/answers.d.ts";
import { MathSymbol } from "../../ui/MathSymbol.tsx";

/** Title and symbol of something that varies, as its row has them: the symbol before the name of whom it is of. */
export function FactorName({ title, symbol }: Pick<StudyFactor, "title" | "symbol">) {
  const [what = "", ...whose] = title.split(", ");
  return (
    <>
      {what}
      {symbol && !what.endsWith(symbol) && (
        <>
          {" "}
          <MathSymbol>{symbol}</MathSymbol>
        </>
      )}
      {whose.length > 0 && `, ${whose.join(", ")}`}
    </>
  );
}
