import { Icon } from "../../ui/Icon.tsx";
import { useStudy } from "../../workbench/study/useStudy.tsx";

/** What the engine has against a part of the study, or against exactly that. */
export function StudyFault({ path, exactly = false }: { readonly path: string; readonly exactly?: boolean }) {
  const { runs } = useStudy();
  const of = (other: string) => other === path || (!exactly && other.startsWith(path));
  return runs.diagnostics
    .filter((diagnostic) => of(diagnostic.path))
    .map(({ path: place, reason, hint }) => (
      <Diagnostic key={`${place} ${reason}`} sentence={`${capital(reason)}. ${hint}`} />
    ));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function Diagnostic({ sentence }: { readonly sentence: string }) {
  return (
    <p className="diagnostic" role="alert">
      <Icon name="warning" size={13} /> {sentence}
    </p>
  );
}
