// @vitest-environment happy-dom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { firstScenario } from "../../scenario/first.ts";
import type { Scenario } from "../../scenario/types.ts";
import { figuresView } from "../../workbench/state/figuresView.ts";
import { learnView } from "../../workbench/state/learnView.ts";
import type { Views } from "../../workbench/view/views.ts";
import { furnish, testPage, testScenario } from "../testPage.tsx";
import SharePopover from "./SharePopover.tsx";

beforeAll(furnish);
afterEach(cleanup);

/** The text of the popover over a scenario and a view. */
async function shared(scenario: Scenario, open: (views: Views) => void = () => {}): Promise<string> {
  const page = testPage(scenario);
  open(page.views);
  const anchor = { current: document.body };
  await act(async () => void page.show(<SharePopover open onClose={() => {}} anchor={anchor} />));
  return (await screen.findByRole("dialog")).textContent ?? "";
}

describe("what is shared", () => {
  it("run_has_its_seed_and_files", async () => {
    const text = await shared(testScenario);
    expect(text).toContain("Share this run");
    expect(text).toContain("is in it: the same result, bit for bit.");
    expect(screen.getByRole("button", { name: "File" })).toBeTruthy();
  });

  it("figures_and_lessons_have_no_run_and_no_files_of_one", async () => {
    for (const [view, title] of [
      [figuresView, "Figures"],
      [learnView, "Learn"],
    ] as const) {
      const text = await shared(firstScenario, (views) => views.show(view));
      expect(text).toContain(`Share ${title}`);
      expect(text).toContain(`Opens ${title}. No run is in it.`);
      expect(text).toContain(`Shows ${title} in a page of your own.`);
      expect(text).not.toMatch(/[Ss]eed|bit for bit|this run/);
      expect(screen.queryByRole("button", { name: "File" })).toBeNull();
      cleanup();
    }
  });

  it("figures_beside_a_changed_run_say_that_the_run_is_in_the_link", async () => {
    const text = await shared(testScenario, (views) => views.show(figuresView));
    expect(text).toContain("Opens Figures. The run that Explore shows is in it, too.");
  });

  it("replayed_traces_are_not_in_the_link", async () => {
    const [workload] = testScenario.workloads;
    const traffic = { kind: "trace", file: "disk.csv" };
    const text = await shared({ ...testScenario, workloads: [{ ...workload, traffic }] } as Scenario);
    expect(text).toContain("disk.csv is not: send the trace along.");
    expect(text).not.toContain("bit for bit");
  });
});
