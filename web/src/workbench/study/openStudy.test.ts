// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import type { checkStudy } from "../../engine/campaign/study/studies.ts";
import { EngineRefused } from "../../engine/rpc/errors.ts";
import { setUp } from "../../engine/run/testWorker.ts";
import { isStudy } from "../files/studyFile.ts";
import { sweepView } from "../state/sweepView.ts";
import type { Views } from "../view/views.ts";
import { openStudy } from "./openStudy.ts";

const study = {
  version: 2,
  title: "K",
  vary: [],
  measures: [{ title: "one", value: "1" }],
  ask: { kind: "sweep" },
};

function page(check: (study: string, scenario: string) => Promise<void> = async () => {}) {
  const { session, checks } = setUp();
  const open = vi.fn();
  const views = { open } as unknown as Views;
  const checked: unknown[] = [];
  const opening = (document: unknown) =>
    openStudy(
      session,
      views,
      { name: "k.json", text: typeof document === "string" ? document : JSON.stringify(document) },
      async (...of: Parameters<typeof checkStudy>) => {
        const [study, scenario] = of;
        checked.push(JSON.parse(study), JSON.parse(scenario));
        await check(study, scenario);
      },
    );
  const refusal = () => session.run.getState().refusal;
  return { session, checks, checked, open, opening, refusal };
}

describe("the file of a study", () => {
  it("is told from those of scenarios and lessons", () => {
    expect(isStudy(JSON.stringify(study))).toBe(true);
    expect(isStudy('{"measures": [], "vary": []}')).toBe(true);
    expect(isStudy('{"version": 2, "classes": []}')).toBe(false);
    expect(isStudy('{"steps": [], "measures": 1}')).toBe(false);
  });

  it("opens on the scenario of the page where it has none", async () => {
    const { session, opening, open, checked, checks } = page();
    await opening(study);
    expect(open).toHaveBeenCalledWith(sweepView, { study: JSON.stringify(study) });
    expect(checked).toEqual([study, session.scenario]);
    expect(checks).toHaveLength(0);
  });

  it("opens its own scenario, also by name, also out of an export of results", async () => {
    for (const scenario of ["three-writers", { name: "Own" }]) {
      const { opening, open, checks } = page();
      const opened = opening({ study: { ...study, scenario }, table: {} });
      await vi.waitFor(() => expect(checks).toHaveLength(1), 10_000);
      expect(open).not.toHaveBeenCalled();
      checks[0]?.settle({ kind: "accepted", scenario: { ...setUp().session.scenario, name: "Own" } });
      await opened;
      expect(open).toHaveBeenCalledWith(sweepView, { study: JSON.stringify(study) });
    }
  });

  it("is refused with everything that is wrong, and the page stays as it is", async () => {
    const diagnostics = ["vary[0].path", "measures[0].value"].map((path) => ({
      path,
      reason: "is wrong",
      hint: "Mend it.",
      severity: "error" as const,
    }));
    const { opening, open, refusal, checks } = page(async () => {
      throw new EngineRefused(diagnostics);
    });
    await opening({ ...study, scenario: { name: "Own" } });
    expect(refusal()).toMatchObject({ kind: "invalid", title: "“k.json” was not opened", diagnostics });
    expect(open).not.toHaveBeenCalled();
    expect(checks).toHaveLength(0);
  });

  it("is refused where it is no JSON, no object, names nothing, or is too long for a link", async () => {
    const long = { ...study, text: "x".repeat(30_000) };
    for (const document of [
      '{"measures": [',
      "[1]",
      '{"study": 3}',
      { ...study, scenario: "no-such" },
      long,
    ]) {
      const { opening, open, refusal } = page();
      await opening(document);
      expect(refusal(), JSON.stringify(document).slice(0, 40)).toMatchObject({ kind: "broken" });
      expect(refusal()?.sentence).not.toBe("");
      expect(open).not.toHaveBeenCalled();
    }
  });
});
