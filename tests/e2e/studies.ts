import type { BrowserContext, Page } from "@playwright/test";
import { expect } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { StudyDocument } from "../../web/src/scenario/study.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { briefWriters } from "./explorer.ts";

/** A question to 24 short runs: how p99 depends on K. */
export const briefStudy: StudyDocument = {
  version: 2,
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

/** All that it says of its runs. */
export const said = (page: Page) => page.locator(".study-progress");

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Waits until the study is done, with so many results from before. */
export const done = (page: Page, kept: number | null = null) =>
  expect(said(page)).toContainText(
    kept === null ? /Done/ : kept === 0 ? /Done\./ : new RegExp(`Done, ${kept} of them kept from before`),
    { timeout: 60_000 },
  );

/** What a window has of the runs of its studies, for tests. */
interface Held {
  runMade(digest: string): void;
  letRunsGo(): number;
}

/**
 * The digests of the runs that studies make in any window of a browser, in their order, whatever is reloaded. Each window begins so many of them,
 * and the others once it is told to (`letRunsGo`).
 */
export async function runsMade(
  context: BrowserContext,
  begun: number | null = null,
): Promise<readonly string[]> {
  const made: string[] = [];
  await context.exposeFunction("runMade", (digest: string) => made.push(digest));
  await context.addInitScript((begun) => {
    const page = window as unknown as Held;
    let left = begun ?? Number.POSITIVE_INFINITY;
    const held: (() => void)[] = [];
    page.letRunsGo = () => {
      left = Number.POSITIVE_INFINITY;
      const going = held.splice(0);
      for (const go of going) go();
      return going.length;
    };
    const Made = window.Worker;
    window.Worker = class extends Made {
      private readonly isOfRuns: boolean;
      /** What it does measures the machine. */
      private measures = false;
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        this.isOfRuns = options?.name === "qoscope run";
        if (!this.isOfRuns) return;
        this.addEventListener("message", ({ data }) => {
          if (data.value?.json && !this.measures) page.runMade(JSON.parse(data.value.json).digest);
        });
      }
      override postMessage(message: { path?: string[]; argumentList?: { value: object }[] }, ...rest: []) {
        const send = () => super.postMessage(message, ...rest);
        if (!this.isOfRuns || message.path?.[0] !== "run") return send();
        this.measures = "mostEvents" in (message.argumentList?.[0]?.value ?? {});
        if (this.measures || left-- > 0) send();
        else held.push(send);
      }
    };
  }, begun);
  return made;
}

/** Lets all runs of a window begin; says how many its workers have been given. */
export const letRunsGo = (page: Page) => page.evaluate(() => (window as unknown as Held).letRunsGo());
