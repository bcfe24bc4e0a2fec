// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { testPage } from "../../testPage.tsx";
import RackDialog from "./RackDialog.tsx";
import { testRack } from "./testRack.ts";

const engine = vi.hoisted(() => ({ comes: true }));
vi.mock("../../../engine/files/rack.ts", () => ({ openRack: () => testRack(engine.comes) }));

beforeAll(() => {
  Object.assign(window, { innerWidth: 1440, innerHeight: 900 });
});
beforeEach(() => {
  engine.comes = true;
});
afterEach(cleanup);

async function shown() {
  const page = testPage();
  page.show(<RackDialog open onClose={() => {}} />);
  await screen.findByRole("button", { name: /^Switch 5/ });
  return page;
}
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const targets = () => within(screen.getByRole("navigation", { name: "Targets" }));
const choose = (name: RegExp) => fireEvent.click(targets().getByRole("button", { name }));
const lines = () => [...document.querySelectorAll(".rack-file li code")].map((line) => line.textContent);

describe("what other tools take", () => {
  it("is counted for every target, and shown of the first that takes anything", async () => {
    await shown();
    const names = targets()
      .getAllByRole("button")
      .map((button) => button.textContent);
    expect(names).toEqual([
      "Cardsnothingrates",
      "Jobs 0 exactly 0 roughly 1 not at alltwo files",
      "Switch 5 exactly 0 roughly 0 not at allmarking, weights",
      "Reportwhat was set and why, one page",
    ]);
    expect(screen.getByRole("region", { name: "Jobs" }).textContent).toContain("jobs 3");
    expect(screen.getByText("/dev/nvme0n1 stands for your device.")).toBeTruthy();
  });

  it("has its files as tabs, the lines that come from the scenario with from what and of which class", async () => {
    await shown();
    expect(lines()).toEqual(["rw=randread"]);
    fireEvent.click(screen.getByRole("tab", { name: "write.job" }));
    expect(lines()).toEqual(["rw=randwrite", "bs=4k"]);
    expect(document.querySelector(".rack-marked")?.textContent).toBe("bs=4k Medium 4096 B = 4 KiB");
    expect(screen.getByRole("button", { name: "Save write.job" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Save all 2" })).toBeTruthy();
    expect(screen.getByRole("region", { name: "What to type" }).textContent).toContain("job write.job");
  });

  it("leads to the target that takes what this one does not", async () => {
    await shown();
    fireEvent.click(
      within(screen.getByRole("region", { name: "What became of every field" })).getByText("Switch"),
    );
    expect(screen.getByRole("region", { name: "Switch" })).toBeTruthy();
    // One command of one line stands beside the buttons.
    expect(screen.queryByRole("region", { name: "What to type" })).toBeNull();
    expect(screen.getByText("load switch.json")).toBeTruthy();
  });

  it("is short at first where it is long", async () => {
    await shown();
    choose(/^Switch/);
    expect(lines()).toHaveLength(22);
    press("Show all");
    expect(lines()).toHaveLength(40);
    expect(screen.queryByText("Field 2")).toBeNull();
    press("Show all 5 fields");
    expect(screen.getByText("Field 2")).toBeTruthy();
  });

  it("copies what is shown", async () => {
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await shown();
    choose(/^Switch/);
    press("Copy");
    expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith(expect.stringMatching(/^line 1\n[\s\S]*line 40\n$/));
  });

  it("says why a target takes nothing, and what would change that", async () => {
    await shown();
    choose(/^Cards/);
    expect(screen.getByRole("region", { name: "Cards" }).textContent).toContain(
      "no class sends over RDMA. Choose DCQCN.",
    );
    expect(screen.queryByRole("button", { name: /^Save/ })).toBeNull();
  });

  it("is tried again where the engine did not come", async () => {
    engine.comes = false;
    testPage().show(<RackDialog open onClose={() => {}} />);
    expect((await screen.findByRole("alert")).textContent).toBe(
      "The engine could not be fetched. Try again.",
    );
    engine.comes = true;
    press("Try again");
    expect(await screen.findByRole("region", { name: "Jobs" })).toBeTruthy();
  });

  it("has a report of the run as it stands, which prints alone", async () => {
    const { session } = await shown();
    vi.spyOn(session, "summary").mockResolvedValue('{"digest":"0123"}');
    choose(/^Report/);
    expect(await screen.findByRole("heading", { name: "Recommended" })).toBeTruthy();
    expect(document.querySelector(".prints-alone")?.textContent).toContain("Digest 0123");
    expect(screen.getByRole("button", { name: "Save as Markdown" })).toBeTruthy();
  });
});
