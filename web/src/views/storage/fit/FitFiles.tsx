import { useId, useRef } from "react";
import { useStore } from "zustand";
import { formatDuration } from "../../../charts/drawing/format.ts";
import {
  fitRuns,
  jobsOf,
  type MeasuredFile,
  type MeasuredLog,
} from "../../../engine/campaign/fit/fitRuns.ts";
import { Panel } from "../../../panels/Panel.tsx";
import type { Diagnostic } from "../../../scenario/types.ts";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { Icon } from "../../../ui/Icon.tsx";
import { Toggle } from "../../../ui/Toggle.tsx";
import { takeFiles } from "../../../workbench/fit/takeFiles.ts";
import { counted, depthText, type RemarkText, remarkTexts, sharedRemarks } from "./fitText.ts";

/** What was measured: the files, and what of each is used. */
export function FitFiles() {
  const { files, logs, reading, heldOut } = useStore(fitRuns.store);
  const refused = files.flatMap(({ remarks }) => remarks.filter(({ severity }) => severity !== "warning"));
  const used = jobsOf(files).length;
  const all = used + refused.length;
  const { shared, own } = sharedRemarks([...files, ...logs]);
  let first = 0;
  return (
    <Panel
      id="measurements"
      title="Measurements"
      note={
        files.length > 0
          ? `${counted(files.length, "file")}, ${refused.length > 0 ? `${used} of ${counted(all, "job")}` : counted(used, "job")}`
          : "fio JSON"
      }
    >
      <DropZone isFirst={files.length === 0 && logs.length === 0} />
      <p className="note" role="status">
        {reading > 0 ? `Reading ${counted(reading, "file")} …` : ""}
      </p>
      {files.map((file) => {
        const from = first;
        first += file.jobs.length;
        return (
          <FileOfJobs
            key={file.file}
            file={file}
            remarks={own(file.file)}
            heldOut={heldOut.slice(from, first)}
          />
        );
      })}
      {logs.map((log) => (
        <FileOfLog key={log.file} of={log} remarks={own(log.file)} />
      ))}
      <Remarks texts={shared} />
    </Panel>
  );
}

/** Where files are dropped, or chosen. */
function DropZone({ isFirst }: { readonly isFirst: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="fit-drop">
        <span>{isFirst ? "Drop files of fio, or of a drive" : "Drop more files here"}</span>
        <Button icon="open" onClick={() => input.current?.click()}>
          Choose
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files of measurements"
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            target.value = "";
            void takeFiles(files);
          }}
        />
      </div>
      {isFirst && (
        <p className="row-note">
          What <code>fio --output-format=json+</code> wrote, of jobs on the whole device with{" "}
          <code>direct=1</code>: reads, writes and mixes at several queue depths. Its logs over time (
          <code>write_lat_log</code>, <code>write_bw_log</code>) are drawn beside. Nothing leaves this
          browser.
        </p>
      )}
    </>
  );
}

interface FileOfJobsProps {
  readonly file: MeasuredFile;
  /** What is said of this file and of no other. */
  readonly remarks: readonly Diagnostic[];
  readonly heldOut: readonly boolean[];
}

/** A file, its jobs, and what keeps others from use. */
function FileOfJobs({ file, remarks, heldOut }: FileOfJobsProps) {
  const { jobs } = file;
  const seconds = [...new Set(jobs.map(({ runtimeS }) => Math.round(runtimeS)))];
  const each = seconds.length === 1 && seconds[0] ? `, ${seconds[0]} s each` : "";
  return (
    <section className="fit-file" aria-label={file.file}>
      <header>
        <b title={file.file}>{file.file}</b>
        <span className="note">{jobs.length > 0 ? `${counted(jobs.length, "job")}${each}` : "not used"}</span>
        <IconButton icon="close" label={`Leave out ${file.file}`} onClick={() => fitRuns.remove(file.file)} />
      </header>
      {jobs.length > 0 && <Access file={file} />}
      {jobs.length > 0 && (
        <ul className="fit-file-jobs">
          {jobs.map((job, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a job is its place in the file
            <li key={at}>
              <span>{job.name}</span>
              <span>
                <span className="note">QD</span>
                {depthText(job)}
              </span>
              {heldOut[at] ? <span className="fit-chip">held out</span> : <span className="note">fits</span>}
            </li>
          ))}
        </ul>
      )}
      <Remarks texts={remarkTexts(file.file, remarks)} />
    </section>
  );
}

/** Whether the jobs of a file were measured on the host of the drive: the file may say so, else somebody does. */
function Access({ file: { file, jobs } }: { readonly file: MeasuredFile }) {
  const remote = useStore(fitRuns.store, ({ choices }) => choices?.remote?.includes(file) ?? false);
  const id = useId();
  if (jobs.some(({ access }) => access)) return <p className="note">Over a network, as the file says.</p>;
  return (
    <div className="row-main fit-access">
      <label className="row-label note" htmlFor={id}>
        Measured over NVMe/TCP
      </label>
      <Toggle id={id} on={remote} onChange={(on) => fitRuns.place(file, on)} />
    </div>
  );
}

interface FileOfLogProps {
  readonly of: MeasuredLog;
  /** What is said of this log and of no other file. */
  readonly remarks: readonly Diagnostic[];
}

/** A log over time, and for how long it goes. */
function FileOfLog({ of: { file, log }, remarks }: FileOfLogProps) {
  const seconds = Math.max(log?.reads.at(-1)?.atS ?? 0, log?.writes.at(-1)?.atS ?? 0);
  return (
    <section className="fit-file" aria-label={file}>
      <header>
        <b title={file}>{file}</b>
        <span className="note">{log ? `log, ${formatDuration(seconds * 1e6, 3)}` : "not used"}</span>
        <IconButton icon="close" label={`Leave out ${file}`} onClick={() => fitRuns.removeLog(file)} />
      </header>
      <Remarks texts={remarkTexts(file, remarks)} />
    </section>
  );
}

/** What is to be known of files, or keeps them from use. */
const Remarks = ({ texts }: { readonly texts: readonly RemarkText[] }) =>
  texts.map(({ text, isWarning, places }) => (
    <p key={text} className={isWarning ? "fit-remark" : "fit-remark fit-refused"} title={places}>
      <Icon name={isWarning ? "info" : "warning"} size={13} />
      <span>{text}</span>
    </p>
  ));
