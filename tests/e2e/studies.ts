import type { BrowserContext, Page } from "@playwright/test";
import { expect } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { StudyDocument } from "../../web/src/scenario/study.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { briefWriters } from "./explorer.ts";

/** A question to 24 short runs: how p99 depends on K. */
export const briefStudy: StudyDocument = {
  version: 1,
  title: "K and what it costs",
  vary: [{ path: "switch.ecnThresholdPackets", range: { from: 5, to: 400, count: 6, scale: "log" } }],
  seeds: { count: 4 },
  measures: [
    { title: "Utilisation", value: "network.bottleneckUtilisation" },
    { title: "p99 latency", value: "classes['{class}'].latencyUs.p99", unit: "us" },
  ],
  ask: { kind: "sweep" },
};

/** A link to a study of a scenario. */
export const studyLink = (study: StudyDocument = briefStudy, scenario: Scenario = briefWriters) =>
  `./${encodeFragment(scenario, JSON.stringify({ view: "sweep", state: { study: JSON.stringify(study) } }))}`;

/** "12 of 24 runs" */
export const progress = (page: Page) => page.getByRole("status").filter({ hasText: /of \d+ runs/ });

/** Results that there are, by what the view says. */
export const known = async (page: Page) =>
  Number(/^([\d,]+) of/.exec((await progress(page).textContent()) ?? "")?.[1]?.replaceAll(",", "") ?? 0);

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Waits until the study is done. */
export const done = (page: Page, kept: number | null = null) =>
  expect(page.locator(".study-progress")).toContainText(
    kept === null ? /Done/ : kept === 0 ? /Done\./ : new RegExp(`Done, ${kept} of them kept from before`),
    { timeout: 60_000 },
  );

/** The digests of the runs that studies make in any window of a browser, in their order, whatever is reloaded. */
export async function runsMade(context: BrowserContext): Promise<readonly string[]> {
  const made: string[] = [];
  await context.exposeFunction("runMade", (digest: string) => made.push(digest));
  await context.addInitScript(() => {
    const Made = window.Worker;
    window.Worker = class extends Made {
      private measuring = false;
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (options?.name !== "qoscope run") return;
        this.addEventListener("message", ({ data }) => {
          if (data.kind === "done" && !this.measuring)
            (window as unknown as { runMade(digest: string): void }).runMade(JSON.parse(data.json).digest);
        });
      }
      override postMessage(message: object, ...rest: []) {
        if ("scenario" in message) this.measuring = "mostEvents" in message;
        super.postMessage(message, ...rest);
      }
    };
  });
  return made;
}
