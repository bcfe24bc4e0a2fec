import { expect, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec";
import { violations } from "./accessible";
import {
  asFastAsPossible,
  digest,
  ended,
  linkedScenario,
  openThreeWriters,
  passed,
  threeWriters,
} from "./explorer";

test("a visitor is shown around in four steps, leaves when she likes, and is not asked again", async ({
  page,
}) => {
  await page.goto("./");
  await passed(page, 100);
  await page.getByRole("button", { name: "Show me around" }).click();
  const card = page.getByRole("dialog");
  await expect(card).toContainText("1 of 4");
  await card.getByRole("button", { name: "Next" }).click();
  await expect(card).toContainText("2 of 4");
  // The page goes on below, and answers.
  await page.getByRole("button", { name: "Agnostic storage" }).click();
  await expect(page.locator(".recorded li")).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  await card.getByRole("button", { name: "Next" }).click();
  await card.focus();
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await page.reload();
  await passed(page, 100);
  await expect(page.getByRole("button", { name: "Show me around" })).toHaveCount(0);
  await page.keyboard.press("Shift+H");
  await expect(card).toContainText("1 of 4");
});

test("what a scenario claims lights up when it comes true", async ({ page }) => {
  await openThreeWriters(page);
  const claims = page.getByRole("list", { name: "What holds now" });
  await asFastAsPossible(page);
  await ended(page);
  await expect(claims).toContainText("Holds: Distance of Q from 1 at most 0.05 (now 0.0");
  await expect(claims).toContainText("Holds: High: throughput share at least 47 % (now 4");
  await page.goto("./");
  await passed(page, 3000);
  await expect(claims).toContainText("Holds: Commands waiting for devices at least 50");
});

test("a teacher writes a story by keys and pointer; the run goes on, and the link has it", {
  tag: "@full",
}, async ({ page }) => {
  const { story: _, ...plain } = { ...threeWriters, durationUs: 3000 };
  await page.goto(`./${encodeFragment(plain)}`);
  await asFastAsPossible(page);
  await ended(page);
  const before = await digest(page);
  await page.getByRole("button", { name: "Write a story" }).press("Enter");
  const editor = page.getByRole("dialog", { name: "Story" });
  await editor.getByRole("textbox", { name: "Story" }).fill("Watch the shares.");
  await editor.getByRole("textbox", { name: "Name" }).fill("Lesson one");
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(/Lesson one/);

  await editor.getByRole("button", { name: "Take the charts shown now" }).click();
  await expect(editor.getByRole("group", { name: "Charts" })).toContainText(
    "Throughput, Quality factor, Bottleneck queue",
  );
  await editor.getByRole("button", { name: "Add a claim" }).click();
  await editor.getByRole("combobox", { name: "Claim 1, metric" }).selectOption({ label: "Throughput share" });
  await editor.getByRole("combobox", { name: "Claim 1, class" }).selectOption("High");
  await expect(editor.getByRole("group", { name: "Claims" })).toContainText(/Now 0\.\d+, shown as \d+\s%/);
  await editor.getByRole("textbox", { name: "Claim 1, from" }).fill("0.2");
  await page.keyboard.press("Enter");
  const claims = page.getByRole("list", { name: "What holds now" });
  await expect(claims).toContainText("Holds: High: throughput share at least 20 %");
  expect(await digest(page)).toBe(before);
  expect(await violations(page)).toEqual([]);

  // What the engine refuses stays in its field, and the story as it was.
  await editor.getByRole("textbox", { name: "Story" }).fill("");
  await editor.getByRole("textbox", { name: "Story" }).blur();
  await expect(editor.getByRole("alert")).toContainText("Story is empty");
  await expect(page.getByRole("region", { name: "What this shows" })).toContainText("Watch the shares.");
  await editor.getByRole("textbox", { name: "Story" }).fill("Watch the shares change.");
  await editor.getByRole("textbox", { name: "Story" }).blur();
  await expect(page.getByRole("region", { name: "What this shows" })).toContainText(
    "Watch the shares change.",
  );
  await editor.getByRole("button", { name: "Close story" }).click();

  await page.getByRole("textbox", { name: "ECN threshold" }).first().fill("60");
  await page.keyboard.press("Enter");
  await ended(page);
  await page.getByRole("button", { name: "Edit story" }).click();
  await editor.getByRole("button", { name: "Add what differs now as a try" }).click();
  await editor.getByRole("textbox", { name: "Try 1, label" }).fill("A lower threshold");
  await page.keyboard.press("Enter");
  const tried = page.getByRole("button", { name: "A lower threshold" });
  await expect(tried).toHaveAttribute("aria-pressed", "true");
  // In a field for words the keys of undo are the field's own.
  await editor.getByRole("button", { name: "Delete try 1" }).focus();
  await page.keyboard.press("Control+z");
  await expect(page.getByRole("button", { name: "K 60 packets" })).toBeVisible();
  await page.keyboard.press("Shift+Control+z");
  await expect(tried).toBeVisible();

  await expect.poll(() => linkedScenario(page)).toContain("A lower threshold");
  await page.reload();
  await expect(page.getByRole("region", { name: "What this shows" })).toContainText(
    "Watch the shares change.",
  );
  await expect(tried).toBeVisible();
});

test("at 1024 px and in an embed of 960 by 640 the story is in sight; a stranger is told what QoScope is", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto("./");
  await passed(page, 100);
  const story = page.getByRole("region", { name: "What this shows" });
  await expect(story.getByText("Seven hosts read and write")).toBeInViewport({ ratio: 1 });
  await expect(story.getByRole("list", { name: "What holds now" })).toBeInViewport({ ratio: 1 });
  await expect(story.getByRole("button", { name: "Show me around" })).toBeInViewport();
  await expect(story).toContainText("QoScope simulates networked storage packet by packet");
  await page.getByRole("button", { name: "Hide what QoScope is" }).click();
  await expect(story).not.toContainText("QoScope simulates");

  await page.setViewportSize({ width: 960, height: 640 });
  await page.goto("./?embed");
  await passed(page, 100);
  await expect(story.getByText("Seven hosts read and write")).toBeInViewport({ ratio: 1 });
  await expect(story.getByRole("list", { name: "What holds now" })).toBeInViewport({ ratio: 1 });
});
