import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type FrameLocator, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec";
import { violations } from "./accessible";
import { faultsOf, openThreeWriters, threeWriters } from "./explorer";
import { shortLesson } from "./shortLesson";

/** The page around the embed: of another site, since the name of its host differs. */
let around: Server;
let body = "";

test.beforeAll(async () => {
  around = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end(body);
  });
  await new Promise<void>((resolve) => around.listen(0, "127.0.0.1", resolve));
});
test.afterAll(() => {
  around.close();
  around.closeAllConnections();
});

interface Told {
  readonly qoscope: string;
  readonly phase: string;
  readonly timeUs: number;
}

interface Followed {
  readonly qoscope: string;
  readonly scenario: typeof threeWriters;
  readonly diagnostics: readonly { readonly path: string }[];
}

type HostWindow = Window & { readonly told: (Told & { readonly at: number })[] };

/** Opens a page that shows QoScope and notes what it is told. */
async function openHost(
  page: Page,
  baseURL: string | undefined,
  query: string,
  fragment = encodeFragment(threeWriters),
): Promise<FrameLocator> {
  body = `<!doctype html><html lang="en"><title>Course</title><link rel="icon" href="data:,">
    <script>
      window.told = [];
      addEventListener("message", ({ data }) => told.push({ ...data, at: performance.now() }));
    </script>
    <iframe src="${baseURL}?${query}${fragment}" title="A run" width="1300" height="640"></iframe>`;
  await page.goto(`http://127.0.0.1:${(around.address() as AddressInfo).port}/`);
  return page.frameLocator("iframe");
}

/** What the host has been told last. */
const told = (page: Page) => page.evaluate(() => (window as unknown as HostWindow).told.at(-1));

const phase = (page: Page, expected: string) =>
  expect.poll(async () => (await told(page))?.phase).toBe(expected);

const say = (page: Page, message: unknown) =>
  page.evaluate((data) => frames[0]?.postMessage(data, "*"), message);

test("an embed leaves out what it is told to, plays for its host, and tells it where the run stands", async ({
  page,
  baseURL,
}) => {
  const faults = faultsOf(page);
  const embed = await openHost(page, baseURL, "embed&hide=settings,results&autoplay=0&theme=dark");
  await expect(embed.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(embed.getByRole("region", { name: "Signals over time" })).toBeVisible();
  await expect(embed.getByRole("banner")).toHaveCount(0);
  await expect(embed.getByRole("region", { name: "Settings" })).toHaveCount(0);
  await expect(embed.getByRole("complementary", { name: "Results" })).toHaveCount(0);
  await phase(page, "paused");
  expect(await told(page)).toMatchObject({ qoscope: "state", timeUs: 0 });

  const began = await page.evaluate(() => performance.now());
  await say(page, { qoscope: "play" });
  await phase(page, "running");
  await expect.poll(async () => (await told(page))?.timeUs).toBeGreaterThan(1000);
  await say(page, { qoscope: "pause" });
  await phase(page, "paused");
  const messages = await page.evaluate(() => (window as unknown as HostWindow).told);
  const running = messages.filter(({ phase }) => phase === "running");
  // Four a second and one when it begins, however late they arrive: as many as there was time for, and not one a frame.
  const passedMs = (messages.at(-1)?.at ?? 0) - began;
  expect(running.length).toBeLessThanOrEqual(passedMs / 250 + 2);

  await say(page, { qoscope: "open", link: encodeFragment({ ...threeWriters, name: "Another run" }) });
  await expect(embed.locator("html")).toHaveAttribute("data-generation", "2");
  await expect(embed.getByRole("contentinfo")).toContainText("Another run");
  const link = embed.getByRole("link", { name: "Open in QoScope" });
  expect(await link.getAttribute("rel")).toBe("noopener");
  expect(await link.getAttribute("href")).toMatch(/^\/#2\./);
  expect(page.frames()[1]?.url()).toContain("?embed&hide=settings,results&autoplay=0&theme=dark#2.");
  expect(faults).toEqual([]);
});

test("messages act in turn, and a page that follows is told every change and every refusal", async ({
  page,
  baseURL,
}) => {
  const faults = faultsOf(page);
  const embed = await openHost(page, baseURL, "embed&follow&autoplay=0");
  await phase(page, "paused");
  // What is opened plays, not what was there before.
  const another = { ...threeWriters, name: "Another run" };
  await page.evaluate((link) => {
    frames[0]?.postMessage({ qoscope: "open", link }, "*");
    frames[0]?.postMessage({ qoscope: "play" }, "*");
  }, encodeFragment(another));
  const root = embed.locator("html");
  await expect(root).toHaveAttribute("data-generation", "2");
  await expect(root).toHaveAttribute("data-run-state", "running");
  await expect(embed.getByRole("contentinfo")).toContainText("Another run");

  const followed = () =>
    page.evaluate(() =>
      (window as unknown as { told: readonly Followed[] }).told.flatMap(
        ({ qoscope, scenario, diagnostics }) =>
          qoscope === "scenario"
            ? `${scenario.name}, seed ${scenario.seed}`
            : qoscope === "refused"
              ? `refused: ${diagnostics.map(({ path }) => path)}`
              : [],
      ),
    );
  await say(page, { qoscope: "set", path: "seed", value: 12 });
  await expect(root).toHaveAttribute("data-generation", "3");
  const own = [`${threeWriters.name}, seed ${threeWriters.seed}`, `Another run, seed ${threeWriters.seed}`];
  expect(await followed()).toEqual([...own, "Another run, seed 12"]);
  await say(page, { qoscope: "set", path: "seed", value: "many" });
  await expect.poll(followed).toContain("refused: seed");
  // What is refused is taken back.
  expect((await followed()).at(-1)).toBe("Another run, seed 12");
  expect(faults).toEqual([]);
});

test("a page that does not follow is told nothing of the scenario", async ({ page, baseURL }) => {
  await openHost(page, baseURL, "embed&autoplay=0");
  await phase(page, "paused");
  await say(page, { qoscope: "set", path: "seed", value: 12 });
  await say(page, { qoscope: "play" });
  await phase(page, "running");
  const kinds = await page.evaluate(() => [
    ...new Set((window as unknown as HostWindow).told.map(({ qoscope }) => qoscope)),
  ]);
  expect(kinds).toEqual(["state"]);
});

test("a locked embed shows its settings and why they stay; only its host changes them, within what the engine takes", async ({
  page,
  baseURL,
}) => {
  const embed = await openHost(page, baseURL, "embed&lock&hide=fabric&autoplay=0");
  const settings = embed.getByRole("region", { name: "Settings" });
  await expect(settings).toContainText("Locked by the page that shows this.");
  // From then on it hears its host.
  await phase(page, "paused");
  const threshold = settings.getByRole("textbox", { name: "ECN threshold" }).first();
  await expect(threshold).toHaveAttribute("aria-disabled", "true");
  await expect(threshold).toHaveAccessibleDescription("Locked by the page that shows this.");
  const before = await threshold.inputValue();
  await threshold.press("ArrowUp");
  await expect(threshold).toHaveValue(before);
  await expect(embed.getByRole("region", { name: /^Fabric/ })).toHaveCount(0);

  await say(page, { qoscope: "set", path: "switch.ecnThresholdPackets", value: 61 });
  await expect(threshold).toHaveValue("61");
  await say(page, { qoscope: "set", path: "switch.ecnThresholdPackets", value: "many" });
  await expect(embed.getByRole("status").filter({ hasText: "switch.ecnThresholdPackets" })).toBeVisible();
  await expect(threshold).toHaveValue("61");
  expect(await violations(page)).toEqual([]);
});

test("messages that are not the host's, or mean nothing, change nothing", async ({ page, baseURL }) => {
  const faults = faultsOf(page);
  const embed = await openHost(page, baseURL, "embed&autoplay=0");
  await phase(page, "paused");
  const frame = page.frames()[1];
  await frame?.evaluate(() => postMessage({ qoscope: "play" }, "*"));
  for (const message of [
    null,
    "play",
    { qoscope: "stop" },
    { qoscope: "set", path: "no.such[9].place", value: 1 },
    { qoscope: "set", path: "__proto__.polluted", value: 1 },
    { qoscope: "set", path: 7, value: 1 },
    { qoscope: "open", link: 7 },
  ]) {
    await say(page, message);
  }
  await say(page, { qoscope: "set", path: "seed", value: 12 });
  await expect(embed.locator("html")).toHaveAttribute("data-generation", "2");
  await phase(page, "paused");
  expect((await told(page))?.timeUs).toBe(0);
  expect(faults).toEqual([]);
});

test("the popover that shares a run has a frame of it for other pages", async ({ page, baseURL }) => {
  await openThreeWriters(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const html = await page.getByRole("textbox", { name: "Frame for another page" }).inputValue();
  await page.setContent(html);
  const address = await page.locator("iframe").getAttribute("src");
  expect(address).toMatch(new RegExp(`^${baseURL}\\?embed#2\\.`));
});

test("an embedded lesson tells its host how far it is, and nothing of what was answered", async ({
  page,
  baseURL,
}) => {
  const faults = faultsOf(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const state = JSON.stringify({ view: "learn", state: { own: JSON.stringify(shortLesson) } });
  const embed = await openHost(page, baseURL, "embed", encodeFragment(threeWriters, state));
  await expect(embed.getByRole("heading", { name: "Which half?" })).toBeVisible();
  await expect(embed.getByRole("banner")).toHaveCount(0);
  await expect(embed.getByRole("contentinfo")).toContainText("A short lesson");
  const lesson = () =>
    page.evaluate(() => {
      const { told } = window as unknown as HostWindow;
      const { at: _, ...last } = told.findLast(({ qoscope }) => qoscope === "lesson") ?? { at: 0 };
      return last;
    });
  const begun = { qoscope: "lesson", lesson: "short-lesson", steps: 4, questions: 4, done: false };
  await expect.poll(lesson).toEqual({ ...begun, step: 1, answered: 0, score: 0 });
  await embed.getByRole("radio", { name: /below/ }).check();
  await embed.getByRole("button", { name: "Lock in" }).click();
  await expect.poll(lesson).toEqual({ ...begun, step: 1, answered: 1, score: 0 });
  await embed.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(lesson).toEqual({ ...begun, step: 1, answered: 1, score: 1 });
  await embed.getByRole("button", { name: /^Next/ }).click();
  await expect.poll(lesson).toEqual({ ...begun, step: 2, answered: 1, score: 1 });
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
});
