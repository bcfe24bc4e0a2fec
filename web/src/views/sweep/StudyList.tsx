import { useSession } from "../../panels/context.tsx";
import { Disclosure } from "../../panels/Disclosure.tsx";
import type { StudyKind } from "../../scenario/study.ts";
import { Button } from "../../ui/Button.tsx";
import { openStudy } from "../../workbench/study/openStudy.ts";
import { useViews } from "../../workbench/view/viewContext.tsx";
import { studiesOfKind } from "./studies.ts";

/** The studies of one kind that come with the page. */
export default function StudyList({ kind }: { readonly kind: StudyKind }) {
  const session = useSession();
  const views = useViews();
  return (
    <section className="panel">
      <Disclosure title="Studies to look at">
        <ul className="study-list">
          {studiesOfKind(kind).map((study) => (
            <li key={study.title}>
              <Button
                look="link"
                onClick={() =>
                  void openStudy(session, views, { name: study.title, text: JSON.stringify(study) })
                }
              >
                {study.title}
              </Button>
              {study.text && <p className="note">{study.text}</p>}
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  );
}
