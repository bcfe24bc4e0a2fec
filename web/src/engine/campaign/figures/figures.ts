import { withEngine } from "../../rpc/module.ts";
import { connect } from "../../rpc/workerClient.ts";
import type { FigureQuestions } from "./figureProtocol.ts";
import type { FigureEngine } from "./figureRuns.ts";

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
  const asking = connect<FigureQuestions>(createWorker());
  const end = () => asking.end(new Error("The figure was closed."));
  const { needs, models } = await asking.api.open(json).catch((error) => {
    end();
    throw error;
  });
  const texts = new Map<string, string>();
  const textOf = (name: string): string => {
    const text = texts.get(name) ?? JSON.stringify(scenarioNamed(name));
    texts.set(name, text);
    return text;
  };
  return {
    needs,
    scenarios(run, seed) {
      const name = needs.find((need) => need.run === run)?.scenario ?? "";
      return asking.api.scenarios(run, seed, textOf(name));
    },
    async put(run, seed, summaries) {
      await asking.api.put(run, seed, summaries);
    },
    async models() {
      for (const { name, scenario } of models)
        await asking.api.model(name, scenario === null ? null : textOf(scenario));
    },
    rows: () => asking.api.rows(),
    digest: () => asking.api.digest(),
    end,
  };
}
