import { expect, type Page, test } from "@playwright/test";
import { decodeView } from "../../web/src/scenario/codec.ts";
import { faultsOf, openThreeWriters, passed } from "./explorer";

const fabric = (page: Page) => page.locator("[data-chart=fabric]");
const whole = (page: Page) => page.getByRole("button", { name: "Whole fabric" });

/** What of the network the address says: scale, left, top. */
function linkedZoom(page: Page): readonly number[] | null {
  const linked = decodeView(new URL(page.url()).hash);
  return linked.kind === "json" ? (JSON.parse(linked.json).state?.zoom ?? null) : null;
}

/** Where the name of a pod stands, from the left and the top of the picture. */
async function podAt(page: Page): Promise<readonly [x: number, y: number]> {
  const [frame, name] = await Promise.all([
    fabric(page).boundingBox(),
    fabric(page).locator("text", { hasText: "pod 1" }).filter({ visible: true }).boundingBox(),
  ]);
  if (!frame || !name) throw new Error("the name of the pod is not in the picture");
  return [name.x + name.width / 2 - frame.x, name.y + name.height / 2 - frame.y];
}

test("the network is zoomed by wheel and keys, moved by mouse and keys, and the link shows the same part", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 200);
  const frame = await fabric(page).boundingBox();
  if (!frame) throw new Error("no picture");
  const [x, y] = await podAt(page);

  // What is under the pointer stays there, but for the margins of the picture, which do not grow.
  await page.mouse.move(frame.x + x, frame.y + y);
  await page.keyboard.down("Control");
  for (let notch = 0; notch < 3; notch++) await page.mouse.wheel(0, -40);
  await page.keyboard.up("Control");
  await expect(whole(page)).toBeVisible();
  await expect.poll(async () => Math.abs((await podAt(page))[0] - x)).toBeLessThan(12);

  // The mouse moves it, and the click that ends this opens nothing.
  await page.mouse.down();
  await page.mouse.move(frame.x + x - 60, frame.y + y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await podAt(page))[0]).toBeLessThan(x - 50);
  await expect(fabric(page)).toBeVisible();

  await fabric(page).focus();
  for (const key of ["0", "+", "+", "ArrowRight"]) await page.keyboard.press(key);
  await expect.poll(() => linkedZoom(page)).toEqual([2.25, 0.775, 0.625]);
  const [there, down] = await podAt(page);
  await page.reload();
  await expect(whole(page)).toBeVisible();
  await passed(page, 200);
  await expect.poll(async () => Math.abs((await podAt(page))[0] - there)).toBeLessThan(2);
  expect(Math.abs((await podAt(page))[1] - down)).toBeLessThan(2);

  await fabric(page).focus();
  await page.keyboard.press("0");
  await expect(whole(page)).toHaveCount(0);
  await expect.poll(async () => Math.abs((await podAt(page))[0] - x)).toBeLessThan(2);
  expect(faults).toEqual([]);
});
