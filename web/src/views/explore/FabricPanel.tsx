import { Suspense, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { ExportStamp, FabricKind, FollowedPackets } from "../../charts/types.ts";
import { useEffectiveScenario, useRun, useSession } from "../../panels/context.tsx";
import { chooseNote, noteMarks, noting } from "../../panels/noting.ts";
import { type Journey, spotsAt, workAt } from "../../run/journey.ts";
import { deadlockCycle, pausedLinks } from "../../run/links.ts";
import type { RunView } from "../../run/types.ts";
import { markingThreshold } from "../../scenario/marking.ts";
import { valueAt } from "../../scenario/schema.ts";
import type { Scenario, Shape } from "../../scenario/types.ts";
import { counted } from "../../topology/cables.ts";
import { FabricView, fromNumbers, STRIPES, toNumbers } from "../../topology/index.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Term } from "../../ui/Explained.tsx";
import { type Frame, prefersReducedMotion, useMedia } from "../../ui/media.ts";
import { part } from "../../ui/part.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { action } from "../../workbench/actions.ts";
import { PACKET_SPEED, shapeText } from "../../workbench/fabric.ts";
import { following } from "../../workbench/following.ts";
import { FABRIC_HEADER } from "../../workbench/layout.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { storageView } from "../../workbench/state/storageView.ts";
import { useViewState, useViews } from "../../workbench/view/viewContext.tsx";
import { useIsEditing, WatchOrEdit } from "./network/WatchOrEdit.tsx";
import "./FabricPanel.css";

/** Editing comes when it is first asked for. */
const NetworkEditor = part(() => import("./network/NetworkEditor.tsx"));

interface FabricPanelProps {
  readonly frame: Frame;
  /** Header included; on a phone, where a legend may stand above the picture, of the picture. */
  readonly height: number;
  readonly stamp: ExportStamp;
}

/** The network with its loads and queues, as picture or tables. */
export function FabricPanel({ frame, height, stamp }: FabricPanelProps) {
  const view = useRun((run) => run.view);
  const speed = useRun((run) => run.speed);
  const shown = useEffectiveScenario();
  const [{ tables, links: colouring, zoom }, change] = useViewState(exploreView);
  const views = useViews();
  const { journey, us } = useStore(following);
  const followed = useMemo(() => journey && followedPackets(journey, us), [journey, us]);
  const session = useSession();
  const notes = useMemo(() => noteMarks(shown), [shown]);
  const chosenNote = useStore(noting, ({ chosen }) => chosen);
  const isEditing = useIsEditing(frame);
  const places = useMemo(() => placesOf(shown.topology.shape), [shown.topology.shape]);
  const [full, setFull] = useState(false);
  const box = useRef<HTMLElement>(null);
  const { shape } = shown.topology;
  const pauses = valueAt(shown, "switch.buffering") === "pfc";
  const phone = frame === "phone";
  const header = FABRIC_HEADER[useMedia("(pointer: coarse)") ? "coarse" : "fine"];
  const picture = (full ? innerHeight : height) - (phone ? 0 : header);
  const toggleFull = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void box.current?.requestFullscreen();
  };
  const watch = (element: HTMLElement | null) => {
    box.current = element;
    if (!element) return;
    const changed = () => setFull(document.fullscreenElement === element);
    element.addEventListener("fullscreenchange", changed);
    return () => element.removeEventListener("fullscreenchange", changed);
  };
  return (
    <section
      ref={watch}
      className="fabric"
      aria-labelledby="fabric-title"
      style={{ height: full || phone ? undefined : height }}
    >
      {phone ? (
        <h2 id="fabric-title" className="visually-hidden">
          Fabric {shapeText(shape)}
        </h2>
      ) : (
        <header>
          <h2 id="fabric-title">
            Fabric{" "}
            <span className="note">{isEditing && view ? countText(view, shown) : shapeText(shape)}</span>
          </h2>
          {frame !== "tablet" && !isEditing && (
            <span className="note">
              {colouring === "utilisation"
                ? "width and darkness: utilisation"
                : "width: share of the link by class"}
            </span>
          )}
          {pauses && view && <PauseLegend run={view} brief={frame === "tablet"} />}
          <Segmented
            label="What links show"
            value={colouring}
            options={[
              { value: "utilisation", title: "Utilisation" },
              { value: "classes", title: "Classes" },
            ]}
            onChange={(links) => change({ links })}
          />
          {!session.locked && <WatchOrEdit />}
          <IconButton
            icon="list"
            label={isEditing ? "Fabric as text below" : tables ? "Fabric as picture" : "Fabric as tables"}
            shortcut={action("fabricTables").shown}
            aria-pressed={tables}
            onClick={() => change({ tables: !tables })}
          />
          {document.fullscreenEnabled && (
            <IconButton
              icon={full ? "shrink" : "expand"}
              label={full ? "Leave full screen" : "Full screen"}
              onClick={toggleFull}
            />
          )}
        </header>
      )}
      {pauses && view && phone && <PauseLegend run={view} brief />}
      {view && (
        <FabricView
          run={view}
          kind={shape.kind satisfies FabricKind}
          height={picture}
          thresholdPackets={markingThreshold(shown)}
          packets={speed <= PACKET_SPEED && !phone && !isEditing}
          reducedMotion={prefersReducedMotion()}
          pauses={pauses}
          followed={followed}
          notes={notes}
          chosenNote={chosenNote}
          onChooseNote={(number) => chooseNote(session, number)}
          failed={shown.topology.failedLinks ?? []}
          colouring={colouring}
          showTables={tables && !isEditing}
          onToggleTables={() => change({ tables: !tables })}
          isSelectable={(node) => deviceOf(view, node) >= 0}
          onSelectNode={(node) => {
            const device = deviceOf(view, node);
            if (device < 0) return;
            views.change(storageView, { device: device === 0 ? null : device });
            views.show(storageView);
          }}
          magnified={fromNumbers(zoom)}
          onMagnify={(next) => change({ zoom: toNumbers(next) })}
          stamp={stamp}
          places={places}
          editor={
            isEditing
              ? (drawing) => (
                  <Suspense>
                    <NetworkEditor drawing={drawing} />
                  </Suspense>
                )
              : undefined
          }
        />
      )}
    </section>
  );
}

/** Where somebody put the nodes of a network, by their names; null where nobody did, or not all of them. */
function placesOf(shape: Shape) {
  if (shape.kind !== "custom") return null;
  const all = shape.nodes.flatMap(({ name, position }) => (position ? [[name, position] as const] : []));
  return all.length === shape.nodes.length ? new Map(all) : null;
}

/** What of a request that is followed is seen in the network at an instant. */
function followedPackets(journey: Journey, us: number): FollowedPackets {
  const text = workAt(journey, us);
  return {
    classIndex: journey.class,
    spots: spotsAt(journey, us),
    work: text === null ? null : { node: journey.to, text },
  };
}

/** The first device of a host; -1 where it has none. */
const deviceOf = ({ layout }: RunView, node: number): number =>
  layout.devices.findIndex((device) => device.node === node);

/** How a link looks whose sender is held by a pause frame, and how many do; of them, how many are deadlocked. */
function PauseLegend({ run, brief }: { readonly run: RunView; readonly brief: boolean }) {
  useRun((state) => state.tick);
  const count = pausedLinks(run).length;
  const stuckLinks = deadlockCycle(run).length;
  const links = (number: number) => (number === 1 ? "1 link" : `${number} links`);
  const text = brief ? `${count} paused` : `${links(count)} paused`;
  const stuck = brief ? `${stuckLinks} deadlocked` : `${links(stuckLinks)} deadlocked`;
  return (
    <span className={`note pause-legend${stuckLinks > 0 ? " is-deadlock" : ""}`}>
      <svg width="28" height="10" viewBox="0 0 28 10" aria-hidden="true">
        <path d="M9 5h19" stroke="currentColor" strokeWidth="8" />
        <path d="M9 5h19" stroke="var(--bg)" strokeWidth="6" />
        <path d="M9 5h19" stroke="currentColor" strokeWidth="6" strokeDasharray={STRIPES.join(" ")} />
        <path d="M0 5 8 0v10z" fill="currentColor" />
      </svg>
      <Term id="pfc">{stuckLinks > 0 ? stuck : text}</Term>
    </span>
  );
}

/** "16 hosts, 20 switches, 48 links, 1 failed". */
function countText({ layout: { graph } }: RunView, { topology: { failedLinks = [] } }: Scenario): string {
  const hosts = graph.nodes.filter(({ kind }) => kind === "host").length;
  const down = failedLinks.length > 0 ? `, ${failedLinks.length} failed` : "";
  const switches = counted(graph.nodes.length - hosts, "switch");
  return `${counted(hosts, "host")}, ${switches}, ${counted(graph.links.length / 2, "link")}${down}`;
}
