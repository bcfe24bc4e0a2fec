import type { FigureRow, Need } from "../run/figures.ts";
import type { FigureQuestion, FigureReply, FigureRequest } from "./figureProtocol.ts";
import type { FigureEngine } from "./figureRuns.ts";
import { withEngine } from "./module.ts";

const figureWorker = (): Worker =>
  withEngine(
    new Worker(new URL("./figureWorker.ts", import.meta.url), { type: "module", name: "qoscope figure" }),
  );

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Questions to the worker that holds a figure, and their answers. */
class FigureQuestions {
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  /** Why nothing is answered any more. */
  private gone: Error | null = null;

  constructor(private readonly worker: Worker) {
    worker.onmessage = ({ data }: MessageEvent<FigureReply>) => {
      const waiting = this.waiting.get(data.number);
      this.waiting.delete(data.number);
      if (data.ok) waiting?.resolve(data.value);
      else waiting?.reject(new Error(data.sentence));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // A script that does not come is an error without words.
      this.end(
        event.message ? "The engine failed at this figure." : "The engine could not be fetched. Try again.",
      );
    };
  }

  ask<T>(question: FigureQuestion): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.gone) return reject(this.gone);
      const number = ++this.asked;
      this.waiting.set(number, { resolve, reject });
      this.worker.postMessage({ ...question, number } satisfies FigureRequest);
    }) as Promise<T>;
  }

  end(sentence: string): void {
    this.gone ??= new Error(sentence);
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(this.gone);
    this.waiting.clear();
  }
}

/**
 * Puts a figure into the engine's hands, in a worker of its own. `scenario` gives the document of a name.
 *
 * Rejects with what is wrong with its file.
 */
export async function openFigure(
  json: string,
  scenario: (name: string) => object,
  createWorker: () => Worker = figureWorker,
): Promise<FigureEngine> {
  const questions = new FigureQuestions(createWorker());
  const end = () => questions.end("The figure has been closed.");
  const ask = <T>(question: FigureQuestion) => questions.ask<T>(question);
  const text = (name: string) => JSON.stringify(scenario(name));
  try {
    await ask({ kind: "open", json });
    const needs = await ask<readonly Need[]>({ kind: "needs" });
    const named = new Map(needs.map((need) => [need.run, need.scenario]));
    return {
      needs: () => Promise.resolve(needs),
      scenarios: (run, seed) => ask({ kind: "scenarios", run, seed, scenario: text(named.get(run) ?? run) }),
      put: (run, seed, summaries) => ask({ kind: "put", run, seed, summaries: JSON.stringify(summaries) }),
      async models() {
        const models = await ask<{ name: string; scenario: string | null }[]>({ kind: "models" });
        for (const { name, scenario } of models) {
          await ask({ kind: "model", name, scenario: scenario === null ? undefined : text(scenario) });
        }
      },
      rows: () => ask<readonly (FigureRow | null)[]>({ kind: "rows" }),
      digest: () => ask<string | null>({ kind: "digest" }),
      end,
    };
  } catch (error) {
    end();
    throw error;
  }
}
