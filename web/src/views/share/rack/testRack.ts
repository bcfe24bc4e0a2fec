import type { RackExport, RackQuestions, RackTarget } from "../../../engine/files/rackProtocol.ts";
import { testWorker } from "../../../engine/rpc/testWorker.ts";
import { connect, type WorkerClient } from "../../../engine/rpc/workerClient.ts";

/** For tests: a target with two files, one with a long file, one that takes nothing. */
const TARGETS: readonly RackTarget[] = [
  { id: "cards", title: "Cards", kind: "settings", holds: "rates", version: "cards 1" },
  { id: "jobs", title: "Jobs", kind: "settings", holds: "two files", version: "jobs 3" },
  { id: "sonic", title: "Switch", kind: "settings", holds: "marking, weights", version: "switch 2" },
];

const JOBS: RackExport = {
  target: "fio",
  about: "2 jobs",
  files: [
    { name: "read.job", about: "who reads", text: "rw=randread\n", marks: [] },
    {
      name: "write.job",
      about: "who writes",
      text: "rw=randwrite\nbs=4k\n",
      marks: [{ line: 2, says: "4096 B = 4 KiB", class: 1 }],
    },
  ],
  fields: [
    {
      title: "ECN threshold",
      symbol: "K",
      path: "switch.ecnThresholdPackets",
      from: "35 packets",
      to: "",
      how: "not-at-all",
      why: "Jobs know no network.",
      see: "sonic",
    },
  ],
  remarks: ["/dev/nvme0n1 stands for your device."],
  commands: [
    { on: "On a host", text: "job read.job" },
    { on: "On another", text: "job write.job" },
  ],
};

const field = (at: number) => ({
  title: `Field ${at}`,
  path: `field${at}`,
  from: `${at} packets`,
  to: `${at} B`,
  how: "exactly" as const,
  why: "",
});

const SWITCH: RackExport = {
  target: "sonic",
  about: "one file for all",
  files: [
    {
      name: "switch.json",
      about: "beside your own",
      text: Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join(""),
      marks: [],
    },
  ],
  fields: Array.from({ length: 5 }, (_, at) => field(at)),
  remarks: [],
  commands: [{ on: "On the switch", text: "load switch.json" }],
};

const WRITTEN: Readonly<Record<string, RackExport>> = { jobs: JOBS, sonic: SWITCH };

const QUESTIONS: RackQuestions = {
  targets: () => TARGETS,
  to(_, target) {
    const written = WRITTEN[target];
    if (written) return written;
    const reason = "no class sends over RDMA";
    throw JSON.stringify([{ path: "classes", reason, hint: "Choose DCQCN.", severity: "error" }]);
  },
  jobs: () => {
    throw new Error("no job file is read here");
  },
  report: (_, summary) =>
    `# Recommended\n\nDigest ${(JSON.parse(summary ?? "{}") as { digest?: string }).digest}`,
};

/** The worker without a thread of its own; or one whose script does not come. */
export function testRack(comes = true): WorkerClient<RackQuestions> {
  const { worker, create } = testWorker(comes ? QUESTIONS : {});
  const client = connect<RackQuestions>(create());
  if (!comes) queueMicrotask(() => worker.fail(""));
  return client;
}
