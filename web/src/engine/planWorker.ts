/// <reference lib="webworker" />

import init, { Planner } from "../generated/wasm/qoscope_plan.js";
import wasmUrl from "../generated/wasm/qoscope_plan_bg.wasm?url";
import type { PlannedTenant } from "../run/plan.ts";
import type { Diagnostic } from "../scenario/types.ts";
import { nextBudget } from "./pacing.ts";
import type { PlanReply, PlanRequest } from "./planProtocol.ts";

/**
 * The worker that plans. What follows from the contracts alone is answered at once, and the classes of the requests with it;
 * whatever looks at requests many times over is computed in slices, between which the mailbox is looked at. Of what is asked
 * faster than it can be answered the latest counts.
 */

/** Something that takes a while. */
type Job =
  | { readonly kind: "windows"; readonly tenant: number }
  | { readonly kind: "suggestion"; readonly tenant: number }
  | { readonly kind: "single"; readonly tenant: number }
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
}

let planner: Planner | null = null;
let plan: Plan | null = null;
const traces = new Map<string, Uint8Array<ArrayBuffer>>();

/** What was asked last and has not been looked at. */
let load: LoadRequest | null = null;
let wish: WishRequest | null = null;
let look: LookRequest | null = null;
/** What was looked at last. */
let looked: LookRequest | null = null;
/** The wish in force. */
let wished = 0;

let jobs: Job[] = [];
let running: Job | null = null;
let done = 0;
let budget = 20_000;
let told = 0;
let dead = false;

const PROGRESS_MS = 100;

const post = (reply: PlanReply, transfer: Transferable[] = []): void => self.postMessage(reply, { transfer });

const ready = init({ module_or_path: wasmUrl });

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
  await ready.catch((error: unknown) => failed(error));
  if (dead) return;
  switch (data.kind) {
    case "trace":
      traces.set(data.name, data.bytes);
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
      running = null;
      progress();
      break;
  }
  wake();
};

function turn(): void {
  waiting = false;
  if (load) loaded(load);
  if (plan && planner && (wish || look)) asked(planner, plan);
  if (plan && planner) work(planner, plan);
}

function loaded({ generation, scenario, schedulers }: LoadRequest): void {
  load = null;
  jobs = [];
  running = null;
  plan = null;
  looked = null;
  planner ??= new Planner();
  for (const [name, bytes] of traces) planner.insertTrace(name, bytes);
  traces.clear();
  try {
    planner.set(scenario);
  } catch (error) {
    post({ kind: "diagnostics", generation, diagnostics: diagnosticsOf(error) });
    return;
  }
  const tenants = JSON.parse(planner.facts()) as PlannedTenant[];
  plan = { generation, tenants: tenants.length, schedulers };
  post({ kind: "loaded", generation, tenants });
  done = 0;
  for (const [tenant, { requests }] of tenants.entries()) {
    if (requests > 0) jobs.push({ kind: "windows", tenant }, { kind: "suggestion", tenant });
  }
}

/** Answers what is answered within a frame; all else that follows from it is queued. */
function asked(planner: Planner, plan: Plan): void {
  const next = wish?.generation === plan.generation ? wish : null;
  const looks = look?.generation === plan.generation ? look : null;
  wish = null;
  look = null;
  looked = looks ?? looked;
  if (next) {
    const { generation } = plan;
    try {
      planner.set(next.scenario);
    } catch (error) {
      post({ kind: "diagnostics", generation, diagnostics: diagnosticsOf(error) });
      return;
    }
    wished = next.wish;
    post({ kind: "needs", generation, wish: wished, needs: JSON.parse(planner.needs()) });
    const followsWish = (job: Job) => job.kind === "single" || job.kind === "outcome";
    if (running && followsWish(running)) running = null;
    jobs = jobs.filter((job) => !followsWish(job));
    jobs.push(...plan.schedulers.map((scheduler) => ({ kind: "outcome", scheduler }) as const));
    for (let tenant = 0; tenant < plan.tenants; tenant++) jobs.push({ kind: "single", tenant });
    done = 0;
  }
  if (looked) closely(planner, plan, looked);
  const own = looked?.tenant ?? 0;
  const place = (job: Job) => 2 * ORDER.indexOf(job.kind) + Number("tenant" in job && job.tenant !== own);
  jobs.sort((a, b) => place(a) - place(b));
}

/** The classes of one tenant's requests over time, and what a ladder would do with its bursts. */
function closely(planner: Planner, plan: Plan, { tenant, range, ladder }: LookRequest): void {
  const about = { generation: plan.generation, tenant };
  const { fromUs, toUs, bins } = range;
  const counts = planner.decomposed(tenant, fromUs, toUs, bins) as Uint32Array<ArrayBuffer>;
  const totals = Array.from(planner.totals());
  post({ kind: "decomposed", ...about, wish: wished, range, counts, totals }, [counts.buffer]);
  const steps = ladder && JSON.parse(planner.ladder(JSON.stringify(ladder), tenant, fromUs, toUs));
  post({ kind: "ladder", generation: plan.generation, steps });
}

/** One slice of what takes a while. */
function work(planner: Planner, plan: Plan): void {
  if (!running) {
    running = jobs.shift() ?? null;
    if (!running) {
      progress();
      return;
    }
    planner.begin(JSON.stringify(running));
  }
  const started = performance.now();
  const finished = planner.advance(budget);
  const now = performance.now();
  budget = nextBudget(budget, now - started, !finished);
  if (finished) {
    post(replyOf(plan, running, JSON.parse(planner.answer())));
    running = null;
    done++;
  }
  if (now - told > PROGRESS_MS) {
    told = now;
    progress(running ? planner.progress() : 0);
  }
  wake();
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

function progress(ofRunning = 0): void {
  if (!plan) return;
  const job = running ?? jobs[0];
  const all = done + jobs.length + (running ? 1 : 0);
  const share = all === 0 ? 1 : (done + ofRunning) / all;
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
