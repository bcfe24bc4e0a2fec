import { useScenario } from "../../panels/context.tsx";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useFrame } from "../../ui/media.ts";
import { Guarded } from "../../workbench/Guarded.tsx";
import { pageStore } from "../../workbench/pageStore.ts";
import { IconBar, SettingsDrawer, Sidebar } from "../../workbench/settings/Sidebar.tsx";
import { sweepView } from "../../workbench/state/sweepView.ts";
import { factorsOf } from "../../workbench/study/studyEdit.ts";
import { StudyProvider, useStudy } from "../../workbench/study/useStudy.tsx";
import { useViewState } from "../../workbench/view/viewContext.tsx";
import { ExportMenu } from "./ExportMenu.tsx";
import { SearchPane } from "./SearchPane.tsx";
import { SensitivityPane } from "./SensitivityPane.tsx";
import { KindSwitch, useStudyPanels } from "./StudyColumn.tsx";
import { StudyProgress } from "./StudyProgress.tsx";
import { SweepPane } from "./SweepPane.tsx";
import "./Sweep.css";

/** A question to many runs: what it is on the left, what it comes to in the middle. */
export default function Sweep() {
  return (
    <StudyProvider>
      <Study />
    </StudyProvider>
  );
}

const PANES = { sweep: SweepPane, sensitivity: SensitivityPane, search: SearchPane } as const;

function Study() {
  const frame = useFrame();
  const panels = useStudyPanels();
  const { study, fault } = useStudy();
  const Pane = study && PANES[study.ask.kind];
  return (
    <>
      <main className="sweep">
        <Guarded name="The study">
          {frame === "desk" ? (
            <Sidebar
              atOnce
              panels={panels}
              head={
                <div className="sweep-kind">
                  <KindSwitch />
                </div>
              }
            />
          ) : (
            frame !== "phone" && <IconBar panels={panels} />
          )}
        </Guarded>
        <section className="sweep-pane" aria-label="Results">
          <PrintHead />
          {frame !== "desk" && (
            <div className="sweep-kind">
              <KindSwitch />
              {frame === "phone" && (
                <IconButton
                  icon="settings"
                  label="What is asked"
                  onClick={() => pageStore.setState({ drawer: "vary" })}
                />
              )}
            </div>
          )}
          {fault === null ? <StudyBar /> : <NoStudy sentence={fault} />}
          {Pane && (
            <Guarded name="What the study comes to">
              <Pane />
            </Guarded>
          )}
        </section>
      </main>
      <Guarded name="A panel">{frame !== "desk" && <SettingsDrawer frame={frame} panels={panels} />}</Guarded>
    </>
  );
}

/** How far the study is, what acts on its runs, and what saves it. */
function StudyBar() {
  const { study } = useStudy();
  if (!study) return <p className="sweep-wait">The engine looks at what can vary in this scenario …</p>;
  return (
    <header className="sweep-bar">
      <StudyProgress />
      <ExportMenu />
    </header>
  );
}

/** Why there is no study, and what to do about it. */
function NoStudy({ sentence }: { readonly sentence: string }) {
  const [{ study }, change] = useViewState(sweepView);
  return (
    <div className="sweep-none" role="alert">
      <p>
        <Icon name="warning" /> {sentence}
      </p>
      {study !== "" && (
        <Button onClick={() => change({ study: "" })}>Suggest a study of this scenario</Button>
      )}
    </div>
  );
}

/** On paper: what is asked, of which scenario. */
function PrintHead() {
  const { study, suggestions, runs } = useStudy();
  const { name } = useScenario();
  if (!study || !suggestions) return null;
  const seeds = runs.document?.seeds ?? study.seeds;
  return (
    <header className="sweep-print">
      <h1>{study.title}</h1>
      <p>
        {name}. {factorsOf(study).length > 0 && `${study.measures.map(({ title }) => title).join(", ")}. `}
        {runs.table && seeds?.count !== undefined && `${seeds.count} seeds from ${runs.table.firstSeed} on.`}
      </p>
    </header>
  );
}
