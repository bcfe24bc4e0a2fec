import { gzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { isTrace } from "./openFile.ts";

const file = (content: string | Uint8Array<ArrayBuffer>) => new Blob([content]);
const packed = (text: string) => file(gzipSync(new TextEncoder().encode(text)) as Uint8Array<ArrayBuffer>);

/** A row or two of every format of `docs/traces.md`. */
const TRACES = {
  spc: "0,20941264,8192,W,0.551706\n",
  msr: "128166372003061629,hm,1,Read,383496192,32768,413\n",
  systor: "Timestamp,Response,IOType,LUN,Offset,Size\n1456200000.1,0.002,R,3,1,512\n",
  tencent: "1538323200,12910952,128,0,1063\n",
  alibaba: "419,W,8792731648,16384,1577808144360767\n",
  mqsim: "48513000 0 6803032 8 1\n",
  fio: "fio version 3 iolog\n0 /dev/nvme0n1 add\n",
  blkparse: "  8,0    3        1     0.000000000   697  G   W 223490 + 8 [kjournald]\n",
  heading: "time,op,offset,length\n",
  comment: "# requests of a day\n\n0,1,8192,w,0.5\n",
  mark: "\ufeff0,20941264,8192,W,0.551706\r\n",
};

describe("a file is a trace", () => {
  for (const [name, text] of Object.entries(TRACES)) {
    it(`where it has lines with columns: ${name}, also packed`, async () => {
      expect(await isTrace(file(text))).toBe(true);
      expect(await isTrace(packed(text))).toBe(true);
    });
  }

  it("and not where it is JSON, packed or not", async () => {
    for (const text of ['{ "version": 2 }', "\n [1, 2]", '"a, b"', "", "word"]) {
      expect(await isTrace(file(text)), text).toBe(false);
      expect(await isTrace(packed(text)), text).toBe(false);
    }
  });

  it("and not where it is no text", async () => {
    expect(await isTrace(file(new Uint8Array([0x89, 0x50, 0, 1, 0x2c, 0x31])))).toBe(false);
  });

  it("where it is packed and damaged: the reader of traces says so", async () => {
    expect(await isTrace(file(new Uint8Array([0x1f, 0x8b, 1, 2, 3])))).toBe(true);
  });
});
