import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type FrameLocator, type Page, test } from "@playwright/test";
import { unzipSync } from "fflate";
import { violations } from "./accessible";
import { faultsOf } from "./explorer";
import { built } from "./host";
import { chooseShortLesson, shortLesson } from "./shortLesson";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  json: "application/json",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  woff2: "font/woff2",
};

/** An LMS: a page with a run-time of SCORM around the files of a package. */
interface Lms {
  readonly address: string;
  /** Files of the package, by path. */
  files: Readonly<Record<string, Uint8Array>>;
  /** The LMS's own page. */
  page: string;
  /** What was asked for and is not in the package. */
  readonly missed: string[];
}

const RUNTIMES = {
  "1.2": { file: "scorm12.min.js", create: "API = new Scorm12API", title: "SCORM 1.2" },
  "2004": {
    file: "scorm2004.min.js",
    create: "API_1484_11 = new Scorm2004API",
    title: "SCORM 2004 4th edition",
  },
} as const;
type Version = keyof typeof RUNTIMES;
const VERSIONS = Object.keys(RUNTIMES) as Version[];

let server: Server;
let lms: Lms;
test.beforeEach(async () => {
  const missed: string[] = [];
  lms = { address: "", files: {}, page: "", missed };
  server = createServer(({ url = "" }, response) => {
    const { pathname } = new URL(url, "http://host.invalid");
    const [, runtime] = /^\/runtime\/([\w.]+)$/.exec(pathname) ?? [];
    const path = pathname.replace(/^\/package\//, "");
    const content =
      pathname === "/"
        ? lms.page
        : runtime
          ? readFileSync(`node_modules/scorm-again/dist/${runtime}`)
          : lms.files[path];
    if (content === undefined && pathname !== "/favicon.ico") missed.push(pathname);
    const type = pathname === "/" ? TYPES.html : TYPES[pathname.split(".").at(-1) ?? ""];
    response.writeHead(content === undefined ? 404 : 200, { "Content-Type": type ?? "text/plain" });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  lms = { ...lms, address: `http://localhost:${(server.address() as AddressInfo).port}/` };
});
test.afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Saves a package of a lesson of the teacher's own, passed from half of the score. */
async function savePackage(page: Page, version: Version): Promise<void> {
  await page.goto("./#learn");
  const column = page.getByRole("complementary", { name: "For teachers" });
  await chooseShortLesson(page, column.getByRole("button", { name: "Use a lesson of your own" }));
  await expect(column.getByLabel("Lesson", { exact: true })).toHaveValue("own");
  await column.getByLabel("As", { exact: true }).selectOption(version);
  await column.getByLabel("Passed from").fill("50");
  const saved = page.waitForEvent("download");
  await column.getByRole("button", { name: /^Save/ }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe(`qoscope-short-lesson-scorm-${version}.zip`);
  await expect(column.getByText(/^Saved as .* MB\.$/)).toBeVisible();
  lms.files = unzipSync(readFileSync(await download.path()));
}

const textOf = (path: string): string => Buffer.from(lms.files[path] ?? "").toString("utf8");

/** The file that the manifest has the LMS open. */
const launched = (): string =>
  (/<resource [^>]*href="([^"]*)"/.exec(textOf("imsmanifest.xml"))?.[1] ?? "").replaceAll("&amp;", "&");

type LmsWindow = Window & {
  readonly runtime: { renderCMIToJSONObject(): { readonly cmi: Readonly<Record<string, unknown>> } };
  readonly ended: number;
};

/** Opens the lesson in the LMS, with what it kept of the visit before. */
async function visit(page: Page, version: Version, kept: object = {}): Promise<FrameLocator> {
  const { file, create } = RUNTIMES[version];
  lms.page = `<!doctype html><html lang="en"><title>Course</title><link rel="icon" href="data:,">
    <script src="/runtime/${file}"></script>
    <script>
      window.runtime = window.${create}({ autocommit: false, logLevel: 5 });
      runtime.loadFromJSON(${JSON.stringify(kept)});
      window.ended = 0;
      runtime.on("LMSFinish", () => window.ended++);
      runtime.on("Terminate", () => window.ended++);
    </script>
    <iframe src="/package/${launched()}" title="Lesson" width="1300" height="800"></iframe>`;
  await page.goto(lms.address);
  return page.frameLocator("iframe");
}

/** What the LMS holds, at a path of its data model. */
const held = (page: Page, path: string): Promise<unknown> =>
  page.evaluate((path) => {
    const { cmi } = (window as unknown as LmsWindow).runtime.renderCMIToJSONObject();
    return path
      .split(".")
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], cmi);
  }, path);

/** Closes the lesson as an LMS does, and gives what it kept. */
async function close(page: Page): Promise<object> {
  await page.evaluate(() => document.querySelector("iframe")?.remove());
  await expect.poll(() => page.evaluate(() => (window as unknown as LmsWindow).ended)).toBe(1);
  return page.evaluate(
    () => structuredClone((window as unknown as LmsWindow).runtime.renderCMIToJSONObject()).cmi,
  );
}

/** Runs what was predicted, and reads why. */
async function runAndGoOn(lesson: FrameLocator, next: RegExp | string): Promise<void> {
  await lesson.getByRole("button", { name: "Run", exact: true }).click();
  await expect(lesson.getByRole("status").filter({ hasText: /predicted|Now you know/ })).toBeVisible();
  await lesson.getByRole("button", { name: next }).click();
}

test.use({ serviceWorkers: "allow", reducedMotion: "reduce" });

for (const version of VERSIONS) {
  const is2004 = version === "2004";
  test(`a lesson packed as ${RUNTIMES[version].title} reports score, place and answers, and goes on where it was left`, async ({
    page,
  }) => {
    const faults = faultsOf(page);
    await savePackage(page, version);

    // The package has the page as it was built, the lesson, and a manifest that lists them all.
    const paths = Object.keys(lms.files);
    const manifest = textOf("imsmanifest.xml");
    expect(paths.filter((path) => path.endsWith(".map") || path === "serviceWorker.js")).toEqual([]);
    const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    const fromBuild = paths.filter((path) => !["imsmanifest.xml", "lesson.json"].includes(path));
    expect(fromBuild.length).toBeGreaterThan(50);
    for (const path of fromBuild)
      expect(hash(lms.files[path] ?? Buffer.of()), path).toBe(hash(built(path) ?? Buffer.of()));
    for (const path of paths.filter((one) => one !== "imsmanifest.xml"))
      expect(manifest).toContain(`<file href="${path}"/>`);
    expect(JSON.parse(textOf("lesson.json"))).toEqual(shortLesson);

    const learner = is2004 ? { learner_name: "Lovelace, Ada" } : { core: { student_name: "Lovelace, Ada" } };
    let lesson = await visit(page, version, learner);
    await expect(lesson.getByRole("heading", { name: "Which half?" })).toBeVisible();
    await expect(lesson.getByRole("banner")).toHaveCount(0);
    await expect(lesson.getByText("Reported to the LMS.")).toBeVisible();
    expect(await violations(page)).toEqual([]);

    // A wrong choice, then a right number.
    await lesson.getByRole("radio", { name: /above/ }).check();
    await lesson.getByRole("button", { name: "Lock in" }).click();
    await expect.poll(() => held(page, "interactions.0.id")).toBe("short-lesson-1");
    await runAndGoOn(lesson, /^Next/);
    const number = lesson.getByRole("textbox", { name: "Your prediction" });
    await number.fill("11");
    await number.press("Enter");
    await lesson.getByRole("button", { name: "Lock in" }).click();
    await runAndGoOn(lesson, /^Next/);
    await expect(lesson.getByRole("heading", { name: "How does it go with the rate?" })).toBeVisible();

    const response = is2004 ? "learner_response" : "student_response";
    await expect.poll(() => held(page, is2004 ? "score.raw" : "core.score.raw")).toBe("25");
    expect(await held(page, is2004 ? "location" : "core.lesson_location")).toBe("2");
    expect(await held(page, is2004 ? "completion_status" : "core.lesson_status")).toBe("incomplete");
    expect(await held(page, "interactions.0")).toMatchObject({
      type: "choice",
      [response]: "2",
      correct_responses: { 0: { pattern: "1" } },
      result: is2004 ? "incorrect" : "wrong",
    });
    expect(await held(page, "interactions.1")).toMatchObject({
      id: "short-lesson-2",
      type: "numeric",
      [response]: "11",
      correct_responses: { 0: { pattern: is2004 ? "10[:]10" : "10" } },
      result: "correct",
    });
    const kept = await close(page);
    expect(kept).toMatchObject(is2004 ? { exit: "suspend" } : { core: { exit: "suspend" } });

    // The next visit, in a browser that knows nothing of the first.
    await page.evaluate(() => localStorage.clear());
    lesson = await visit(page, version, kept);
    await expect(lesson.getByRole("heading", { name: "How does it go with the rate?" })).toBeVisible();
    await lesson.getByRole("button", { name: "I don’t know" }).click();
    await runAndGoOn(lesson, /^Next/);
    const threshold = lesson.getByRole("textbox", { name: /ECN threshold/ }).first();
    await threshold.fill("40");
    await threshold.press("Enter");
    await lesson.getByRole("button", { name: "To its end" }).click();
    await expect(lesson.getByText("All goals are met.")).toBeVisible();
    await lesson.getByRole("button", { name: "Finish" }).click();
    await expect(lesson.getByRole("heading", { name: "2 of 4" })).toBeVisible();

    await expect.poll(() => held(page, is2004 ? "score.raw" : "core.score.raw")).toBe("50");
    if (is2004) {
      expect(await held(page, "score.scaled")).toBe("0.5");
      expect(await held(page, "completion_status")).toBe("completed");
      expect(await held(page, "progress_measure")).toBe("1");
    } else expect(await held(page, "core.lesson_status")).toBe("completed");
    expect(await held(page, "interactions.2")).toMatchObject({
      id: "short-lesson-3",
      type: "fill-in",
      [response]: "",
      result: "neutral",
    });
    expect(await held(page, "interactions.3")).toMatchObject({ id: "short-lesson-4", result: "correct" });
    expect(await held(page, "interactions.4")).toBeUndefined();
    const done = await close(page);
    expect(done).toMatchObject(is2004 ? { exit: "normal" } : { core: { exit: "" } });
    expect({ faults, missed: lms.missed }).toEqual({ faults: [], missed: [] });
  });
}

test("a package that finds no LMS says so and goes on, and keeps nothing for use without a network", async ({
  page,
}) => {
  await savePackage(page, "1.2");
  await page.goto(`${lms.address}package/${launched()}`);
  await expect(page.getByRole("heading", { name: "Which half?" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "No LMS answers" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Views" })).toHaveCount(0);
  await page.getByRole("radio", { name: /below/ }).check();
  await page.getByRole("button", { name: "Lock in" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("As you predicted.")).toBeVisible();
  const registered = await page.evaluate(
    async () => (await navigator.serviceWorker.getRegistrations()).length,
  );
  expect(registered).toBe(0);
});

test("a package of one of QoScope's lessons opens it at its step, with what the teacher chose", async ({
  page,
}) => {
  await page.goto("./#learn");
  const column = page.getByRole("complementary", { name: "For teachers" });
  await column.getByLabel("Begin at step").fill("2");
  await column.getByRole("switch", { name: "Lock controls" }).click();
  const saved = page.waitForEvent("download");
  await column.getByRole("button", { name: /^Save/ }).click();
  lms.files = unzipSync(readFileSync(await (await saved).path()));
  expect(launched()).toBe("index.html?scorm=1.2#learn=1.2&lock");
  const lesson = await visit(page, "1.2");
  await expect(lesson.getByText("step 2 of")).toBeVisible();
  await expect.poll(() => held(page, "core.lesson_location")).toBe("1");
});
