/// <reference lib="webworker" />

import type { PlannedTenant, PlannerQuestion } from "../../generated/answers.d.ts";
import init, { type Answer, Planner, standIns, TraceShelf } from "../../generated/wasm/qoscope_wasm.js";
import type { Diagnostic } from "../../scenario/types.ts";
import { engineReady } from "../rpc/module.ts";
import { nextBudget } from "../run/pacing.ts";
import type { PlanReply, PlanRequest, StandIn } from "./planProtocol.ts";

/**
 * The worker that plans. What follows from the contracts alone is answered at once. Whatever looks at requests is computed in
 * slices, between which the mailbox is looked at: first the classes of those that are looked at, then what takes long. Of what is
 * asked faster than it can be answered the latest counts.
 */

/** Something that takes a while. */
type Job =
  | Exclude<PlannerQuestion, { kind: "classes" | "outcome" }>
  | { readonly kind: "outcome"; readonly scheduler: string };

/** What is computed, in words. */
const NAMES: Readonly<Record<Job["kind"], string>> = {
  windows: "bursts",
  suggestion: "suggestions",
  single: "single levels",
  outcome: "schedulers",
};

/** Where jobs stand in the queue. */
const ORDER: readonly Job["kind"][] = ["windows", "outcome", "single", "suggestion"];

type WishRequest = Extract<PlanRequest, { kind: "wish" }>;
type LookRequest = Extract<PlanRequest, { kind: "look" }>;
type LoadRequest = Extract<PlanRequest, { kind: "load" }>;

interface Plan {
  readonly generation: number;
  readonly tenants: number;
  readonly schedulers: readonly string[];
  readonly carriedGbps: LoadRequest["carriedGbps"];
}

/** Both are there once the engine is. */
let planner: Planner;
let traces: TraceShelf;
let plan: Plan | null = null;

/** What was asked last and has not been looked at. */
let load: LoadRequest | null = null;
let wish: WishRequest | null = null;
let look: LookRequest | null = null;
/** What was looked at last. */
let looked: LookRequest | null = null;
/** The wish in force. */
let wished = 0;

/** The classes of requests that are being told apart, and of what; and whether they are to be told apart anew after that. */
let classes: { readonly answer: Answer; readonly of: LookRequest; readonly wish: number } | null = null;
let classesAgain = false;

let jobs: Job[] = [];
let running: { readonly job: Job; readonly answer: Answer } | null = null;
let done = 0;
let budget = 20_000;
let told = 0;
let dead = false;

const PROGRESS_MS = 100;

const post = (reply: PlanReply): void => self.postMessage(reply);

const ready = engineReady(init).then(() => {
  planner = new Planner();
  traces = new TraceShelf();
}, failed);

/** Yields to the mailbox and comes back at once. */
const again = new MessageChannel();
again.port1.onmessage = () => guarded(turn);
let waiting = false;

function wake(): void {
  if (waiting) return;
  waiting = true;
  again.port2.postMessage(null);
}

self.onmessage = async ({ data }: MessageEvent<PlanRequest>) => {
  await ready;
  if (dead) return;
  switch (data.kind) {
    case "trace":
      guarded(() => traces.insert(data.name, data.bytes));
      break;
    case "load":
      load = data;
      break;
    case "wish":
      wish = data;
      break;
    case "look":
      look = data;
      break;
    case "cancel":
      jobs = [];
      giveUp();
      progress();
      break;
  }
  wake();
};

function turn(): void {
  waiting = false;
  if (load) loaded(load);
  if (plan && (wish || look)) asked(plan);
  if (!plan) return;
  if (classes || classesAgain) tellApart(plan);
  else work(plan);
}

/** Gives up what takes long and is under way. */
function giveUp(): void {
  running?.answer.free();
  running = null;
}

/** Plans for a scenario, with what stands in for its workloads where that is asked for. */
function set(scenario: string, carriedGbps: LoadRequest["carriedGbps"]): readonly StandIn[] {
  const found = carriedGbps && JSON.parse(standIns(scenario, Float64Array.from(carriedGbps)));
  planner.set(found?.scenario ?? scenario, traces);
  return found?.standIns ?? [];
}

function loaded({ generation, scenario, schedulers, carriedGbps }: LoadRequest): void {
  load = null;
  jobs = [];
  giveUp();
  classes?.answer.free();
  classes = null;
  plan = null;
  looked = null;
  let found: readonly StandIn[];
  try {
    found = set(scenario, carriedGbps);
  } catch (error) {
    post({ kind: "diagnostics", generation, diagnostics: diagnosticsOf(error) });
    return;
  }
  const tenants = JSON.parse(planner.facts()) as PlannedTenant[];
  plan = { generation, tenants: tenants.length, schedulers, carriedGbps };
  post({ kind: "loaded", generation, standIns: found, tenants });
  done = 0;
  for (const [tenant, { requests }] of tenants.entries()) {
    if (requests > 0) jobs.push({ kind: "windows", tenant }, { kind: "suggestion", tenant });
  }
}

/** Answers what is answered within a frame; all else that follows from it is queued. */
function asked(plan: Plan): void {
  const next = wish?.generation === plan.generation ? wish : null;
  const looks = look?.generation === plan.generation ? look : null;
  wish = null;
  look = null;
  looked = looks ?? looked;
  if (next) {
    const { generation } = plan;
    try {
      set(next.scenario, plan.carriedGbps);
    } catch (error) {
      post({ kind: "diagnostics", generation, diagnostics: diagnosticsOf(error) });
      return;
    }
    wished = next.wish;
    post({ kind: "needs", generation, wish: wished, needs: JSON.parse(planner.needs()) });
    const followsWish = (job: Job) => job.kind === "single" || job.kind === "outcome";
    if (running && followsWish(running.job)) giveUp();
    jobs = jobs.filter((job) => !followsWish(job));
    jobs.push(...plan.schedulers.map((scheduler) => ({ kind: "outcome", scheduler }) as const));
    for (let tenant = 0; tenant < plan.tenants; tenant++) jobs.push({ kind: "single", tenant });
    done = 0;
  }
  if (looked) {
    classesAgain = true;
    const { ladder, tenant, range } = looked;
    const steps = ladder && planner.ladder(JSON.stringify(ladder), tenant, range.fromUs, range.toUs);
    post({ kind: "ladder", generation: plan.generation, steps: steps && JSON.parse(steps) });
  }
  const own = looked?.tenant ?? 0;
  const place = (job: Job) => 2 * ORDER.indexOf(job.kind) + Number("tenant" in job && job.tenant !== own);
  jobs.sort((a, b) => place(a) - place(b));
}

/** One slice of telling apart the classes of the requests that are looked at. What is under way is finished before it begins anew. */
function tellApart({ generation }: Plan): void {
  if (!classes && looked) {
    const { tenant, range } = looked;
    const answer = planner.begin(JSON.stringify({ kind: "classes", tenant, ...range }));
    classes = answer ? { answer, of: looked, wish: wished } : null;
  }
  if (!classes) {
    classesAgain = false;
    wake();
    return;
  }
  classesAgain = classes.of !== looked || classes.wish !== wished;
  if (sliced(classes.answer)) {
    const { answer, of, wish } = classes;
    const { counts, totals } = JSON.parse(answer.findings());
    const { tenant, range } = of;
    post({ kind: "decomposed", generation, wish, tenant, range, counts, totals });
    answer.free();
    classes = null;
  }
  wake();
}

/** One slice of what takes long. */
function work(plan: Plan): void {
  if (!running) {
    const job = jobs.shift();
    const answer = job && planner.begin(JSON.stringify(job));
    if (answer) running = { job, answer };
    else if (!job) {
      progress();
      return;
    }
  }
  if (running && sliced(running.answer)) {
    const { job, answer } = running;
    post(replyOf(plan, job, JSON.parse(answer.findings())));
    giveUp();
    done++;
  }
  const now = performance.now();
  if (now - told > PROGRESS_MS) {
    told = now;
    progress();
  }
  wake();
}

/** Goes on with an answer for about ten milliseconds; whether it is there. */
function sliced(answer: Answer): boolean {
  const started = performance.now();
  const finished = answer.advance(budget);
  budget = nextBudget(budget, performance.now() - started, !finished);
  return finished;
}

/** What a job has found out. `result`: as the module has it for jobs of its kind. */
// biome-ignore lint/suspicious/noExplicitAny: the kind of the job says what it is
function replyOf({ generation }: Plan, job: Job, result: any): PlanReply {
  switch (job.kind) {
    case "windows":
      return { kind: job.kind, generation, tenant: job.tenant, windows: result };
    case "suggestion":
      return { kind: job.kind, generation, tenant: job.tenant, suggestion: result };
    case "single":
      return { kind: job.kind, generation, tenant: job.tenant, wish: wished, iops: result };
    case "outcome":
      return { ...job, generation, wish: wished, tenants: result };
  }
}

function progress(): void {
  if (!plan) return;
  const job = running?.job ?? jobs[0];
  const all = done + jobs.length + (running ? 1 : 0);
  const share = all === 0 ? 1 : (done + (running?.answer.progress() ?? 0)) / all;
  post({ kind: "progress", generation: plan.generation, of: job ? NAMES[job.kind] : null, share });
}

/** The engine throws lists of diagnostics as text; anything else is a failure. */
function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (typeof error !== "string") throw error;
  return JSON.parse(error) as Diagnostic[];
}

/** If the module traps, nothing of it can be trusted any more. */
function guarded(action: () => void): void {
  if (dead) return;
  try {
    action();
  } catch (error) {
    failed(error);
  }
}

function failed(error: unknown): void {
  dead = true;
  post({
    kind: "failed",
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  });
}
