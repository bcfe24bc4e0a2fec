import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, WINDOWS } from "./accessible";
import { dropFile, faultsOf, linkedScenario } from "./explorer";

const JOBS = `; what the lab runs
[global]
ioengine=io_uring
direct=1
filename=/dev/nvme0n1
runtime=30
time_based
[High]
rw=randread
bs=4k
iodepth=16
numjobs=2
[backup]
rw=write
bs=128k
iodepth=4
rate=,200m
lockmem=1g
`;

const dialog = (page: Page) => page.getByRole("dialog", { name: "Job file “lab.fio”" });

async function opened(page: Page, text: string): Promise<void> {
  await page.goto("./");
  await page.waitForFunction(() => document.documentElement.dataset.runState !== undefined);
  await dropFile(page, "lab.fio", text);
  await expect(dialog(page)).toBeVisible();
}

test("a job file of fio shows what becomes of every line, and then its jobs are the workloads", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await opened(page, JOBS);
  await expect(dialog(page).getByRole("region", { name: "Workloads" })).toContainText(
    /2 workloads.*High.*backup/s,
  );
  const became = dialog(page).getByRole("region", { name: "What became of every option" });
  await became.getByRole("button", { name: /^Show all \d+ options/ }).click();
  await expect(became).toContainText(/\[High\] line 10\s*bs=4k → /);
  await expect(became).toContainText(/\[backup\] line 18\s*lockmem=1g/);
  const before = JSON.parse(await linkedScenario(page));
  await dialog(page).getByRole("button", { name: "Use as workloads" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect
    .poll(async () =>
      JSON.parse(await linkedScenario(page)).workloads.map((of: { class: string }) => of.class),
    )
    .toEqual(["High", "backup"]);
  const after = JSON.parse(await linkedScenario(page));
  expect(after.workloads[0]).toMatchObject({
    connections: 2,
    readFraction: 1,
    traffic: { kind: "closed-loop", outstanding: 16, size: { kind: "fixed", bytes: 4096 } },
  });
  // Nothing else is stated that was not.
  expect(after.topology).toEqual(before.topology);
  expect(after.storage).toEqual(before.storage);
  await expect(page.locator("html")).not.toHaveAttribute("data-run-state", "refused");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => JSON.parse(await linkedScenario(page))).toEqual(before);
  expect(faults).toEqual([]);
});

test("a job file that cannot be run is told by line, job and option, and changes nothing", async ({
  page,
}) => {
  await opened(
    page,
    readFileSync("wasm-core/crates/interop/tests/fio/jobs/backup.fio", "utf8").replace(/^bs=.*$/m, "bs=1.5k"),
  );
  await expect(dialog(page).getByRole("alert")).toContainText("which stays as it is");
  await expect(dialog(page).getByRole("listitem").first()).toContainText(/lab\.fio, line \d+.*bs/);
  await expect(dialog(page).getByRole("button", { name: "Use as workloads" })).toHaveCount(0);
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await expect(dialog(page)).toHaveCount(0);
});

for (const [name, width, height] of WINDOWS) {
  test(`a job file is accessible on a ${name}`, { tag: name === "tablet" ? "@full" : [] }, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await opened(page, JOBS);
    await expect(dialog(page).getByRole("button", { name: "Use as workloads" })).toBeVisible();
    await expectAccessible(page, '[role="dialog"]');
  });
}
