import { fixed } from "../../charts/drawing/format.ts";
import { ClassMarker } from "../../charts/frame/ClassMarker.tsx";
import type { TenantNeeds } from "../../generated/answers.d.ts";
import { useEffectiveScenario } from "../../panels/context.tsx";
import { usePlan } from "../../panels/planner.ts";
import { identityIndices } from "../../run/identity.ts";
import { classIdentity } from "../../ui/classes.ts";
import "../../workbench/settings/Phone.css";

/** What every tenant needs and whether it is admitted, large, above everything that scrolls. */
export function TenantStrip() {
  const shown = useEffectiveScenario();
  const needs = usePlan((plan) => plan.needs);
  const identities = identityIndices(shown.classes.map(({ name }) => name));
  return (
    <section className="class-strip" aria-label="Tenants">
      {shown.classes.map(({ name }, index) => {
        const own = needs?.tenants[index];
        const identity = classIdentity(identities[index] ?? 0);
        return (
          <div key={name}>
            <b style={{ color: identity.label }} title={name}>
              <ClassMarker kindIndex={identity.index} /> <span>{name}</span>
            </b>
            <p>
              <span className="strip-value">
                {own?.needIops == null ? "–" : fixed(own.needIops, own.needIops < 100 ? 1 : 0)}
              </span>{" "}
              <span className="note">requests/s</span>
            </p>
            <p className="note">{stripText(own)}</p>
          </div>
        );
      })}
    </section>
  );
}

function stripText(needs: TenantNeeds | undefined): string {
  if (needs?.needIops == null) return "promised nothing";
  if (needs.admitted === null) return "needed";
  return needs.admitted ? "admitted" : "not admitted";
}
