import { createHash } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { FIRST_TITLE, faultsOf, passed } from "./explorer";
import { built, type Host, hostPage } from "./host";

const FOLDER = "/teaching/qoscope/";

test.use({ serviceWorkers: "allow" });

let host: Host;
test.beforeEach(async () => {
  host = await hostPage(FOLDER);
});
test.afterEach(() => host.close());

/** The browser keeps the page, and answers for it. */
const kept = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

const show = (page: Page, view: string) =>
  page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: view }).click();

/** Has the browser look for a new version, and waits until it has fetched or refused it. */
const lookForNext = (page: Page, outcome: "installed" | "redundant") =>
  page.evaluate(async (outcome) => {
    const registration = await navigator.serviceWorker.ready;
    const settled = new Promise<void>((resolve) =>
      registration.addEventListener("updatefound", () => {
        const { installing } = registration;
        installing?.addEventListener("statechange", () => installing.state === outcome && resolve());
      }),
    );
    await registration.update();
    await settled;
  }, outcome);

/** Pauses the run: the browser looks for a new version when the page has nothing else to do. */
async function pause(page: Page): Promise<void> {
  await passed(page, 100);
  await page.keyboard.press("Space");
  await expect(page.locator("html")).toHaveAttribute("data-run-state", "paused");
}

/** What breaks the policy of the page, as the browser tells it. */
async function violationsOf(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("tellViolation", (text: string) => violations.push(text));
  await page.addInitScript(() => {
    const { tellViolation } = window as unknown as { tellViolation(text: string): void };
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      tellViolation(`${violatedDirective}: ${blockedURI}`),
    );
  });
  return violations;
}

test("from a folder of a host with a strict policy the page runs, asks for nothing else, and then needs no host", async ({
  page,
}) => {
  const faults = faultsOf(page);
  const violations = await violationsOf(page);
  const outside: string[] = [];
  page.context().on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(host.address) && !/^(blob|data):/.test(url)) outside.push(url);
  });
  await page.goto(host.address);
  await passed(page, 500);
  await show(page, "Storage");
  await expect(page.getByRole("main")).toContainText("SSD");
  await show(page, "Explore");
  await page
    .getByRole("button", { name: /table and export/ })
    .first()
    .click();
  const picture = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Save as PNG" }).click();
  expect((await picture).suggestedFilename()).toMatch(/\.png$/);

  await kept(page);
  await host.close();
  await page.goto(`${host.address}?theme=dark`);
  await expect(page).toHaveTitle(FIRST_TITLE);
  await passed(page, 500);
  await show(page, "Plan");
  await expect(page.getByRole("main")).toContainText("Contracts");
  expect({ faults, violations, outside, missed: host.missed }).toEqual({
    faults: [],
    violations: [],
    outside: [],
    missed: [],
  });
});

/** Puts another build on the host, which says on the root element that it is. */
function publishNext(): void {
  const read = (name: string) => built(name)?.toString() ?? "";
  const digest = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
  const [theme, worker] = [read("theme.js"), read("serviceWorker.js")];
  const next = `${theme}document.documentElement.dataset.build = "next";\n`;
  host.files.set("theme.js", next);
  host.files.set(
    "serviceWorker.js",
    worker.replace(digest(theme), digest(next)).replace('"version":"', "$&next-"),
  );
}

test("a new version comes whole or not at all, and waits until the person reloads", async ({ page }) => {
  const root = page.locator("html");
  const notice = page.getByRole("status").filter({ hasText: "A new version of QoScope is ready." });
  await page.goto(host.address);
  await kept(page);
  await pause(page);

  publishNext();
  const theme = host.files.get("theme.js") ?? "";
  host.files.set("theme.js", "// not of this build");
  await lookForNext(page, "redundant");
  await expect(notice).toHaveCount(0);

  host.files.set("theme.js", theme);
  await lookForNext(page, "installed");
  await expect(notice).toBeVisible();
  await page.reload();
  await expect(notice).toBeVisible();
  await expect(root).not.toHaveAttribute("data-build");

  await notice.getByRole("button", { name: "Reload" }).click();
  await expect(root).toHaveAttribute("data-build", "next");
  await passed(page, 200);
  await expect(notice).toHaveCount(0);
  expect(await page.evaluate(() => caches.keys())).toEqual([expect.stringMatching(/ next-/)]);
});
