import { readFileSync } from "node:fs";
import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { expectAccessible, violations } from "./accessible";
import { faultsOf } from "./explorer";
import { chooseShortLesson, shortLesson } from "./shortLesson";

test.use({ reducedMotion: "reduce" });

const columnOf = (page: Page): Locator => page.getByRole("complementary", { name: "For teachers" });

/** Gives the column a lesson of the teacher's own. */
async function useShortLesson(page: Page): Promise<Locator> {
  await page.goto("./#learn");
  const column = columnOf(page);
  await chooseShortLesson(page, column.getByRole("button", { name: "Use a lesson of your own" }));
  await expect(column.getByLabel("Lesson", { exact: true })).toHaveValue("own");
  return column;
}

/** What a button puts into the clipboard. */
async function copied(page: Page, button: Locator): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button.click();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** A student with a browser of her own, who opens a link. */
async function student(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

const lockIn = (page: Page) => page.getByRole("button", { name: "Lock in" }).click();

test("a link has what the teacher chose, and no student", async ({ page }) => {
  const faults = faultsOf(page);
  await page.goto("./#learn");
  const column = columnOf(page);
  const link = column.getByLabel("Link", { exact: true });
  await column.getByLabel("Lesson", { exact: true }).selectOption("equal-or-by-ratio");
  await expect(link).toHaveText(/#learn=3\.1$/);
  await column.getByLabel("Begin at step").fill("4");
  await column.getByRole("switch", { name: "Hide answers" }).click();
  await column.getByRole("switch", { name: "Lock controls" }).click();
  await column.getByLabel("Seed").selectOption("fixed");
  await column.getByLabel("Number").fill("17");
  await expect(link).toHaveText(/#learn=3\.4&hide&lock&seed=17$/);
  await column.getByLabel("Seed").selectOption("name");
  await expect(link).toHaveText(/#learn=3\.4&hide&lock&seed=name$/);
  await expect(column.getByText("no student data in the link")).toBeVisible();
  const copy = await copied(page, column.getByRole("button", { name: "Copy link" }));
  expect(copy).toMatch(/^http:\/\/localhost:\d+\/#learn=3\.4&hide&lock&seed=name$/);
  await expect(column.getByRole("button", { name: "Copied" })).toBeVisible();
  // A step that there is not is put right when the field is left.
  await column.getByLabel("Begin at step").fill("99");
  await column.getByLabel("Begin at step").blur();
  const steps = await column.getByText(/^of \d+$/).textContent();
  await expect(column.getByLabel("Begin at step")).toHaveValue(steps?.replace("of ", "") ?? "");
  expect(faults).toEqual([]);
});

test("behind a link that hides answers a prediction is kept and nothing is revealed, until a link without it", async ({
  page,
  browser,
}) => {
  const column = await useShortLesson(page);
  const plainLink = await copied(page, column.getByRole("button", { name: "Copy link" }));
  await column.getByRole("switch", { name: "Hide answers" }).click();
  await column.getByRole("switch", { name: "Lock controls" }).click();
  await column.getByLabel("Seed").selectOption("name");
  const hiding = await copied(page, column.getByRole("button", { name: /Cop/ }));

  const context = await browser.newContext({ reducedMotion: "reduce" });
  const her = await student(context, hiding);
  const faults = faultsOf(her);
  await expect(her.getByRole("heading", { name: "What is your name?" })).toBeVisible();
  expect(await violations(her)).toEqual([]);
  await her.getByLabel("Name").fill("  Ada   Lovelace ");
  await her.keyboard.press("Enter");
  await expect(her.getByRole("heading", { name: "Which half?" })).toBeVisible();
  await expect(her.getByRole("button", { name: "Open in Explore" })).toHaveCount(0);
  // Locked: a later step opens only after the ones before it.
  await expect(her.getByRole("listitem").filter({ hasText: "Step 4" })).toHaveCount(1);
  await expect(her.getByRole("button", { name: /^Step 4/ })).toHaveCount(0);
  await her.getByRole("radio", { name: /above/ }).check();
  await lockIn(her);
  await expect(her.getByText("What happened is hidden until your teacher")).toBeVisible();
  await expect(her.getByRole("button", { name: "Run", exact: true })).toHaveCount(0);
  await expect(her.getByText(/what happened$/)).toHaveCount(0);
  await expect(her.getByText("Many begin with a large one.")).toHaveCount(0);
  // Her name is in her browser, not in the address.
  expect(await her.evaluate(() => localStorage.getItem("qoscope.student"))).toBe("Ada Lovelace");
  await expect.poll(() => her.evaluate(() => location.hash)).not.toContain("Ada");
  await her.getByRole("button", { name: /^Next/ }).click();
  await expect(her.getByRole("heading", { name: "How many?" })).toBeVisible();
  await her.getByRole("button", { name: "I don’t know" }).click();
  await her.getByRole("button", { name: /^Next/ }).click();
  // Nor does the text of a later step tell what a run gave.
  await expect(her.getByText(/here \d+ Gb\/s\. High carries – Gb\/s\./)).toBeVisible();

  const unhidden = hiding.replace(/#.*/, "");
  expect(plainLink.startsWith(unhidden)).toBe(true);
  await column.getByRole("switch", { name: "Hide answers" }).click();
  const showing = await copied(page, column.getByRole("button", { name: /Cop/ }));
  const later = await student(context, showing);
  await expect(later.getByRole("radio", { name: /above/ })).toBeChecked();
  await expect(later.getByText("Locked in. What happened is hidden")).toHaveCount(0);
  await later.getByRole("button", { name: "Run", exact: true }).click();
  await expect(later.getByText("Not as you predicted.")).toBeVisible();
  await expect(later.getByText("Many begin with a large one.")).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

/** Takes the short lesson as a student whose name is known, and gives the page at its end. */
async function take(page: Page, name: string, option: RegExp, number: string): Promise<void> {
  await page.getByRole("radio", { name: option }).check();
  await lockIn(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText(/s you predicted\./)).toBeVisible();
  await page.getByRole("button", { name: /^Next/ }).click();
  const field = page.getByRole("textbox", { name: "Your prediction" });
  await field.fill(number);
  await field.press("Enter");
  await lockIn(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText(/s you predicted\./)).toBeVisible();
  await page.getByRole("button", { name: /^Next/ }).click();
  await page.getByRole("button", { name: "I don’t know" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("Now you know.")).toBeVisible();
  await page.getByRole("button", { name: /^Next/ }).click();
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByLabel("Your name").fill(name);
}

test("three students hand in by file, link and code, and the class page shows what they predicted", async ({
  page,
  browser,
}) => {
  const column = await useShortLesson(page);
  const link = await copied(page, column.getByRole("button", { name: "Copy link" }));
  const handIn = async (name: string, option: RegExp, number: string) => {
    const context = await browser.newContext({
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const her = await student(context, link);
    await take(her, name, option, number);
    return her;
  };
  const ada = await handIn("Ada", /above/, "60");
  const saved = ada.waitForEvent("download");
  await ada.getByRole("button", { name: "Save file" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("short-lesson-ada-answers.json");
  const adas = readFileSync(await file.path(), "utf8");
  expect(JSON.parse(adas)).toMatchObject({
    student: "Ada",
    answers: { 0: { answer: { option: 1 }, judgement: { right: false } } },
  });
  await ada.getByRole("button", { name: "QR code" }).click();
  await expect(ada.getByRole("img", { name: /QR code/ })).toBeVisible();
  expect(await violations(ada)).toEqual([]);
  const bo = await handIn("Bo", /below/, "10");
  const bos = await copied(bo, bo.getByRole("button", { name: "Copy link" }));
  await ada.context().close();
  await bo.context().close();

  const faults = faultsOf(page);
  await page.goto("./#learn=class");
  await page.getByLabel("Answer files").setInputFiles([
    { name: "ada.json", mimeType: "application/json", buffer: Buffer.from(adas) },
    { name: "cut.json", mimeType: "application/json", buffer: Buffer.from(adas.slice(0, 300)) },
    {
      name: "none.json",
      mimeType: "application/json",
      buffer: Buffer.from('{"qoscope":"answers","version":1}'),
    },
    {
      name: "cy.json",
      mimeType: "application/json",
      buffer: Buffer.from(adas.replace('"Ada"', '"Cy"')),
    },
    {
      name: "ada again.json",
      mimeType: "application/json",
      buffer: Buffer.from(adas.replace(/"saved": "[^"]*"/, '"saved": "2020-01-01T00:00:00.000Z"')),
    },
  ]);
  await page.getByRole("button", { name: "Paste links" }).click();
  await page
    .getByLabel(/^Links to answers/)
    .fill(`Hello,\n${bos}\n\nand one that was cut:\n${bos.slice(0, -40)}`);
  await page.getByRole("button", { name: "Take these in" }).click();

  // What is damaged is named with its faults, and the others stand.
  const refused = page.getByRole("region", { name: /^Not taken: 4/ });
  await expect(refused.getByRole("listitem").filter({ hasText: "cut.json" })).toContainText("no JSON");
  await expect(refused.getByRole("listitem").filter({ hasText: "none.json" }).first()).toContainText(
    "saved: missing",
  );
  await expect(refused).toContainText("The link is damaged");
  await expect(page.getByText("handed in more than once")).toBeVisible();

  // It is no lesson of QoScope's: its questions come with its file.
  await chooseShortLesson(page, page.getByRole("button", { name: "Open its file" }));
  await expect(page.getByText("3 students")).toBeVisible();
  const first = page.getByRole("region", { name: /Which half/ });
  await expect(first.getByText("1 of 3 right")).toBeVisible();
  await expect(first.getByRole("listitem").filter({ hasText: "below 50 packets" })).toContainText("right1");
  await expect(first.getByRole("listitem").filter({ hasText: "above 50 packets" })).toContainText("2");
  const second = page.getByRole("region", { name: /How many/ });
  await expect(second.getByRole("img")).toHaveAccessibleName(
    /3 answered, 0 do not know: 60 packets, 60 packets, 10/,
  );
  await expect(page.getByRole("region", { name: /How does it go/ })).toContainText(
    "0 of 3 right, 3 do not know",
  );

  // Names are hidden until they are shown.
  const students = page.getByRole("table");
  await expect(students.getByRole("rowheader")).toHaveText(["Student 1", "Student 2", "Student 3"]);
  await expect(page.getByRole("main")).not.toContainText("Ada");
  await page.getByRole("switch", { name: "Show names" }).click();
  await expect(students.getByRole("rowheader")).toHaveText(["Ada", "Cy", "Bo"]);
  await expect(students.getByRole("row").last()).toContainText("2 of 4");

  // The teacher's own runs judge anew, whatever a file says.
  await page.getByRole("button", { name: "Judge here" }).click();
  await expect(page.getByText("Judged here by runs under 1 seed.")).toBeVisible();
  await expect(first.getByText("1 of 3 right")).toBeVisible();

  const table = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save table" }).click();
  const csv = readFileSync(await (await table).path(), "utf8");
  expect(csv.split("\r\n")).toHaveLength(1 + 3 * 4 + 1);
  expect(csv).toContain("Bo,,");
  await expectAccessible(page);
  expect(faults).toEqual([]);

  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await expect(page.getByRole("button").filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole("table")).toBeVisible();
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString("latin1")).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
});

test("answers judged by nobody are judged on the page of the class, also where a file lies", async ({
  page,
}) => {
  await page.goto("./#learn=class");
  const lying = {
    qoscope: "answers",
    version: 1,
    lesson: { id: shortLesson.id, title: shortLesson.title, hash: "" },
    student: "Eve",
    seed: "Eve",
    saved: "2026-01-01T00:00:00.000Z",
    done: [0],
    answers: {
      1: {
        answer: { kind: "number", value: 90 },
        judgement: {
          right: true,
          distance: "",
          happened: { kind: "number", value: 90, text: "90 packets" },
          feedback: null,
        },
        at: "2026-01-01T00:00:00.000Z",
        seconds: 1,
      },
    },
    challenges: {},
  };
  const { hashOf } = await import("../../web/src/workbench/lesson/progress");
  lying.lesson.hash = hashOf(shortLesson);
  await page
    .getByLabel("Answer files")
    .setInputFiles([
      { name: "eve.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(lying)) },
    ]);
  await chooseShortLesson(page, page.getByRole("button", { name: "Open its file" }));
  const question = page.getByRole("region", { name: /How many/ });
  await expect(question.getByText("1 of 1 right")).toBeVisible();
  await page.getByRole("button", { name: "Judge here" }).click();
  await expect(page.getByText("Judged here by runs under 1 seed.")).toBeVisible();
  await expect(question.getByText("0 of 1 right")).toBeVisible();
});

test("a link to answers opens the page of the class with them", async ({ page }) => {
  const { encodeNamed } = await import("../../web/src/scenario/codec");
  await page.goto(`./${encodeNamed("answers", '{"qoscope":"answers"}')}`);
  await expect(page.getByRole("heading", { name: "Class" })).toBeVisible();
  await expect(page.getByRole("region", { name: /^Not taken: 1/ })).toContainText("version: missing");
  await expect.poll(() => page.evaluate(() => location.hash)).toBe("#learn=class");
});

test("the projector shows one question and one chart, and keys go on", async ({ page }) => {
  const faults = faultsOf(page);
  const column = await useShortLesson(page);
  await column.getByRole("button", { name: "Open the projector" }).click();
  const room = page.locator(".projector");
  await expect(page.getByRole("heading", { name: "Which half?" })).toBeVisible();
  await expect(page.getByRole("banner")).toHaveCount(0);
  await expect(room).toHaveAttribute("data-stage", "ask");
  await expect(page.getByText("below 50 packets")).toBeVisible();
  await expect(page.locator("[data-chart]").filter({ visible: true })).toHaveCount(1);
  await page.keyboard.press("PageDown");
  await expect(room).toHaveAttribute("data-stage", "run");
  await expect(page.getByText("what happened")).toHaveCount(0);
  await page.keyboard.press("Space");
  await expect(room).toHaveAttribute("data-stage", "explain");
  await expect(page.getByRole("listitem").filter({ hasText: "below" })).toContainText("what happened");
  await expect(page.getByText("It is 10 packets.")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: "How many?" })).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("heading", { name: "Which half?" })).toBeVisible();
  const size = await page
    .getByRole("heading", { name: "Which half?" })
    .evaluate((title) => Number.parseFloat(getComputedStyle(title).fontSize));
  expect(size).toBeGreaterThanOrEqual(36);
  await expectAccessible(page);
  // Nothing that a room sees is kept as somebody's answer.
  expect(await page.evaluate(() => localStorage.getItem("qoscope.learn") ?? "")).not.toContain('answer":{');
  await page.keyboard.press("Escape");
  await expect(room).toHaveCount(0);
  await expect(page.getByRole("banner")).toBeVisible();
  expect(faults).toEqual([]);
});

test("the projector shows a question before its answer, and without its text", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("./#learn=1.3&projector");
  const room = page.locator(".projector");
  await expect(room).toHaveAttribute("data-stage", "ask");
  await expect(page.getByText("Empty until you have predicted.")).toBeVisible();
  await expect(room.locator(".live-picture svg")).toHaveCount(0);
  await page.goto("./#learn=3.4&projector");
  await expect(page.locator(".projector-prompt")).toBeInViewport();
  await expect(page.locator(".projector-scale")).toBeInViewport();
  const text = page.locator(".projector details");
  await expect(text).not.toHaveAttribute("open");
  await text.locator("summary").click();
  await expect(text.locator("p").first()).toBeVisible();
});

test("handout and answer sheet are printed on A4, one to write on and one with what the runs gave", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.addInitScript(() => {
    window.print = () => {
      document.documentElement.dataset.printed = "true";
    };
  });
  const column = await useShortLesson(page);
  await column.getByRole("button", { name: "Print the handout" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-printed", "true");
  const handout = page.getByRole("article", { name: "Handout" });
  await page.emulateMedia({ media: "print" });
  await expect(handout).toBeVisible();
  await expect(page.getByRole("main").filter({ visible: true })).toHaveCount(0);
  await expect(handout.getByText("Where is the threshold?")).toBeVisible();
  await expect(handout.getByRole("img", { name: /^Empty scale/ })).toBeVisible();
  await expect(handout.getByRole("img", { name: /^Empty chart/ })).toBeVisible();
  await expect(handout).not.toContainText("It is 10 packets");
  // Of results there are blanks, since what was predicted before them would be told.
  await expect(handout).toContainText(/rate of its link, here \d+ Gb\/s\. High carries _____ Gb\/s\./);
  const pages = async () => (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  const paper = await pages();
  expect(paper).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
  expect(paper.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(3);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(page.locator(".sheets")).toHaveCount(0);
  await page.emulateMedia({ media: null });

  await column.getByRole("button", { name: "Print the answer sheet" }).click();
  const sheet = page.getByRole("article", { name: "Answer sheet" });
  // On the screen there is nothing of it.
  await expect(page.locator(".sheets")).toHaveCount(1);
  await expect(sheet).toHaveCount(0);
  await page.emulateMedia({ media: "print" });
  await expect(sheet.getByRole("listitem").filter({ hasText: "below 50 packets" })).toContainText(
    "what happened",
  );
  await expect(sheet).toContainText("It is 10 packets.");
  await expect(sheet).toContainText(/High carries \d[\d.]* Gb\/s\./);
  await expect(sheet.getByRole("img", { name: "Measured: 10, 20, 30" })).toBeVisible();
  await expect(sheet).toContainText("switch.ecnThresholdPackets = 40");
  expect(await pages()).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
  expect(faults).toEqual([]);
});

for (const [name, width, height] of [
  ["tablet", 1024, 768],
  ["phone", 390, 844],
] as const) {
  test(`what a teacher needs fits on a ${name}, light and dark`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto("./#learn");
    await columnOf(page).scrollIntoViewIfNeeded();
    await expect(columnOf(page).getByRole("button", { name: "Copy link" })).toBeVisible();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto("./#learn=class");
    await expect(page.getByRole("button", { name: "Choose files" })).toBeVisible();
    await expectAccessible(page);
    await context.close();
  });
}
