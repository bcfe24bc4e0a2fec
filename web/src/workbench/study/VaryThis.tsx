import { useScenario, useSession } from "../../panels/context.tsx";
import { hideHint } from "../../panels/hint.ts";
import type { FieldSuggestion } from "../../scenario/study.ts";
import { Button } from "../../ui/Button.tsx";
import { sweepView } from "../state/sweepView.ts";
import { useViewState, useViews } from "../view/viewContext.tsx";
import { factorsOf, nameOf } from "./studyEdit.ts";
import { useSuggestions } from "./useSuggestions.ts";
import { besides, type VaryPlace, variable, varyThis } from "./varyThis.ts";
import "./VaryThis.css";

/** Offers to vary a setting: alone, or beside what the person varies already. Nothing of one that cannot. */
export default function VaryThis({ path }: { readonly path: string }) {
  const session = useSession();
  const views = useViews();
  const scenario = useScenario();
  const [{ study: written }] = useViewState(sweepView);
  const { suggestions } = useSuggestions(scenario);
  if (!suggestions) return null;
  const fields = variable(path, scenario, suggestions);
  const vary = (field: FieldSuggestion, place: VaryPlace) => {
    hideHint();
    void varyThis(field.path, place, session, views);
  };
  const [field] = fields;
  if (field === undefined) return null;
  if (fields.length > 1) {
    return (
      <p className="vary-this">
        <span>Vary</span>
        {fields.map((item) => (
          <Button
            key={item.path}
            look="link"
            aria-label={`Vary ${item.title}`}
            onClick={() => vary(item, "alone")}
          >
            {item.title}
          </Button>
        ))}
      </p>
    );
  }
  const study = besides(written, field.path);
  const others = study ? factorsOf(study).map((factor) => nameOf(factor, suggestions)) : [];
  return (
    <p className="vary-this">
      <Button onClick={() => vary(field, "alone")}>Vary this</Button>
      {study && (
        <Button look="link" onClick={() => vary(field, "added")}>
          {study.ask.kind === "search" ? "Let the search choose it" : `Vary beside ${others.join(", ")}`}
        </Button>
      )}
    </p>
  );
}
