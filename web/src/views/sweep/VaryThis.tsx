import { useScenario, useSession } from "../../panels/context.tsx";
import { hideHint } from "../../panels/hint.ts";
import type { FieldSuggestion } from "../../scenario/study.ts";
import { Button } from "../../ui/Button.tsx";
import { useViewState, useViews } from "../viewContext.tsx";
import { factorsOf, nameOf } from "./studyEdit.ts";
import { sweepView } from "./sweepView.ts";
import { useSuggestions } from "./useSuggestions.ts";
import { besides, type VaryPlace, variable, varyThis } from "./varyThis.ts";

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
  if (fields.length === 0) return null;
  return (
    <div className="button-row">
      {fields.map((field) => {
        const study = besides(written, field.path);
        const others = study ? factorsOf(study).map((factor) => nameOf(factor, suggestions)) : [];
        const name = fields.length === 1 ? "this" : field.title;
        return (
          <span key={field.path} className="button-row">
            <Button look={fields.length === 1 ? "default" : "link"} onClick={() => vary(field, "alone")}>
              Vary {name}
            </Button>
            {study && fields.length === 1 && (
              <Button look="link" onClick={() => vary(field, "added")}>
                {study.ask.kind === "search"
                  ? "Let the search choose it"
                  : `Vary beside ${others.join(", ")}`}
              </Button>
            )}
          </span>
        );
      })}
    </div>
  );
}
