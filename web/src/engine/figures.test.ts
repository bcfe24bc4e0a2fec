import { describe, expect, it } from "vitest";
import type { FigureReply, FigureRequest } from "./figureProtocol.ts";
import { openFigure } from "./figures.ts";

/** A worker that is played by a test: it answers by `answers`, or fails with an error thrown there. */
function played(answers: (request: FigureRequest) => unknown) {
  const requests: FigureRequest[] = [];
  const worker = {
    onmessage: null as ((event: { data: FigureReply }) => void) | null,
    onerror: null as ((event: { message: string; preventDefault(): void }) => void) | null,
    ended: false,
    terminate() {
      worker.ended = true;
    },
    postMessage(request: FigureRequest) {
      requests.push(request);
      queueMicrotask(() => {
        const { number } = request;
        try {
          worker.onmessage?.({ data: { number, ok: true, value: answers(request) } });
        } catch (error) {
          worker.onmessage?.({ data: { number, ok: false, sentence: (error as Error).message } });
        }
      });
    },
  };
  return { worker, requests };
}

const needs = [{ run: "qtcp", title: "QTCP", seeds: 5, scenario: "fig8" }];

describe("a figure in the engine's hands", () => {
  it("is asked for scenarios and models with the documents that they name", async () => {
    const { worker, requests } = played(({ kind }) => {
      if (kind === "needs") return needs;
      if (kind === "models")
        return [
          { name: "a", scenario: "fig9" },
          { name: "b", scenario: null },
        ];
      return kind === "scenarios" ? [{ seed: 2 }] : null;
    });
    const engine = await openFigure(
      "{}",
      (name) => ({ name }),
      () => worker as unknown as Worker,
    );
    expect(await engine.needs()).toEqual(needs);
    expect(await engine.scenarios("qtcp", 2)).toEqual([{ seed: 2 }]);
    await engine.put("qtcp", 2, [{ digest: "a" }]);
    await engine.models();
    expect(requests.map(({ number: _, ...question }) => question)).toEqual([
      { kind: "open", json: "{}" },
      { kind: "needs" },
      { kind: "scenarios", run: "qtcp", seed: 2, scenario: '{"name":"fig8"}' },
      { kind: "put", run: "qtcp", seed: 2, summaries: '[{"digest":"a"}]' },
      { kind: "models" },
      { kind: "model", name: "a", scenario: '{"name":"fig9"}' },
      { kind: "model", name: "b", scenario: undefined },
    ]);
  });

  it("that is refused ends its worker and says why", async () => {
    const { worker } = played(() => {
      throw new Error("plot.series[0].values reads `x`.");
    });
    await expect(
      openFigure(
        "{}",
        () => ({}),
        () => worker as unknown as Worker,
      ),
    ).rejects.toThrow("reads `x`");
    expect(worker.ended).toBe(true);
  });

  it("rejects what waits when its worker fails or it is closed", async () => {
    const { worker } = played(({ kind }) => (kind === "needs" ? needs : null));
    const engine = await openFigure(
      "{}",
      () => ({}),
      () => worker as unknown as Worker,
    );
    const waiting = engine.rows();
    worker.onerror?.({ message: "unreachable", preventDefault() {} });
    await expect(waiting).rejects.toThrow("The engine failed at this figure.");
    await expect(engine.digest()).rejects.toThrow("The engine failed at this figure.");
    engine.end();
    expect(worker.ended).toBe(true);
  });
});
