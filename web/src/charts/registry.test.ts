import { describe, expect, it } from "vitest";
import { testRows, testRun } from "../run/testRun.ts";
import { timePlot } from "./drawing/plot.ts";
import { SvgSurface } from "./drawing/surface.ts";
import { THEME as theme } from "./drawing/testTheme.ts";
import { choiceOf, choiceText, FORMS, SUBJECTS, shownBy } from "./registry.ts";
import { createRangeKeeper } from "./time/chartModel.ts";
import { createTimeCursor } from "./time/cursor.ts";
import { drawChart } from "./time/frame.ts";

describe("what charts can show", () => {
  it("has an identifier each, which leads back to it and its form", () => {
    expect(new Set(SUBJECTS.map(({ id }) => id)).size).toBe(SUBJECTS.length);
    for (const form of FORMS)
      for (const subject of form.subjects) expect(shownBy(subject.id)).toEqual({ subject, form });
    expect(shownBy("nothing of the kind")).toBeUndefined();
  });

  it("is written in links and read from them", () => {
    for (const { id } of SUBJECTS) {
      for (const by of ["class", "connection"] as const) {
        const choice = { subject: id, by };
        expect(choiceOf(choiceText(choice))).toEqual(choice);
      }
    }
    for (const text of ["", ":", "unknown", "quality:", "quality:host", "quality:connection:connection"])
      expect(choiceOf(text), text).toBeUndefined();
  });

  it.each(SUBJECTS.map(({ id }) => id))("draws, tables and says %s of a run, also of an empty one", (id) => {
    const { subject, form } = shownBy(id) as NonNullable<ReturnType<typeof shownBy>>;
    const gutters = { left: 56, right: 120 };
    for (const samples of [0, 60]) {
      const run = testRun();
      run.update({ rows: testRows(samples), nowUs: 10 * samples });
      const props = { run, domainUs: [0, 1000] as const, gutters, cursor: createTimeCursor(), height: 160 };
      const model = form.model(props, subject, "class", createRangeKeeper());
      const surface = new SvgSurface(theme);
      drawChart(surface, timePlot(theme, 744, 160, gutters, [0, 1000]), run, model);
      expect(surface.document(744, 160, "#fff", "t", "d")).toContain("<path");
      if (samples === 0) continue;
      expect(model.sentence(9)).toMatch(/\.$/);
      for (const { value, format } of model.table) expect(format(value(9))).toMatch(/./);
    }
  });
});
