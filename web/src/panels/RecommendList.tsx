import {
  nothingToChange,
  type Recommendation,
  recommendations,
  stepsBack,
  stepsForth,
  stillHold,
} from "../scenario/recommend.ts";
import { Button } from "../ui/Button.tsx";
import { MathSymbol } from "../ui/MathSymbol.tsx";
import { useEffectiveScenario, useExplanation, useSession } from "./context.tsx";
import "./RecommendList.css";

interface RecommendListProps {
  /** What has been followed last. */
  readonly done: readonly Recommendation[];
  readonly onDone: (done: readonly Recommendation[]) => void;
}

/** What theory would set otherwise, and one button that does; afterwards what it has set, and the way back. */
export default function RecommendList({ done, onDone }: RecommendListProps) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const explanation = useExplanation();
  const open = recommendations(shown, explanation);
  const followed = done.length > 0 && stillHold(done, shown);
  const apply = () => {
    session.change(stepsForth(open));
    onDone(open);
  };
  const putBack = () => {
    session.change(stepsBack(done));
    onDone([]);
  };
  if (followed) {
    return (
      <>
        <h3>Applied</h3>
        <Rows of={done} />
        <p>
          <button type="button" className="link" onClick={putBack}>
            Put back
          </button>
        </p>
      </>
    );
  }
  if (open.length === 0) {
    return <p>{nothingToChange(explanation)}</p>;
  }
  return (
    <>
      <h3>For this network</h3>
      <Rows of={open} />
      <p>
        <Button look="primary" onClick={apply}>
          Apply all
        </Button>
      </p>
    </>
  );
}

function Rows({ of }: { readonly of: readonly Recommendation[] }) {
  return (
    <ul>
      {of.map(({ title, before, after, because }) => (
        <li key={title}>
          {title === "K" ? <MathSymbol>K</MathSymbol> : title} {before} → <b>{after}</b>
          <span className="note">, because {because}</span>
        </li>
      ))}
    </ul>
  );
}
