import { describe, expect, it } from "vitest";
import type { AskReply, AskRequest } from "../../rpc/asking.ts";
import type { NeededModel } from "./figureProtocol.ts";
import { openFigure } from "./figures.ts";

/** What a test answers to a question, by its name. */
type Answers = Readonly<Record<string, { readonly answer: unknown } | { readonly refusal: string }>>;

/** A worker that answers from a list by what is asked. */
function answering(answers: Answers) {
  const requests: AskRequest[] = [];
  let ended = false;
  const worker = {
    onmessage: null as ((event: { data: AskReply }) => void) | null,
    onerror: null as ((event: { message: string; preventDefault(): void }) => void) | null,
    postMessage(request: AskRequest) {
      requests.push(request);
      const reply = answers[request.ask] ?? { answer: null };
      const { id } = request;
      const diagnostic = { path: "runs[0].seeds", hint: "Raise it.", severity: "error" } as const;
      const data: AskReply =
        "answer" in reply
          ? { id, answer: reply.answer }
          : { id, diagnostics: [{ ...diagnostic, reason: reply.refusal }] };
      queueMicrotask(() => this.onmessage?.({ data }));
    },
    terminate() {
      ended = true;
    },
  };
  return { worker, requests, hasEnded: () => ended, create: () => worker as unknown as Worker };
}

/** What the worker says of a figure when it opens it. */
const opened = (models: readonly NeededModel[] = []) => ({
  answer: { needs: [{ run: "a", title: "A", seeds: 2, scenario: "three-writers" }], models },
});
const named = (name: string) => ({ name });

describe("a figure that is open", () => {
  it("asks for the scenarios of a run with the document that it names", async () => {
    const { requests, create } = answering({ open: opened(), scenarios: { answer: [{ seed: 2 }] } });
    const figure = await openFigure("{}", named, create);
    expect(await figure.scenarios("a", 2)).toEqual([{ seed: 2 }]);
    expect(requests.at(-1)).toMatchObject({ ask: "scenarios", of: ["a", 2, '{"name":"three-writers"}'] });
  });

  it("computes its models, those of a scenario with its document", async () => {
    const models = [
      { name: "m", scenario: null },
      { name: "n", scenario: "three-writers" },
    ];
    const { requests, create } = answering({ open: opened(models) });
    await (await openFigure("{}", named, create)).models();
    expect(requests.slice(-2)).toMatchObject([
      { ask: "model", of: ["m", null] },
      { ask: "model", of: ["n", '{"name":"three-writers"}'] },
    ]);
  });

  it("is refused with what the engine says, and lets its worker go", async () => {
    const { create, hasEnded } = answering({ open: { refusal: "must be at least 2" } });
    await expect(openFigure("{}", named, create)).rejects.toThrow(
      "runs[0].seeds: must be at least 2. Raise it.",
    );
    expect(hasEnded()).toBe(true);
  });

  it("answers nothing any more once its worker broke down or was ended", async () => {
    const silent = async () => {
      const { worker, create } = answering({ open: opened() });
      const figure = await openFigure("{}", named, create);
      worker.postMessage = () => {};
      return { worker, figure, rows: figure.rows() };
    };
    const broken = await silent();
    broken.worker.onerror?.({ message: "out of memory", preventDefault: () => {} });
    await expect(broken.rows).rejects.toThrow("out of memory");
    await expect(broken.figure.digest()).rejects.toThrow("out of memory");
    const closed = await silent();
    closed.figure.end();
    await expect(closed.rows).rejects.toThrow("closed");
  });
});
