import { type FormEvent, type RefObject, useState } from "react";
import { useStore } from "zustand";
import { fixed } from "../../charts/drawing/format.ts";
import { useRun, useScenario, useSession } from "../../panels/context.tsx";
import { LINK_LIMIT } from "../../scenario/codec.ts";
import { NAME_LIMIT } from "../../scenario/saved.ts";
import { valueAt } from "../../scenario/schema.ts";
import type { Scenario } from "../../scenario/types.ts";
import { tracesOf } from "../../scenario/workloads.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import Popover from "../../ui/Popover.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { action } from "../../workbench/actions.ts";
import { pageStore } from "../../workbench/pageStore.ts";
import { QR_LIMIT, QrCode } from "../../workbench/QrCode.tsx";
import { save } from "../../workbench/save.ts";
import { savedStore, saveHere } from "../../workbench/scenarios/savedRuns.ts";
import { fragmentFor, readShort, toldOf } from "../../workbench/view/shortLinks.ts";
import { useCurrentView, useViews } from "../../workbench/view/viewContext.tsx";
import { CopyButton } from "./CopyButton.tsx";
import { frameHtml } from "./frameHtml.ts";
import "../../workbench/linkForm.css";
import "./SharePopover.css";

const PAGE = `${location.origin}${location.pathname}`;

export interface SharePopoverProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
}

/** The link to this view, how long it is, the files of its run, and what shows it in another page. */
export default function SharePopover(props: SharePopoverProps) {
  const { title } = useShared();
  return (
    <Popover {...props} label={title} placement="below-end" className="share">
      <Share onClose={props.onClose} />
    </Popover>
  );
}

/** What is shared: the run of the page, or a view that shows none. */
function useShared() {
  const { title, isWithoutRun = false, isOfScenario = !isWithoutRun } = useCurrentView();
  return { view: title, isRun: isOfScenario, title: isOfScenario ? "Share this run" : `Share ${title}` };
}

function Share({ onClose }: { readonly onClose: () => void }) {
  const scenario = useScenario();
  const first = useStore(pageStore, (page) => page.share);
  const views = useViews();
  const { view, isRun, title } = useShared();
  const fragment = useStore(views.store, () => fragmentFor(scenario, toldOf(views)));
  const link = `${PAGE}${fragment}`;
  const fits = link.length <= LINK_LIMIT;
  return (
    <>
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <div className="share-link">
        <TextField
          readOnly
          value={link}
          aria-label="Link"
          data-autofocus={first === "link" || undefined}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton look="primary" text={link}>
          Copy link
        </CopyButton>
      </div>
      <div className="share-length" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (link.length / LINK_LIMIT) * 80)}%` }} />
      </div>
      <p className="note">
        <b>{fixed(link.length, 0)} characters</b>{" "}
        {fits
          ? `fits chat and course pages (limit ${LINK_LIMIT})`
          : `is over the ${LINK_LIMIT} that chat and course pages take: send the file`}
      </p>
      <Code link={link} />
      <p className="note" aria-live="polite">
        {isRun
          ? contentOf(scenario)
          : `Opens ${view}. ${readShort(views.all, fragment) ? "No run is in it." : RUN_TOO}`}
      </p>
      {isRun && (
        <>
          <div className="button-row">
            <Button icon="download" onClick={() => save(scenario)}>
              File
            </Button>
            <span className="note">Nothing is uploaded.</span>
          </div>
          <RunFiles />
          <OtherTools />
          <SaveHere name={scenario.name} />
        </>
      )}
      <Frame name={isRun ? scenario.name : view} fragment={fragment} isRun={isRun} />
    </>
  );
}

const RUN_TOO = "The run that Explore shows is in it, too.";

/** What the link to a run contains. */
function contentOf(scenario: Scenario): string {
  const changes = scenario.timeline?.length ?? 0;
  const seed = `Seed ${valueAt(scenario, "seed")}`;
  const included =
    changes === 0
      ? `${seed} is`
      : `${seed} and ${changes === 1 ? "1 live change" : `${changes} live changes`} are`;
  const traces = tracesOf(scenario);
  return traces.length === 0
    ? `${included} in it: the same result, bit for bit.`
    : `${included} in it, ${traces.join(", ")} ${traces.length === 1 ? "is" : "are"} not: send the trace along.`;
}

/** The link for a camera. */
function Code({ link }: { readonly link: string }) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <div className="button-row">
        <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
          QR code
        </Button>
      </div>
      {shown &&
        (link.length <= QR_LIMIT ? (
          <QrCode text={link} label="QR code of the link" />
        ) : (
          <p className="note">
            The link is too long for a QR code, which holds {fixed(QR_LIMIT, 0)} characters.
          </p>
        ))}
    </>
  );
}

/** What the run has produced so far, for other programs. */
function RunFiles() {
  const session = useSession();
  const views = useViews();
  useRun((run) => run.phase);
  return (
    <section className="share-part" aria-labelledby="share-run-title">
      <h3 id="share-run-title">Results so far</h3>
      <div className="button-row">
        {["exportCsv", "exportParquet", "exportJson"].map(action).map(({ id, name, hindrance, perform }) => {
          const reason = hindrance?.(session, views) ?? null;
          return (
            <Button
              key={id}
              icon="download"
              aria-label={name}
              aria-disabled={reason !== null}
              title={reason ?? undefined}
              onClick={() => reason === null && perform(session, views)}
            >
              {name.replace("Run as ", "")}
            </Button>
          );
        })}
      </div>
      <p className="note">CSV and Parquet have every sample, JSON what the engine sums up of the run.</p>
    </section>
  );
}

/** The settings, for the tools that take them. */
function OtherTools() {
  const session = useSession();
  const views = useViews();
  const { name, perform } = action("rack");
  return (
    <section className="share-part" aria-labelledby="share-rack-title">
      <h3 id="share-rack-title">Settings for other tools</h3>
      <div className="button-row">
        <Button icon="storage" aria-haspopup="dialog" onClick={() => perform(session, views)}>
          {name}
        </Button>
      </div>
      <p className="note">fio jobs, switches, hosts, NVMe, other simulators; and a report to hand on.</p>
    </section>
  );
}

/** Keeps the run in this browser under a name. */
function SaveHere({ name }: { readonly name: string }) {
  const session = useSession();
  const views = useViews();
  const first = useStore(pageStore, (page) => page.share);
  const fault = useStore(savedStore, (saved) => saved.fault);
  const [text, setText] = useState(name);
  const [saved, setSaved] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSaved(await saveHere(session, views, text));
  };
  return (
    <section className="share-part" aria-labelledby="share-save-title">
      <h3 id="share-save-title">Save in this browser</h3>
      <form className="share-link" onSubmit={save}>
        <TextField
          value={text}
          aria-label="Name"
          data-autofocus={first === "save" || undefined}
          maxLength={NAME_LIMIT}
          onChange={(event) => {
            setText(event.target.value);
            setSaved(false);
          }}
        />
        <Button type="submit">Save</Button>
      </form>
      <p className="note" role="status">
        {fault ?? (saved ? "Saved. It is in the menu of scenarios, under “Saved here”." : "")}
      </p>
    </section>
  );
}

interface FrameProps {
  readonly name: string;
  readonly fragment: string;
  readonly isRun: boolean;
}

/** What shows this view in another page, to be copied into that. */
function Frame({ name, fragment, isRun }: FrameProps) {
  const html = frameHtml(`${PAGE}?embed${fragment}`, name);
  return (
    <section className="share-part" aria-labelledby="share-embed-title">
      <h3 id="share-embed-title">Embed</h3>
      <div className="share-link">
        <TextField
          readOnly
          value={html}
          aria-label="Frame for another page"
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={html}>Copy frame</CopyButton>
      </div>
      <p className="note">
        {isRun ? (
          <>
            Shows this run in a page of your own. Add <code>&amp;lock</code> or{" "}
            <code>&amp;hide=settings</code> after <code>?embed</code> to lock or leave out the settings.
          </>
        ) : (
          `Shows ${name} in a page of your own.`
        )}
      </p>
    </section>
  );
}
