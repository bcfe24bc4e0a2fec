import { describe, expect, it } from "vitest";
import { isJobFile } from "./jobFile.ts";

describe("a file is a job file of fio", () => {
  it("where a section is the first that it says, and options follow", () => {
    for (const text of [
      "[global]\nrw=randread\n",
      "; of lab 3, with commas\n# and more\n\n  [read QD 1]  ; alone\r\n  bs = 4k\r\n",
      "\ufeff[a]\nstonewall\niodepth=4\n",
    ])
      expect(isJobFile(text), text).toBe(true);
  });

  it("and not where it is JSON, a trace, or sections without options", () => {
    for (const text of [
      "[1, 2]",
      '[{ "a": 1 }]\n',
      "[\n  1\n]",
      "0,20941264,8192,W,0.551706\n",
      "# requests\n0,1,8192,w,0.5\n",
      "[a]\n",
      "",
    ])
      expect(isJobFile(text), text).toBe(false);
  });
});
