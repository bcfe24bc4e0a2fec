import { useRef, useState } from "react";
import type { StudyTable } from "../../generated/answers.d.ts";
import { useScenario } from "../../panels/context.tsx";
import type { StudyDocument } from "../../scenario/study.ts";
import { Button } from "../../ui/Button.tsx";
import type { MenuEntry } from "../../ui/Menu.tsx";
import { Menu } from "../../ui/popups.ts";
import { pageStore } from "../../workbench/pageStore.ts";
import { useStudy } from "../../workbench/study/useStudy.tsx";
import { STUDY_FILES } from "./exportStudy.ts";
import { useStudyStamp } from "./SweepPane.tsx";

/** Saves the study as files, as far as results reach, and shares it. Charts are saved from their own menus. */
export function ExportMenu() {
  const { document, table } = useStudy().runs;
  return document && table && <Export study={document} table={table} />;
}

function Export({ study, table }: { readonly study: StudyDocument; readonly table: StudyTable }) {
  const { answer } = useStudy().runs;
  const scenario = useScenario();
  const stamp = useStudyStamp(table);
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const files = STUDY_FILES.map(
    ({ id, name, save }): MenuEntry => ({
      id,
      content: name,
      onSelect: () => void save({ study, scenario, table, answer, stamp }),
    }),
  );
  const link: MenuEntry = {
    id: "link",
    content: "Link to it …",
    onSelect: () => pageStore.setState({ share: "link" }),
  };
  return (
    <>
      <Button
        ref={anchor}
        icon="download"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        Export
      </Button>
      <Menu
        open={open}
        onClose={() => setOpen(false)}
        anchor={anchor}
        label="Export the study"
        align="end"
        entries={[...files, link]}
      />
    </>
  );
}
