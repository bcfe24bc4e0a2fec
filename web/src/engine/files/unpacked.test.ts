import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { unpacked } from "./unpacked.ts";

/** A file, as a browser hands it over: in few, large chunks. */
function packed(bytes: Buffer): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(out) {
      const chunk = 2 ** 20;
      for (let at = 0; at < bytes.length; at += chunk)
        out.enqueue(new Uint8Array(bytes.subarray(at, at + chunk)));
      out.close();
    },
  });
}

/** Reads to the end; how many bytes came, how many at most at once, and why no more. */
async function read(stream: ReadableStream<Uint8Array>) {
  let [bytes, largest] = [0, 0];
  let fault: unknown = null;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length;
      largest = Math.max(largest, next.value.length);
    }
  } catch (error) {
    fault = error;
  }
  return { bytes, largest, fault };
}

/** Lines like those of a trace. */
const trace = (lines: number) =>
  Array.from(
    { length: lines },
    (_, i) => `0,${(i * 7919) % 1_000_003},4096,${i % 3 ? "W" : "R"},${i / 1000}\n`,
  ).join("");

describe("what is packed", () => {
  it("comes out whole where it is a trace", async () => {
    const text = trace(100_000);
    const { bytes, fault } = await read(unpacked(packed(gzipSync(text))));
    expect({ bytes, fault }).toEqual({ bytes: text.length, fault: null });
  });

  it("is refused with a sentence, early, where it unpacks to a thousand times its size", async () => {
    // Three hundred million zeros in 0.3 MB: the bound is at 64 million.
    const bomb = gzipSync(Buffer.alloc(300e6));
    const { bytes, largest, fault } = await read(unpacked(packed(bomb)));
    expect(fault).toMatch(/^The file is no trace: its first 0\.[1-3] MB unpack to more than 64 MB\./);
    expect(bytes).toBeLessThanOrEqual(64e6);
    expect(largest).toBeLessThan(17e6);
  });

  it("may be small and unpack to a thousand times its size below that", async () => {
    const { bytes, fault } = await read(unpacked(packed(gzipSync(Buffer.alloc(60e6)))));
    expect({ bytes, fault }).toEqual({ bytes: 60e6, fault: null });
  });

  it("is refused where it is cut off", async () => {
    const whole = gzipSync(trace(10_000));
    const { fault } = await read(unpacked(packed(whole.subarray(0, whole.length / 2))));
    expect(fault).toBeInstanceOf(Error);
  });
});
