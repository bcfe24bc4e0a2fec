import { loadToolsWasm, loadWasm } from "../../scripts/lib/wasm.mjs";
import type { LatencySummary, RunSummary } from "../../web/src/generated/answers.d.ts";
import { preset } from "./explorer";

/** Pairs of a latency and the share of requests that took longer. */
type Tail = readonly (readonly [us: number, share: number])[];

/** Reads or writes of a job. */
type Done = LatencySummary & { readonly iops: number; readonly tail: Tail };

interface Results {
  readonly reads: Done | null;
  readonly writes: Done | null;
}

/** A job as a person gives it to fio. */
export interface Job {
  readonly name: string;
  readonly rw: "randread" | "randwrite" | "randrw";
  readonly iodepth: number;
}

/** Reads at several queue depths: what tells of the flash, and is soon fitted. */
export const READS: readonly Job[] = [1, 8, 32, 128].map((iodepth) => ({
  name: "randread-4k",
  rw: "randread",
  iodepth,
}));

const BYTES = 4096;
/** Time of the host's software. */
const HOST_US = 8;

/**
 * What fio would write of jobs on a drive: they are simulated on one with these parameters beside those of the first scenario, under a seed that is not
 * that of the fit.
 */
export async function measuredBy(
  ssd: Readonly<Record<string, unknown>>,
  jobs: readonly Job[],
): Promise<string> {
  const [wasm, runs] = [await loadToolsWasm(), await loadWasm()];
  const scenario = preset("storage-three-classes");
  const base = { ...scenario, storage: { ...scenario.storage, ssd } };
  const shares = { randread: 1, randwrite: 0, randrw: 0.7 } as const;
  const choices = { ...JSON.parse(wasm.fitChoices()), holdOut: 0, seed: 7 };
  /** Simulates the jobs. Each run is long enough for the given rate. */
  const simulated = (iopsOf: (at: number) => number): Results[] => {
    const asked = jobs.map(({ name, rw, iodepth }, at) => {
      const iops = iopsOf(at);
      const blank = { requests: 1, iops, bytesPerS: iops * BYTES, latencyUs: LATENCY };
      return {
        file: "drive.json",
        name,
        pattern: "random",
        readShare: shares[rw],
        readBytes: BYTES,
        writeBytes: BYTES,
        iodepth,
        numjobs: 1,
        runtimeS: 60,
        ...(shares[rw] > 0 && { reads: blank }),
        ...(shares[rw] < 1 && { writes: blank }),
      };
    });
    const documents = [base, asked, [], choices].map((part) => JSON.stringify(part));
    const fit = wasm.Campaign.fit(...(documents as [string, string, string, string]));
    // The fit defines how each job runs; the drive here replaces the one it starts with.
    const requested = JSON.parse(fit.next(jobs.length)) as { id: number }[];
    const results = requested.map(({ id }): Results => {
      const document = JSON.parse(fit.scenario(id) ?? "null");
      const { precondition, occupancy } = document.storage.ssd;
      document.storage.ssd = { ...ssd, precondition, occupancy };
      document.access.software = { hostLatencyUs: HOST_US };
      const engine = new runs.Engine(JSON.stringify(document));
      engine.advance(engine.durationPs(), Number.MAX_SAFE_INTEGER);
      const { classes, tails } = JSON.parse(engine.summaryWithTails()) as RunSummary & {
        tails: readonly { readonly reads: Tail; readonly writes: Tail }[];
      };
      engine.free();
      const measuredS = (document.durationUs - document.measurement.warmupUs) / 1e6;
      const done = (kind: "reads" | "writes"): Done | null => {
        const of = classes[0]?.[kind];
        return of ? { ...of, iops: of.count / measuredS, tail: tails[0]?.[kind] ?? [] } : null;
      };
      return { reads: done("reads"), writes: done("writes") };
    });
    fit.free();
    return results;
  };
  const first = simulated(() => 20_000);
  const done = simulated((at) => (first[at]?.reads ?? first[at]?.writes)?.iops ?? 0);
  return fioJson(jobs, (at) => done[at] ?? { reads: null, writes: null });
}

const LATENCY = { mean: 100, deviation: 10, min: 50, max: 1000, percentiles: [] };

/** JSON+ as fio 3.33 writes it, of jobs that ran one after the other. */
function fioJson(jobs: readonly Job[], doneBy: (at: number) => Results): string {
  const operations = (done: Done | null) => {
    // No more than were simulated: what was written before a job tells whether the drive collects garbage in it.
    const requests = done?.count ?? 0;
    const ns = (us = 0) => Math.round(us * 1000);
    return {
      io_bytes: requests * BYTES,
      bw_bytes: Math.round((done?.iops ?? 0) * BYTES),
      iops: done?.iops ?? 0,
      runtime: done ? Math.round((1000 * requests) / done.iops) : 0,
      total_ios: requests,
      clat_ns: {
        min: ns(done?.tail[0]?.[0]),
        max: ns(done?.tail.at(-1)?.[0]),
        mean: (done?.mean ?? 0) * 1000,
        stddev: 0,
        N: requests,
        ...(done && {
          percentile: {
            "50.000000": ns(done.p50 ?? 0),
            "99.000000": ns(done.p99 ?? 0),
            "99.900000": ns(done.p999 ?? 0),
          },
          bins: binsOf(done, requests),
        }),
      },
    };
  };
  return JSON.stringify(
    {
      "fio version": "fio-3.33",
      timestamp: 1_764_000_000,
      "global options": { ioengine: "libaio", direct: "1", bs: "4k", filename: "/dev/nvme3n1" },
      jobs: jobs.map(({ name, rw, iodepth }, at) => {
        const { reads, writes } = doneBy(at);
        return {
          jobname: name,
          groupid: at,
          error: 0,
          "job options": {
            rw,
            iodepth: String(iodepth),
            stonewall: "1",
            ...(rw === "randrw" && { rwmixread: "70" }),
          },
          read: operations(reads),
          write: operations(writes),
        };
      }),
    },
    null,
    1,
  );
}

/** Requests by latency, in nanoseconds, of the shares that took longer. */
function binsOf({ tail }: Done, requests: number): Record<string, number> {
  let before = 1;
  const bins = tail.map(([us, share]) => {
    const count = Math.round((before - share) * requests);
    before = share;
    return [Math.round(us * 1000), count] as const;
  });
  return Object.fromEntries(bins.filter(([, count]) => count > 0));
}
