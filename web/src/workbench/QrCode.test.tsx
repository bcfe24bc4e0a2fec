import qrcode from "qrcode-generator";
import { describe, expect, it } from "vitest";
import { modulesOf, QR_LIMIT } from "./QrCode.tsx";

describe("the code of a link", () => {
  it("is the smallest that holds it, with the dark modules of it and no others", () => {
    const text = "https://host.example/#2.abcdef.AAAA";
    const { size, path } = modulesOf(text);
    // 35 bytes need version 3: 29 modules a side hold 53 at level L.
    expect(size).toBe(29);
    const dark = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].flatMap(([, x, y, width]) =>
      Array.from({ length: Number(width) }, (_, i) => `${Number(x) + i} ${y}`),
    );
    const code = qrcode(3, "L");
    code.addData(text, "Byte");
    code.make();
    const all = Array.from({ length: size * size }, (_, i) => [i % size, Math.floor(i / size)] as const);
    expect(new Set(dark)).toEqual(
      new Set(all.filter(([x, y]) => code.isDark(y, x)).map(([x, y]) => `${x} ${y}`)),
    );
  });

  it("holds what its limit says, and no more", () => {
    expect(modulesOf("a".repeat(QR_LIMIT)).size).toBe(177);
    expect(() => modulesOf("a".repeat(QR_LIMIT + 1))).toThrow();
  });
});
