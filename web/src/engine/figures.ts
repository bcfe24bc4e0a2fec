import type { FigureRow, Need } from "../run/figures.ts";
import type { FigureReply, FigureRequest } from "./figureProtocol.ts";
import type { FigureEngine } from "./figureRuns.ts";
import { withEngine } from "./module.ts";

interface NeededModel {
  readonly name: string;
  /** The scenario that it is of; none where it stands for itself. */
  readonly scenario: string | null;
}

const createFigureWorker = (): Worker =>
  withEngine(
    new Worker(new URL("./figureWorker.ts", import.meta.url), { type: "module", name: "qoscope figure" }),
    "figures",
  );

/** Opens a figure, given as its file, in a worker of its own. Rejects with what the engine has against the file. */
export async function openFigure(
  json: string,
  scenarioNamed: (name: string) => object,
  createWorker: () => Worker = createFigureWorker,
): Promise<FigureEngine> {
  const worker = createWorker();
  const waiting: { resolve: (answer: string | null) => void; reject: (error: Error) => void }[] = [];
  worker.onmessage = ({ data }: MessageEvent<FigureReply>) => {
    const first = waiting.shift();
    if ("failure" in data) first?.reject(new Error(data.failure));
    else first?.resolve(data.answer);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    for (const { reject } of waiting.splice(0))
      reject(new Error(event.message || "The engine did not come."));
  };
  const ask = (request: FigureRequest) =>
    new Promise<string | null>((resolve, reject) => {
      waiting.push({ resolve, reject });
      worker.postMessage(request);
    });
  const read = async <T>(request: FigureRequest): Promise<T> =>
    JSON.parse((await ask(request)) ?? "null") as T;
  const texts = new Map<string, string>();
  const textOf = (name: string): string => {
    const text = texts.get(name) ?? JSON.stringify(scenarioNamed(name));
    texts.set(name, text);
    return text;
  };
  const end = () => {
    worker.terminate();
    for (const { reject } of waiting.splice(0)) reject(new Error("The figure was closed."));
  };
  let needs: readonly Need[];
  try {
    await ask({ ask: "open", figure: json });
    needs = await read({ ask: "needs" });
  } catch (error) {
    end();
    throw error;
  }
  return {
    needs: async () => needs,
    scenarios(run, seed) {
      const name = needs.find((need) => need.run === run)?.scenario ?? "";
      return read<readonly object[]>({ ask: "scenarios", run, seed, scenario: textOf(name) });
    },
    async put(run, seed, summaries) {
      await ask({ ask: "put", run, seed, summaries: JSON.stringify(summaries) });
    },
    async models() {
      for (const { name, scenario } of await read<readonly NeededModel[]>({ ask: "models" })) {
        await ask({ ask: "model", name, ...(scenario !== null && { scenario: textOf(scenario) }) });
      }
    },
    rows: () => read<readonly (FigureRow | null)[]>({ ask: "rows" }),
    digest: () => ask({ ask: "digest" }),
    end,
  };
}
