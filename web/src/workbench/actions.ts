import type { Speed } from "../engine/run/protocol.ts";
import type { Session } from "../engine/run/session.ts";
import { neighbour } from "../engine/run/speed.ts";
import { isNotable, writeNote } from "../panels/noting.ts";
import { touchedStore } from "../panels/touched.ts";
import { locks } from "../scenario/lock.ts";
import { fetchFor } from "../ui/fetching.ts";
import { fetchedWhenIdle } from "../ui/onDemand.tsx";
import { toggleTheme } from "../ui/theme.ts";
import { chooseFile } from "./files/openFile.ts";
import { toggleFollowing } from "./following.ts";
import { pageStore } from "./pageStore.ts";
import { save } from "./save.ts";
import { compareView } from "./state/compareView.ts";
import { exploreView } from "./state/exploreView.ts";
import { storageView } from "./state/storageView.ts";
import { stepUs } from "./stepUnits.ts";
import type { Views } from "./view/views.ts";

/** Everything a key or a button may do. Buttons, the keyboard and the sheet of shortcuts all read this list. */
export interface Action {
  readonly id: string;
  readonly name: string;
  /** In the notation of tinykeys; any of them. */
  readonly keys: readonly string[];
  /** As it is written on the sheet and in tooltips. */
  readonly shown: string;
  /** Works also while a field has the focus. */
  readonly everywhere?: boolean;
  /** Opens something of the bar at the top, which a page inside another does not have. */
  readonly bar?: boolean;
  /** Its key needs a view that shows the scenario of the page. */
  readonly ofScenario?: boolean;
  /** Acts on the run that is shown, whichever that is; all others are about the run of the page. */
  readonly anyRun?: boolean;
  /** Why it cannot act now; null where it can. */
  hindrance?(session: Session, views: Views): string | null;
  perform(session: Session, views: Views): void;
}

const mac = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform);
const ctrl = mac ? "⌘" : "Ctrl+";

const jump = fetchedWhenIdle(() => import("./jump.ts"));
const THRESHOLD = { path: "switch.ecnThresholdPackets", panel: "switch" };
const varying = fetchedWhenIdle(() => import("./study/varyThis.ts"));
const exporting = fetchedWhenIdle(() => import("./exportRun.ts"));
const exportingParquet = async () => {
  const [files] = await Promise.all([exporting(), import("../charts/frame/parquet.ts")]);
  return files;
};
const LAID_OUT = "the run is being laid out";

export const ACTIONS: readonly Action[] = [
  {
    id: "toggle",
    anyRun: true,
    name: "Play or pause",
    keys: ["Space"],
    shown: "Space",
    hindrance: ({ run }) => (run.getState().phase === "loading" ? LAID_OUT : null),
    perform: (session) => session.toggle(),
  },
  {
    id: "stepBack",
    anyRun: true,
    name: "Step back",
    keys: [","],
    shown: ",",
    hindrance: ({ run }) => (run.getState().nowUs > 0 ? null : "the run stands at its start"),
    perform: (session) => step(session, session.stepBack, session.stepEventBack),
  },
  {
    id: "step",
    anyRun: true,
    name: "Step",
    keys: ["."],
    shown: ".",
    hindrance: ({ run }) => (run.getState().phase === "ended" ? "the run has come to its end" : null),
    perform: (session) => step(session, session.step, session.stepEvent),
  },
  {
    id: "restart",
    anyRun: true,
    name: "Rerun from the start",
    keys: ["r"],
    shown: "R",
    perform: (session) => session.restart(),
  },
  {
    id: "slower",
    anyRun: true,
    name: "Slower",
    keys: ["["],
    shown: "[",
    hindrance: (session) => (speedBeside(session, -1) === null ? "this is the lowest speed" : null),
    perform: (session) => shiftSpeed(session, -1),
  },
  {
    id: "faster",
    anyRun: true,
    name: "Faster",
    keys: ["]"],
    shown: "]",
    hindrance: (session) => (speedBeside(session, 1) === null ? "this is the highest speed" : null),
    perform: (session) => shiftSpeed(session, 1),
  },
  {
    id: "undo",
    anyRun: true,
    name: "Undo",
    keys: ["$mod+z"],
    shown: `${ctrl}Z`,
    everywhere: true,
    hindrance: ({ store }) => (store.getState().history.past.length > 0 ? null : "nothing was changed"),
    perform: (session) => session.undo(),
  },
  {
    id: "redo",
    anyRun: true,
    name: "Redo",
    keys: ["$mod+Shift+z"],
    shown: `${mac ? "⇧⌘" : "Shift+Ctrl+"}Z`,
    everywhere: true,
    hindrance: ({ store }) => (store.getState().history.future.length > 0 ? null : "nothing was undone"),
    perform: (session) => session.redo(),
  },
  {
    id: "palette",
    name: "Find anything",
    keys: ["$mod+k"],
    shown: `${ctrl}K`,
    everywhere: true,
    bar: true,
    perform: () => pageStore.setState(({ palette }) => ({ palette: !palette })),
  },
  {
    id: "scenarios",
    name: "Find a scenario",
    keys: ["/"],
    shown: "/",
    bar: true,
    perform: () => pageStore.setState({ scenarios: true }),
  },
  {
    id: "openFile",
    name: "Open a scenario, lesson or trace file",
    keys: [],
    shown: "",
    bar: true,
    perform: chooseFile,
  },
  {
    id: "share",
    name: "Share this run",
    keys: [],
    shown: "",
    bar: true,
    perform: () => pageStore.setState({ share: "link" }),
  },
  {
    id: "saveHere",
    name: "Save this run in the browser",
    keys: [],
    shown: "",
    bar: true,
    perform: () => pageStore.setState({ share: "save" }),
  },
  {
    id: "saveFile",
    name: "Scenario as a file",
    keys: [],
    shown: "",
    perform: ({ scenario }) => save(scenario),
  },
  {
    id: "exportCsv",
    name: "Run as CSV",
    keys: [],
    shown: "",
    hindrance: withoutRun,
    perform: (session) => fetchFor(exporting, ({ exportCsv }) => exportCsv(session)),
  },
  {
    id: "exportParquet",
    name: "Run as Parquet",
    keys: [],
    shown: "",
    hindrance: withoutRun,
    perform: (session) => fetchFor(exportingParquet, ({ exportParquet }) => exportParquet(session)),
  },
  {
    id: "exportJson",
    name: "Run as JSON",
    keys: [],
    shown: "",
    hindrance: withoutRun,
    perform: (session) => fetchFor(exporting, ({ exportJson }) => exportJson(session)),
  },
  {
    id: "rack",
    name: "Take it to the rack",
    keys: [],
    shown: "",
    bar: true,
    perform: () => pageStore.setState({ share: null, rack: true }),
  },
  {
    id: "print",
    name: "Print this run as a report",
    // The key is the browser's own.
    keys: [],
    shown: `${ctrl}P`,
    perform: () => print(),
  },
  {
    id: "theme",
    name: "Dark or light theme",
    keys: [],
    shown: "",
    perform: toggleTheme,
  },
  {
    id: "pin",
    name: "Pin this run as baseline",
    keys: ["b"],
    shown: "B",
    bar: true,
    ofScenario: true,
    perform: pinBaseline,
  },
  {
    id: "focusThreshold",
    name: "Go to the ECN threshold K",
    keys: ["k"],
    shown: "K",
    perform: (_, views) => fetchFor(jump, ({ jumpTo }) => jumpTo(THRESHOLD, views)),
  },
  {
    id: "vary",
    name: "Vary the setting touched last",
    keys: ["v"],
    shown: "V",
    bar: true,
    ofScenario: true,
    perform: (session, views) =>
      fetchFor(varying, ({ varyThis }) => varyThis(touchedStore.getState().path, "alone", session, views)),
  },
  {
    id: "follow",
    name: "Follow one request",
    keys: ["f"],
    shown: "F",
    hindrance: withoutRun,
    perform: toggleFollowing,
  },
  {
    id: "fit",
    name: "Fit a drive to measurements of fio",
    keys: [],
    shown: "",
    perform: (_, views) => {
      views.show(storageView);
      views.change(storageView, { fit: true });
    },
  },
  {
    id: "fabricTables",
    name: "Fabric as picture or tables",
    keys: ["g"],
    shown: "G",
    perform: (_, views) => views.change(exploreView, { tables: !views.stateOf(exploreView).tables }),
  },
  {
    id: "edit",
    name: "Draw the network",
    keys: ["e"],
    shown: "E",
    hindrance: ({ locked }) =>
      locked
        ? "locked by the page that shows this"
        : matchMedia("(width >= 600px)").matches
          ? null
          : "drawing needs a wider window",
    perform: (_, views) => {
      const edit = !views.stateOf(exploreView).edit;
      pageStore.setState({ focusesDrawing: edit });
      views.show(exploreView);
      views.change(exploreView, { edit });
    },
  },
  {
    id: "note",
    name: "Note something at this instant",
    keys: ["n"],
    shown: "N",
    hindrance: (session) => (isNotable(session) ? null : "locked by the page that shows this"),
    perform: (session, views) => {
      views.show(exploreView);
      views.change(exploreView, { edit: false });
      writeNote(session);
    },
  },
  {
    id: "story",
    name: "Edit the story of the scenario",
    keys: [],
    shown: "",
    hindrance: ({ lock }) =>
      lock !== null && locks(lock, "story") ? "locked by the page that shows this" : null,
    perform: (_, views) => {
      views.show(exploreView);
      views.change(exploreView, { edit: false });
      pageStore.setState({ story: true });
    },
  },
  {
    id: "tour",
    name: "Show me around",
    keys: ["Shift+H"],
    shown: "Shift+H",
    perform: (_, views) => {
      views.show(exploreView);
      views.change(exploreView, { edit: false });
      pageStore.setState({ tour: 0 });
    },
  },
  {
    id: "shortcuts",
    name: "This sheet",
    keys: ["?", "Shift+?"],
    shown: "?",
    perform: () => pageStore.setState(({ shortcuts }) => ({ shortcuts: !shortcuts })),
  },
];

export function action(id: string): Action {
  const found = ACTIONS.find((item) => item.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
}

/** Keys that the charts and the picture of the network handle while one of them has the focus; listed on the sheet. */
export const CHART_KEYS: readonly { readonly shown: string; readonly name: string }[] = [
  { shown: "← →", name: "One sample back or on; with Shift ten" },
  { shown: "Home End", name: "First or last sample" },
  { shown: "+ −", name: "Zoom in or out; so does the wheel with Ctrl" },
  { shown: "0", name: "Whole run, or whole network" },
  { shown: "PgUp PgDn", name: "Back or on, while zoomed" },
  { shown: "↑ ↓ ← →", name: "Another part of the network, while zoomed" },
  { shown: "T", name: "Chart as table" },
  { shown: "Esc", name: "Leave" },
];

/** There is nothing of a run to hand over. */
function withoutRun({ run }: Session): string | null {
  const { phase } = run.getState();
  return phase === "loading" ? LAID_OUT : phase === "stopped" ? "the engine has stopped" : null;
}

/** Makes a step of the length that is chosen. */
function step({ run }: Session, go: (us: number) => void, goByEvent: () => void): void {
  const { view } = run.getState();
  const { step } = pageStore.getState();
  if (step === "event") goByEvent();
  else if (view) go(stepUs(step, view.layout));
}

/** Keeps the scenario with its recorded changes as what later ones are compared with. */
function pinBaseline(session: Session, views: Views): void {
  views.change(compareView, { baselines: [session.scenario] });
  pageStore.setState({ pinned: views.store.getState().current });
}

/** The next speed in a direction; null at the end of them. */
function speedBeside({ run }: Session, direction: 1 | -1): Speed | null {
  const { speed } = run.getState();
  const next = neighbour(speed, direction);
  return next === speed ? null : next;
}

function shiftSpeed(session: Session, direction: 1 | -1): void {
  const speed = speedBeside(session, direction);
  if (speed !== null) session.setSpeed(speed);
}
