import { createStore } from "zustand/vanilla";
import type { FigureRow } from "../../../generated/answers.d.ts";
import type { Scenario } from "../../../scenario/types.ts";
import type { Campaigns } from "../campaignProtocol.ts";
import { CampaignRunner, type RunnerSetup } from "../campaignRunner.ts";
import { coresHere, workersOf } from "../runPool.ts";

/** A figure that is run again. */
export interface FigureRun {
  readonly phase: "waiting" | "running" | "done" | "cancelled" | "failed";
  /** As far as the seeds reach; empty before two of a run have ended. */
  readonly rows: readonly (FigureRow | null)[];
  readonly wanted: number;
  readonly finished: number;
  readonly digest: string | null;
  /** Why it failed. */
  readonly sentence: string;
}

export interface FigureRunsState {
  readonly figures: Readonly<Record<string, FigureRun>>;
  /** Figures that are run together, in their order; empty if none is run. */
  readonly asked: readonly string[];
  readonly isPaused: boolean;
  /** Share of the work of all of them that is done. */
  readonly part: number;
  /** Time that they will take from now on; null if not known. */
  readonly leftMs: number | null;
  /** Events in a second on this machine; null before it was measured. */
  readonly eventsPerSecond: number | null;
}

/** A figure that is to be run: its file as text, and the events of all its runs when they were made last. */
export interface FigureRequest {
  readonly id: string;
  readonly json: string;
  readonly events: number;
}

interface OneFigure {
  readonly rows: readonly (FigureRow | null)[];
}

/** The campaign of one figure. */
class FigureCampaign extends CampaignRunner<"figure", OneFigure> {
  /** Events of all its runs. */
  private events = 0;

  constructor(setup: RunnerSetup) {
    super("figure", { rows: [] }, {}, { side: workersOf(coresHere()), ...setup });
  }

  async open({ json, events }: FigureRequest, scenarioNamed: (name: string) => object): Promise<void> {
    this.events = events;
    const names = await this.api.figureScenarios(json);
    const scenarios = Object.fromEntries(names.map((name) => [name, scenarioNamed(name)]));
    await this.openWith(() => [json, JSON.stringify(scenarios)]);
  }

  protected override ofChanged({ rows }: Campaigns["figure"]["changed"]): OneFigure {
    return { rows };
  }

  protected override eventsOfRun(): number | null {
    const { wanted } = this.state.runs;
    return wanted > 0 ? this.events / wanted : null;
  }
}

const WAITING: FigureRun = { phase: "waiting", rows: [], wanted: 0, finished: 0, digest: null, sentence: "" };
const IDLE = { asked: [], isPaused: false, part: 0, leftMs: null } as const;

/** In the session of the tab: the figures that are being run. */
const STORED = "qoscope-figures";

/** Runs figures again, one after the other. If the page is loaded again while they run, `resumeStored` continues with them. */
export class FigureRuns {
  readonly store = createStore<FigureRunsState>()(() => ({ ...IDLE, figures: {}, eventsPerSecond: null }));
  private readonly campaign: FigureCampaign;
  /** Ends the figures in progress. */
  private stop = new AbortController();

  constructor(
    private readonly scenarioNamed: (name: string) => object,
    setup: RunnerSetup = {},
    private readonly stored: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null = null,
  ) {
    this.campaign = new FigureCampaign(setup);
    this.campaign.store.subscribe(({ eventsPerSecond, phase }) =>
      this.store.setState({ eventsPerSecond, isPaused: phase === "paused" }),
    );
  }

  /** Time that so many events take on this machine; null if not known. */
  estimateMs(events: number): number | null {
    const { eventsPerSecond } = this.store.getState();
    return eventsPerSecond === null ? null : (1000 * events) / eventsPerSecond;
  }

  /** Measures this machine by the beginning of a run, unless runs have done so before. */
  calibrate(scenario: Scenario): void {
    const { asked, eventsPerSecond } = this.store.getState();
    if (eventsPerSecond === null && asked.length === 0) this.campaign.measure(scenario);
  }

  /** Runs figures, in place of those in progress. Results of others stay. */
  start(requests: readonly FigureRequest[]): void {
    this.cancel();
    this.stop = new AbortController();
    const asked = requests.map(({ id }) => id);
    this.store.setState(({ figures }) => ({
      asked,
      leftMs: this.estimateMs(eventsOf(requests)),
      figures: { ...figures, ...Object.fromEntries(asked.map((id) => [id, WAITING])) },
    }));
    this.stored?.setItem(STORED, JSON.stringify(asked));
    void this.runAll(requests, this.stop.signal);
  }

  /** Continues with the figures that were being run when the page was left. */
  resumeStored(requestOf: (id: string) => FigureRequest | undefined): void {
    const ids = JSON.parse(this.stored?.getItem(STORED) ?? "[]") as readonly string[];
    const requests = ids.flatMap((id) => requestOf(id) ?? []);
    if (requests.length > 0) this.start(requests);
  }

  pause(): void {
    this.campaign.pause();
  }

  resume(): void {
    this.campaign.start();
  }

  /** Ends figures in progress and keeps results. */
  cancel(): void {
    this.stop.abort();
    this.campaign.close();
    this.store.setState(({ figures }) => ({
      ...IDLE,
      figures: Object.fromEntries(
        Object.entries(figures).map(([id, run]) => [
          id,
          run.phase === "waiting" || run.phase === "running" ? { ...run, phase: "cancelled" } : run,
        ]),
      ),
    }));
    this.stored?.removeItem(STORED);
  }

  private async runAll(requests: readonly FigureRequest[], stopped: AbortSignal): Promise<void> {
    const all = eventsOf(requests);
    for (const [place, request] of requests.entries()) {
      const later = eventsOf(requests.slice(place + 1));
      const stop = this.campaign.store.subscribe(({ part, rows, runs, secondsLeft }) => {
        if (stopped.aborted) return;
        this.set(request.id, { rows, wanted: runs.wanted, finished: runs.known });
        const left = secondsLeft === null ? null : 1000 * secondsLeft;
        const after = this.estimateMs(later);
        this.store.setState({
          part: all > 0 ? (all - later - (1 - part) * request.events) / all : 0,
          leftMs: left === null || after === null ? null : left + after,
        });
      });
      await this.runOne(request, stopped);
      stop();
      if (stopped.aborted) return;
    }
    this.store.setState(IDLE);
    this.stored?.removeItem(STORED);
  }

  private async runOne(request: FigureRequest, stopped: AbortSignal): Promise<void> {
    const { id } = request;
    this.set(id, { phase: "running" });
    try {
      await this.campaign.open(request, this.scenarioNamed);
      if (stopped.aborted) return;
      this.campaign.start();
      const { phase, answer, diagnostics, sentence } = await this.campaign.settled();
      if (stopped.aborted) return;
      if (phase === "done" && answer) this.set(id, { phase, rows: answer.rows, digest: answer.digest });
      else this.set(id, { phase: "failed", sentence: sentence || `${diagnostics[0]?.reason}.` });
    } catch (error) {
      if (!stopped.aborted) this.set(id, { phase: "failed", sentence: (error as Error).message });
    }
  }

  private set(id: string, part: Partial<FigureRun>): void {
    this.store.setState(({ figures }) => ({
      figures: { ...figures, [id]: { ...(figures[id] ?? WAITING), ...part } },
    }));
  }
}

const eventsOf = (requests: readonly FigureRequest[]): number =>
  requests.reduce((sum, { events }) => sum + events, 0);
