import { createStore } from "zustand/vanilla";
import type {
  Burstiness,
  CapacityNeeds,
  LadderSteps,
  LadderTerms,
  PlannedTenant,
  SuggestedContract,
  TenantOutcome,
} from "../../generated/answers.d.ts";
import type { Diagnostic, Scenario } from "../../scenario/types.ts";
import { withEngine } from "../rpc/module.ts";
import type { PlanReply, PlanRequest, Range, StandIn } from "./planProtocol.ts";

/** The classes of a tenant's requests over time. */
export type Decomposed = Extract<PlanReply, { kind: "decomposed" }>;

/** What is known of the plan of a scenario so far. */
export interface PlanState {
  /** `refused`: the scenario cannot be planned for, the diagnostics say why. */
  readonly phase: "waiting" | "ready" | "refused" | "failed";
  readonly diagnostics: readonly Diagnostic[];
  /** Why the planner is gone. */
  readonly failure: string | null;
  /** What stands in for workloads that have no arrivals of their own. */
  readonly standIns: readonly StandIn[];
  readonly tenants: readonly PlannedTenant[];
  readonly needs: CapacityNeeds | null;
  readonly decomposed: Decomposed | null;
  readonly ladder: LadderSteps | null;
  /** By tenant. */
  readonly windows: Readonly<Record<number, readonly Burstiness[]>>;
  readonly suggestions: Readonly<Record<number, SuggestedContract>>;
  readonly singles: Readonly<Record<number, number | null>>;
  /** By scheduler. */
  readonly outcomes: Readonly<Record<string, readonly TenantOutcome[]>>;
  /** Schedulers and single levels that are of a wish before the last. */
  readonly behind: ReadonlySet<string>;
  readonly progress: { readonly of: string; readonly share: number } | null;
  /** Somebody called the computing off before it was done. */
  readonly cancelled: boolean;
}

const START: PlanState = {
  phase: "waiting",
  diagnostics: [],
  failure: null,
  standIns: [],
  tenants: [],
  needs: null,
  decomposed: null,
  ladder: null,
  windows: {},
  suggestions: {},
  singles: {},
  outcomes: {},
  behind: new Set(),
  progress: null,
  cancelled: false,
};

/** What is looked at closely. */
export interface Look {
  readonly tenant: number;
  readonly range: Range;
  readonly ladder: LadderTerms | null;
}

/** The page's end of the worker that plans. It begins with the first scenario, and ends when it is released. */
export class Planner {
  readonly store = createStore<PlanState>()(() => START);
  private worker: Worker | null = null;
  private generation = 0;
  private wishes = 0;
  /** Arrival rates that were measured, of the scenario that they hold for. */
  private measured: {
    readonly of: string;
    readonly gbps: readonly number[];
    readonly isWhole: boolean;
  } | null = null;
  /** What was asked last, as text. */
  private loaded = "";
  private wished = "";
  private looked = "";

  /** What the worker has been given, by name. */
  private given = new Map<string, Uint8Array<ArrayBuffer>>();

  constructor(
    private readonly traces: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
    private readonly createWorker: () => Worker = () =>
      withEngine(
        new Worker(new URL("./planWorker.ts", import.meta.url), { type: "module", name: "qoscope planner" }),
      ),
  ) {}

  /**
   * Plans for a scenario, under these schedulers. Where it differs from the one before only in what a wish says there is
   * nothing to do; traces that have come meanwhile are handed on. With what each class carries, open loops at these rates stand in
   * for workloads that follow the answers of the server.
   */
  load(
    scenario: Scenario,
    schedulers: readonly string[],
    carriedGbps: readonly number[] | null = null,
  ): void {
    const text = JSON.stringify([withoutWish(scenario), schedulers, carriedGbps]);
    const fresh = [...this.traces].filter(([name, bytes]) => this.given.get(name) !== bytes);
    if (text === this.loaded && (fresh.length === 0 || !this.worker)) return;
    this.loaded = text;
    this.wished = "";
    this.looked = "";
    this.generation++;
    this.store.setState({ diagnostics: [], cancelled: false, progress: null });
    for (const [name, bytes] of fresh) this.send({ kind: "trace", name, bytes });
    this.given = new Map(this.traces);
    this.send({
      kind: "load",
      generation: this.generation,
      scenario: JSON.stringify(scenario),
      schedulers,
      carriedGbps,
    });
  }

  /**
   * Arrival rates for stand-ins. Those that were measured are kept while only contracts and capacity change, which restarts the run;
   * rates of a whole run replace those of a part.
   */
  arrivals(scenario: Scenario, gbps: readonly number[] | null, isWhole: boolean): readonly number[] | null {
    const of = JSON.stringify(withoutWish(scenario));
    const isKept = this.measured?.of === of && (this.measured.isWhole || !isWhole || gbps === null);
    if (!isKept) this.measured = gbps && { of, gbps, isWhole };
    return this.measured?.gbps ?? null;
  }

  /** Plans for other contracts and capacities of the scenario that was loaded. */
  wish(scenario: Scenario): void {
    const text = JSON.stringify(scenario);
    if (text === this.wished) return;
    this.wished = text;
    const { outcomes, singles } = this.store.getState();
    this.store.setState({
      behind: new Set([...Object.keys(outcomes), ...Object.keys(singles)]),
      cancelled: false,
    });
    this.send({ kind: "wish", generation: this.generation, wish: ++this.wishes, scenario: text });
  }

  look(look: Look): void {
    const text = JSON.stringify(look);
    if (text === this.looked) return;
    this.looked = text;
    this.send({ kind: "look", generation: this.generation, ...look });
  }

  cancel = (): void => {
    this.send({ kind: "cancel" });
    this.store.setState({ cancelled: true, progress: null });
  };

  /** Asks again for everything, by a new worker where the last one is gone. */
  renew = (): void => {
    this.release();
    this.store.setState(START);
  };

  release(): void {
    this.worker?.terminate();
    this.worker = null;
    this.given.clear();
    this.loaded = "";
    this.wished = "";
    this.looked = "";
  }

  private send(request: PlanRequest): void {
    this.worker ??= this.start();
    this.worker.postMessage(request);
  }

  private start(): Worker {
    const worker = this.createWorker();
    worker.onmessage = ({ data }: MessageEvent<PlanReply>) => {
      if (worker === this.worker) this.take(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.worker)
        this.take({ kind: "failed", message: event.message || "the worker could not be started" });
    };
    return worker;
  }

  private take(reply: PlanReply): void {
    if (reply.kind === "failed") {
      this.release();
      this.store.setState({ phase: "failed", failure: reply.message, progress: null });
      return;
    }
    if (reply.generation !== this.generation) return;
    if (
      "wish" in reply &&
      reply.wish !== this.wishes &&
      reply.kind !== "needs" &&
      reply.kind !== "decomposed"
    )
      return;
    if (reply.kind === "diagnostics") this.loaded = "";
    this.store.setState((state) => taken(state, reply));
  }
}

/** The scenario without what comes with every wish. */
function withoutWish({ classes, storage, ...scenario }: Scenario): unknown {
  const { constant: _, ...kept } = storage ?? {};
  return { ...scenario, storage: kept, classes: classes.map(({ contract: _, ...item }) => item) };
}

/** What is known once a reply has come. */
function taken(state: PlanState, reply: Exclude<PlanReply, { kind: "failed" }>): Partial<PlanState> {
  switch (reply.kind) {
    case "loaded": {
      return { ...START, phase: "ready", standIns: reply.standIns, tenants: reply.tenants };
    }
    case "diagnostics":
      return { phase: "refused", diagnostics: reply.diagnostics, progress: null };
    case "needs":
      return { phase: "ready", needs: reply.needs };
    case "decomposed":
      return { decomposed: reply };
    case "ladder":
      return { ladder: reply.steps };
    case "windows":
      return { windows: { ...state.windows, [reply.tenant]: reply.windows } };
    case "suggestion":
      return { suggestions: { ...state.suggestions, [reply.tenant]: reply.suggestion } };
    case "single":
      return {
        singles: { ...state.singles, [reply.tenant]: reply.iops },
        behind: without(state.behind, String(reply.tenant)),
      };
    case "outcome":
      return {
        outcomes: { ...state.outcomes, [reply.scheduler]: reply.tenants },
        behind: without(state.behind, reply.scheduler),
      };
    case "progress":
      return { progress: reply.of === null ? null : { of: reply.of, share: reply.share } };
  }
}

const without = (set: ReadonlySet<string>, item: string): ReadonlySet<string> => {
  const rest = new Set(set);
  rest.delete(item);
  return rest;
};
