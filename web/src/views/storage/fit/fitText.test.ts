import { describe, expect, it } from "vitest";
import { intervalText, remarkTexts, sharedRemarks, signedPercent, valueText } from "./fitText.ts";

const parameter = { title: "x", path: "storage.ssd.x" };

describe("what is said of a fit", () => {
  it("gives values in units that suit them", () => {
    expect(valueText({ ...parameter, unit: "us", value: 52.4 })).toEqual({ value: "52.4", unit: "µs" });
    expect(valueText({ ...parameter, unit: "us", value: 12_000 })).toEqual({ value: "12.0", unit: "ms" });
    expect(valueText({ ...parameter, unit: "bytes", value: 512e6 })).toEqual({ value: "512", unit: "MB" });
    expect(valueText({ ...parameter, unit: "", value: 0.07 })).toEqual({ value: "7.00", unit: "%" });
  });

  it("gives half of an interval in the unit of its value, or its ends where these are not as far from it", () => {
    const fitted = { ...parameter, unit: "bytes", value: 512e6, base: 1 };
    expect(intervalText({ ...fitted, low: 448e6, high: 576e6 })).toBe("± 64.0");
    expect(intervalText({ ...fitted, low: 448e6, high: 1024e6 })).toBe("448 to 1024");
  });

  it("gives errors with a sign and no more digits than they have", () => {
    expect([signedPercent(1.24), signedPercent(-14.2), signedPercent(null)]).toEqual(["+1.2", "−14", "–"]);
  });

  it("names job and field, and not the file again", () => {
    const said = { reason: "is missing", hint: "Take the file as fio wrote it.", severity: "error" as const };
    const of = (path: string) => remarkTexts("a.json", [{ path, ...said }]).map(({ text }) => text);
    expect(of('a.json, job "x", direct')).toEqual([
      'job "x", direct is missing. Take the file as fio wrote it.',
    ]);
    expect(of("a.json")).toEqual(["The file is missing. Take the file as fio wrote it."]);
    expect(of("a.json, line 3")).toEqual(["line 3 is missing. Take the file as fio wrote it."]);
  });

  it("says of several jobs once what is the same of all", () => {
    const said = (job: string, option: string) => ({
      path: `a.json, job "${job}", ${option}`,
      reason: "is odd",
      hint: "Look.",
      severity: "warning" as const,
    });
    const texts = remarkTexts("a.json", [said("x", "filename"), said("y, z", "filename"), said("x", "rw")]);
    expect(texts.map(({ text }) => text)).toEqual([
      "2 jobs, filename is odd. Look.",
      'job "x", rw is odd. Look.',
    ]);
    expect(texts[0]?.places).toBe('job "x", job "y, z"');
  });

  it("says once what several files share, and the rest at its file", () => {
    const said = (file: string, reason: string, severity: "warning" | "error" = "warning") => ({
      path: `${file}, job "x", filename`,
      reason,
      hint: "Look.",
      severity,
    });
    const files = ["qd1.json", "qd4.json"].map((file) => ({
      file,
      remarks: [said(file, "is a file"), said(file, `is ${file}`), said(file, "is bad", "error")],
    }));
    const { shared, own } = sharedRemarks(files);
    expect(shared.map(({ text, places }) => [text, places])).toEqual([
      ["2 files, filename is a file. Look.", "qd1.json, qd4.json"],
    ]);
    expect(own("qd4.json").map(({ reason }) => reason)).toEqual(["is qd4.json", "is bad"]);
    expect(sharedRemarks(files.slice(1)).shared).toEqual([]);
  });
});
