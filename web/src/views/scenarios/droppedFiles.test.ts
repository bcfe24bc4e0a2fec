// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Source } from "../../engine/files/opening.ts";
import type { Session } from "../../engine/run/session.ts";
import type { Views } from "../../workbench/view/views.ts";
import { openDroppedFiles } from "./droppedFiles.ts";

/** What became of dropped files: scenarios that were to be opened, lessons, and traces that were offered. */
function dropped(
  file: File,
): Promise<{ readonly opened?: Source; readonly offered?: File; readonly lesson?: unknown }> {
  return new Promise((resolve) => {
    stop = openDroppedFiles(
      {
        open: async (opened: Source) => resolve({ opened }),
        run: {
          setState: ({ offeredTrace }: { offeredTrace: { file: File } }) =>
            resolve({ offered: offeredTrace.file }),
        },
      } as unknown as Session,
      { open: (_: unknown, lesson: unknown) => resolve({ lesson }) } as unknown as Views,
    );
    const drop = new Event("drop", { cancelable: true });
    dispatchEvent(Object.assign(drop, { dataTransfer: { files: [file] } }));
    expect(drop.defaultPrevented).toBe(true);
  });
}

let stop = () => {};

describe("a file that is dropped", () => {
  afterEach(() => stop());

  it("is a scenario if it is JSON, or text that is no table", async () => {
    for (const text of ['{ "version": 2 }', "[1, 2]", "hello"]) {
      const file = new File([text], "any");
      expect(await dropped(file), text).toEqual({ opened: { kind: "file", file } });
      stop();
    }
  });

  it("is a trace if it has lines of columns, or is packed", async () => {
    for (const content of ["128166372003061629,hm,1,Read,0,4096,10\n", new Uint8Array([0x1f, 0x8b, 8])]) {
      const file = new File([content], "any");
      expect(await dropped(file)).toEqual({ offered: file });
      stop();
    }
  });

  it("is a lesson if it has steps of its kinds, right or not", async () => {
    const own = '{ "steps": [{ "kind": "read", "titel": "Misspelt" }] }';
    expect(await dropped(new File([own], "any"))).toEqual({ lesson: { own } });
  });

  it("is left to the check of scenarios if it cannot be read", async () => {
    const folder = {
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException("NotFoundError")) }),
    } as unknown as File;
    expect(await dropped(folder)).toEqual({ opened: { kind: "file", file: folder } });
  });
});
