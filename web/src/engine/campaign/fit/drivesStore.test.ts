import "fake-indexeddb/auto";
import { describe, expect, it, vi } from "vitest";
import { Drives } from "./drivesStore.ts";

const drive = (name: string, readLsbUs: number) => ({ drive: 1, name, ssd: { readLsbUs }, evidence: null });
const names = (drives: Drives) => drives.store.getState().drives.map(({ name }) => name);

describe("the drives of a browser", () => {
  it("are there again when the page is opened anew, latest first", async () => {
    const before = new Drives("again");
    await before.keep(drive("Lab 1", 50), 1);
    await before.keep(drive("Lab 2", 60), 2);
    const after = new Drives("again");
    await after.load();
    expect(names(after)).toEqual(["Lab 2", "Lab 1"]);
    expect(after.store.getState().drives[1]?.drive.ssd).toEqual({ readLsbUs: 50 });
  });

  it("take the place of those of the same name, and are gone when they are removed", async () => {
    const drives = new Drives("same");
    await drives.keep(drive("Lab", 50), 1);
    await drives.keep(drive("Lab", 70), 2);
    expect(drives.store.getState().drives.map((kept) => kept.drive.ssd)).toEqual([{ readLsbUs: 70 }]);
    await drives.remove(drives.store.getState().drives[0]?.id ?? "");
    const after = new Drives("same");
    await after.load();
    expect(names(after)).toEqual([]);
  });

  it("stay for as long as the page where the browser keeps nothing, and that is said", async () => {
    const open = vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("no", "SecurityError");
    });
    const drives = new Drives("refused");
    await drives.keep(drive("Lab", 50));
    open.mockRestore();
    expect(names(drives)).toEqual(["Lab"]);
    expect(drives.store.getState().fault).toMatch(/keeps nothing/);
  });
});
