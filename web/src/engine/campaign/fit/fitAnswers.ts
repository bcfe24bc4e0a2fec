import type { FitDrive, FitOutcome, FitProgress } from "../../../generated/answers.d.ts";
import type { FioResults, FitQuestions, FitRun, ReadLog } from "./fitProtocol.ts";

/** A fit in the hands of the engine, as its module has it: documents and answers are JSON. */
export interface EngineFit {
  heldOut(): string;
  wanted(most: number): string;
  document(id: number): string | undefined;
  put(id: number, simulated: string): void;
  failed(id: number, sentence: string): void;
  progress(): string;
  outcome(): string | undefined;
  drive(name: string, files: string): string | undefined;
  free(): void;
}

/** What the module of the engine has for fits. */
export interface FitModule {
  readFio(text: string, file: string): string;
  readFioLog(text: string, file: string): string;
  traceHash(bytes: Uint8Array): string;
  fitChoices(): string;
  readDrive(text: string): string;
  open(base: string, jobs: string, logs: string, choices: string): EngineFit;
}

/** Answers the questions to the worker of a fit. */
export function fitAnswers(engine: FitModule): FitQuestions {
  let opened: EngineFit | null = null;
  const taken = (): EngineFit => {
    if (!opened) throw new Error("No fit is open");
    return opened;
  };
  return {
    choices: async () => JSON.parse(engine.fitChoices()),
    async read(bytes, file) {
      const results = JSON.parse(engine.readFio(new TextDecoder().decode(bytes), file)) as FioResults;
      return { ...results, hash: engine.traceHash(bytes) };
    },
    readLog: async (bytes, file) =>
      JSON.parse(engine.readFioLog(new TextDecoder().decode(bytes), file)) as ReadLog,
    async open(base, jobs, logs, choices) {
      opened?.free();
      opened = null;
      opened = engine.open(base, JSON.stringify(jobs), JSON.stringify(logs), JSON.stringify(choices));
      return { heldOut: JSON.parse(opened.heldOut()), progress: JSON.parse(opened.progress()) };
    },
    async turn(outcomes, most) {
      const fit = taken();
      for (const outcome of outcomes) {
        if ("failure" in outcome) fit.failed(outcome.id, outcome.failure);
        else fit.put(outcome.id, outcome.simulated);
      }
      const wishes = JSON.parse(fit.wanted(most)) as { id: number }[];
      const runs = wishes.map(({ id }): FitRun => ({ id, document: fit.document(id) ?? "" }));
      const outcome = fit.outcome();
      return {
        runs,
        progress: JSON.parse(fit.progress()) as FitProgress,
        outcome: outcome === undefined ? null : (JSON.parse(outcome) as FitOutcome),
      };
    },
    async drive(name, files) {
      const drive = taken().drive(name, JSON.stringify(files));
      if (drive === undefined)
        throw new Error("The fit has no drive: it is not done, or its jobs match none");
      return JSON.parse(drive) as FitDrive;
    },
    readDrive: async (text) => JSON.parse(engine.readDrive(text)) as FitDrive,
  };
}
