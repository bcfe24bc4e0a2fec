import { diagnosticSentence } from "../scenario/check.ts";
import { Icon } from "../ui/Icon.tsx";
import { useRun } from "./context.tsx";

/** What the engine has against what a field, or a part of it, was last tried to be. */
export const useRefusal = (path: string, title: string): string | null =>
  useRun(({ diagnostics }) => {
    const refusal = diagnostics.find((diagnostic) => diagnostic.path.startsWith(path));
    return refusal ? diagnosticSentence(title, refusal) : null;
  });

/** Says to assistive technology whether something is wrong with a field, and where it is said. */
export const faultOf = (id: string, sentence: string | null) => ({
  "aria-invalid": sentence !== null,
  "aria-describedby": sentence === null ? undefined : id,
});

/** What is wrong with a field. */
export function Fault({ id, sentence }: { readonly id: string; readonly sentence: string | null }) {
  if (sentence === null) return null;
  return (
    <p className="diagnostic" id={id} role="alert">
      <Icon name="warning" size={13} /> {sentence}
    </p>
  );
}
