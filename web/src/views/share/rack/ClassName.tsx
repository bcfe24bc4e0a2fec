import { ClassMarker } from "../../../charts/frame/ClassMarker.tsx";
import { useScenario } from "../../../panels/context.tsx";
import { identityIndices } from "../../../run/identity.ts";
import { classIdentity } from "../../../ui/classes.ts";

/** A class by its number, as it looks everywhere. */
export function ClassName({ at }: { readonly at: number }) {
  const names = useScenario().classes.map(({ name }) => name);
  const kind = identityIndices(names)[at] ?? 0;
  return (
    <>
      <ClassMarker kindIndex={kind} /> <b style={{ color: classIdentity(kind).label }}>{names[at]}</b>
    </>
  );
}
