import { describe, expect, it } from "vitest";
import { testWorker } from "../../rpc/testWorker.ts";
import type { FigureQuestions, NeededModel } from "./figureProtocol.ts";
import { openFigure } from "./figures.ts";

/** A worker with these answers, and what it was asked. */
function answering(answers: Partial<FigureQuestions>) {
  const requests: unknown[][] = [];
  const noted =
    (name: keyof FigureQuestions) =>
    (...of: unknown[]) => {
      requests.push([name, ...of]);
      const answer = answers[name] as ((...of: unknown[]) => unknown) | undefined;
      return answer?.(...of) ?? null;
    };
  const { worker, create } = testWorker({
    open: noted("open"),
    scenarios: noted("scenarios"),
    model: noted("model"),
    rows: noted("rows"),
    digest: noted("digest"),
  });
  return { worker, requests, create };
}

/** What the worker says of a figure when it opens it. */
const opened = (models: readonly NeededModel[] = []) => ({
  open: () => ({ needs: [{ run: "a", title: "A", seeds: 2, scenario: "three-writers" }], models }),
});
const named = (name: string) => ({ name });

describe("a figure that is open", () => {
  it("asks for the scenarios of a run with the document that it names", async () => {
    const { requests, create } = answering({ ...opened(), scenarios: () => [{ seed: 2 }] });
    const figure = await openFigure("{}", named, create);
    expect(await figure.scenarios("a", 2)).toEqual([{ seed: 2 }]);
    expect(requests.at(-1)).toEqual(["scenarios", "a", 2, '{"name":"three-writers"}']);
  });

  it("computes its models, those of a scenario with its document", async () => {
    const models = [
      { name: "m", scenario: null },
      { name: "n", scenario: "three-writers" },
    ];
    const { requests, create } = answering(opened(models));
    await (await openFigure("{}", named, create)).models();
    expect(requests.slice(-2)).toEqual([
      ["model", "m", null],
      ["model", "n", '{"name":"three-writers"}'],
    ]);
  });

  it("is refused with what the engine says, and lets its worker go", async () => {
    const { worker, create } = answering({
      open() {
        throw JSON.stringify([{ path: "runs[0].seeds", reason: "must be at least 2", hint: "Raise it." }]);
      },
    });
    await expect(openFigure("{}", named, create)).rejects.toThrow(
      "runs[0].seeds: must be at least 2. Raise it.",
    );
    expect(worker.ended).toBe(true);
  });

  it("answers nothing any more once its worker broke down or was ended", async () => {
    const silent = async () => {
      const { worker, create } = answering({
        ...opened(),
        rows: () => new Promise<never>(() => {}) as never,
      });
      const figure = await openFigure("{}", named, create);
      return { worker, figure, rows: figure.rows() };
    };
    const broken = await silent();
    broken.worker.fail("out of memory");
    await expect(broken.rows).rejects.toThrow("out of memory");
    await expect(broken.figure.digest()).rejects.toThrow("out of memory");
    const closed = await silent();
    closed.figure.end();
    await expect(closed.rows).rejects.toThrow("closed");
  });
});
