import { describe, expect, it } from "vitest";
import { isLog, isNamedAsLog } from "./measuredFile.ts";

describe("a log of fio", () => {
  it("is told from a trace by the name that fio gives it", () => {
    for (const name of [
      "a_clat.1.log",
      "a_clat_hist.12.log",
      "a_slat.log",
      "a_lat.1.log",
      "a_bw.1.log",
      "a_iops.log",
    ])
      expect(isNamedAsLog(name), name).toBe(true);
    for (const name of ["a.log", "a_clat.txt", "lab.iolog", "flat.log", "a_clat.1.log.gz"])
      expect(isNamedAsLog(name), name).toBe(false);
  });

  it("is no result that was given this ending", () => {
    expect(isLog("run.log", "100, 5000, 0, 4096, 0\n")).toBe(true);
    expect(isLog("run.log", '{\n  "fio version" : "fio-3.33"')).toBe(false);
    expect(isLog("run.log", 'note\n{ "fio version" : "fio-3.33"')).toBe(false);
    expect(isLog("run.json", "100, 5000, 0, 4096, 0\n")).toBe(false);
  });
});
