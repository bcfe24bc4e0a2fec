import { useState } from "react";
import type { RackExport, RackFile, RackTarget } from "../../../engine/files/rackProtocol.ts";
import { useScenario } from "../../../panels/context.tsx";
import { diagnosticText } from "../../../scenario/check.ts";
import { Button } from "../../../ui/Button.tsx";
import { Icon } from "../../../ui/Icon.tsx";
import { TabList, TabPanel, Tabs } from "../../../ui/Tabs.tsx";
import { Archive } from "../../../workbench/archive.ts";
import { fileStem, saveBytes, saveFile } from "../../../workbench/save.ts";
import { CopyButton } from "../CopyButton.tsx";
import { FileText } from "./FileText.tsx";
import { MappedFields } from "./MappedFields.tsx";
import { NotWritten, Pane } from "./Pane.tsx";
import type { Rack } from "./useRack.ts";

interface ExportPaneProps {
  /** Undefined while nothing is known of any. */
  readonly target: RackTarget | undefined;
  readonly rack: Rack;
  readonly onChoose: (target: string) => void;
}

/** What one target takes, or why it takes nothing. */
export function ExportPane({ target, rack, onChoose }: ExportPaneProps) {
  const outcome = target && rack.outcomes[target.id];
  if (!outcome)
    return <NotWritten label={target?.title ?? "Targets"} failure={rack.failure} retry={rack.retry} />;
  if ("refused" in outcome)
    return (
      <Pane label={target.title}>
        <header>
          <h3>{target.title}</h3>
        </header>
        <ul>
          {outcome.refused.map((diagnostic) => (
            <li key={`${diagnostic.path} ${diagnostic.reason}`}>
              {diagnostic.path && <code>{diagnostic.path}</code>} {diagnosticText(diagnostic)}
            </li>
          ))}
        </ul>
      </Pane>
    );
  return <Written target={target} written={outcome} targets={rack.targets} onChoose={onChoose} />;
}

interface WrittenProps {
  readonly target: RackTarget;
  readonly written: RackExport;
  readonly targets: Rack["targets"];
  readonly onChoose: ExportPaneProps["onChoose"];
}

function Written({ target, written, targets, onChoose }: WrittenProps) {
  const { about, fields, remarks, files, commands } = written;
  const [name, setName] = useState(files[0]?.name ?? "");
  const file = files.find((one) => one.name === name);
  const [single, ...others] = commands;
  const inFoot = others.length === 0 && single && !single.text.includes("\n") ? single : null;
  return (
    <Tabs value={name} onChange={setName}>
      <Pane label={target.title}>
        <header>
          <h3>{target.title}</h3>
          <p className="note">{about}</p>
          <p className="note rack-version">{target.version}</p>
        </header>
        {remarks.length > 0 && (
          <ul className="rack-remarks">
            {remarks.map((remark) => (
              <li key={remark}>
                <Icon name="warning" /> {remark}
              </li>
            ))}
          </ul>
        )}
        <MappedFields fields={fields} targets={targets} onChoose={onChoose} />
        {file && files.length === 1 && <FileText file={file} />}
        {file && files.length > 1 && (
          <>
            <TabList label="Files" tabs={files.map((one) => one.name)} />
            <TabPanel key={name} value={name}>
              <FileText file={file} />
            </TabPanel>
          </>
        )}
        {!inFoot && commands.length > 0 && (
          <section className="rack-commands" aria-label="What to type">
            <h4>What to type</h4>
            {commands.map(({ on, text }) => (
              <div key={`${on} ${text}`}>
                <p className="note">{on}</p>
                <pre>{text}</pre>
                <CopyButton text={text}>Copy</CopyButton>
              </div>
            ))}
          </section>
        )}
      </Pane>
      <footer className="rack-foot">
        {inFoot && (
          <p className="note">
            {inFoot.on}: <code>{inFoot.text}</code>
          </p>
        )}
        <span className="spring" />
        <span className="note">Nothing was sent.</span>
        {file && <CopyButton text={file.text}>Copy</CopyButton>}
        {files.length > 1 && <SaveAll target={target} files={files} />}
        {file && (
          <Button look="primary" icon="download" onClick={() => saveFile(file.text, file.name, "text/plain")}>
            Save {file.name}
          </Button>
        )}
      </footer>
    </Tabs>
  );
}

/** Hands all files over as one. */
function SaveAll({ target, files }: { readonly target: RackTarget; readonly files: readonly RackFile[] }) {
  const scenario = useScenario();
  const save = () => {
    const archive = new Archive();
    for (const { name, text } of files) archive.add(name, text);
    saveBytes(archive.blob(), `${fileStem(scenario)}-${target.id}.zip`, "application/zip");
  };
  return (
    <Button icon="download" onClick={save}>
      Save all {files.length}
    </Button>
  );
}
