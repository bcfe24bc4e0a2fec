import { describe, expect, it } from "vitest";
import type { FigureReply, FigureRequest } from "./figureProtocol.ts";
import { openFigure } from "./figures.ts";

/** A worker that answers from a list by what is asked. */
function answering(answers: Readonly<Record<string, FigureReply>>) {
  const requests: FigureRequest[] = [];
  let ended = false;
  const worker = {
    onmessage: null as ((event: { data: FigureReply }) => void) | null,
    onerror: null as ((event: { message: string; preventDefault(): void }) => void) | null,
    postMessage(request: FigureRequest) {
      requests.push(request);
      const reply = answers[request.ask] ?? { answer: null };
      queueMicrotask(() => this.onmessage?.({ data: reply }));
    },
    terminate() {
      ended = true;
    },
  };
  return { worker, requests, hasEnded: () => ended, create: () => worker as unknown as Worker };
}

const NEEDS = { answer: '[{"run":"a","title":"A","seeds":2,"scenario":"three-writers"}]' };
const named = (name: string) => ({ name });

describe("a figure that is open", () => {
  it("asks for the scenarios of a run with the document that it names", async () => {
    const { requests, create } = answering({ needs: NEEDS, scenarios: { answer: '[{"seed":2}]' } });
    const figure = await openFigure("{}", named, create);
    expect(await figure.scenarios("a", 2)).toEqual([{ seed: 2 }]);
    expect(requests.at(-1)).toEqual({
      ask: "scenarios",
      run: "a",
      seed: 2,
      scenario: '{"name":"three-writers"}',
    });
  });

  it("computes its models, those of a scenario with its document", async () => {
    const models = { answer: '[{"name":"m","scenario":null},{"name":"n","scenario":"three-writers"}]' };
    const { requests, create } = answering({ needs: NEEDS, models });
    await (await openFigure("{}", named, create)).models();
    expect(requests.slice(-2)).toEqual([
      { ask: "model", name: "m" },
      { ask: "model", name: "n", scenario: '{"name":"three-writers"}' },
    ]);
  });

  it("is refused with what the engine says, and lets its worker go", async () => {
    const { create, hasEnded } = answering({ open: { failure: "runs[0].seeds must be at least 2" } });
    await expect(openFigure("{}", named, create)).rejects.toThrow("runs[0].seeds must be at least 2");
    expect(hasEnded()).toBe(true);
  });

  it("answers nothing any more once its worker broke down or was ended", async () => {
    const { worker, create } = answering({ needs: NEEDS });
    const figure = await openFigure("{}", named, create);
    worker.postMessage = () => {};
    const rows = figure.rows();
    worker.onerror?.({ message: "out of memory", preventDefault: () => {} });
    await expect(rows).rejects.toThrow("out of memory");
    const digest = figure.digest();
    figure.end();
    await expect(digest).rejects.toThrow("closed");
  });
});
