import { Hint } from "../../panels/Hint.tsx";
import { late } from "../../ui/onDemand.tsx";
import { useEmbed } from "../view/viewContext.tsx";

const VaryThis = late(() => import("./VaryThis.tsx"));
const FoundSettings = late(() => import("./FoundSettings.tsx"));

/** What a parameter is, and the way to vary it. A page inside another has no other views to go to. */
export function HintToVary() {
  const isAlone = useEmbed() === null;
  return <Hint {...(isAlone && { action: (path) => <VaryThis path={path} /> })} />;
}

/** Below what theory recommends: the way to settings that meet targets. */
export function FindSettings() {
  return useEmbed() === null ? <FoundSettings /> : null;
}
