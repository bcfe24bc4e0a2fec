import { range } from "d3-array";
import type { LadderSteps } from "../../generated/answers.d.ts";
import { amountAxis, roundEnd, timeAxis } from "../drawing/axis.ts";
import { fixed, formatDuration } from "../drawing/format.ts";
import { boxOf, drawAxis, drawGrid, frameOf, horizontal } from "../drawing/frame.ts";
import { REFERENCE_DASH } from "../drawing/plot.ts";
import { pushApart } from "../drawing/pushApart.ts";
import { linePath } from "../drawing/shape.ts";
import type { Surface, TextRun } from "../drawing/surface.ts";
import { classStyle, type Theme } from "../drawing/theme.ts";
import type { Gutters } from "../types.ts";

/** Above the plot, and below it. */
const MARGINS = { top: 34, bottom: 26 };

export interface LadderPicture {
  readonly kindIndex: number;
  readonly name: string;
  readonly steps: LadderSteps;
}

/** What a tenant asks for and gets in every step, and up to where the ladder lets it climb. */
export function drawLadder(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  gutters: Gutters,
  { kindIndex, name, steps }: LadderPicture,
): void {
  const box = boxOf(width, height, { ...gutters, ...MARGINS });
  const { left, right, top, bottom } = box;
  const count = steps.asked.length;
  const toUs = steps.fromUs + count * steps.stepUs;
  const allowed = (step: number) => steps.share + (steps.allowance[step] ?? 0);
  let highest = steps.share;
  for (let step = 0; step < count; step++) {
    highest = Math.max(
      highest,
      steps.sent[step] ?? 0,
      steps.sentByBucket[step] ?? 0,
      Math.min(allowed(step), 8 * steps.share),
    );
  }
  const axes = frameOf(
    box,
    (pixels) => timeAxis([steps.fromUs, toUs], pixels),
    (pixels) => amountAxis(roundEnd(highest * 1.05), pixels),
  );
  const y = axes.y.scale.clamp(true);
  const x = (step: number) => axes.x.scale(steps.fromUs + step * steps.stepUs);
  drawGrid(surface, theme, axes, axes.y);
  const staircase = (value: (step: number) => number) =>
    linePath(surface, range(count + 1), x, (step) => y(value(Math.min(step, count - 1))), true);
  const style = classStyle(theme, kindIndex);
  surface.clipped(left, top - 4, right - left + 1, bottom - top + 5, () => {
    horizontal(surface, left, right, y(steps.share));
    surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
    staircase(allowed);
    surface.stroke({ colour: theme.ink, width: 1 });
    staircase((step) => steps.sentByBucket[step] ?? 0);
    surface.stroke({ colour: style.mark, width: 1, opacity: 0.5 });
    staircase((step) => steps.sent[step] ?? 0);
    surface.stroke({ colour: style.mark, width: 1.75 });
  });
  drawAxis(surface, theme, axes, axes.x);
  const last = Math.max(0, count - 1);
  const labels: (TextRun & { readonly y: number })[] = [
    { y: y(steps.sent[last] ?? 0), text: `${name}, ladder`, colour: style.label, bold: true },
    { y: y(steps.sentByBucket[last] ?? 0), text: "bucket alone", colour: style.label },
    { y: y(allowed(last)), text: "allowed", colour: theme.ink },
    { y: y(steps.share), text: `share ${fixed(steps.share, 1)}`, colour: theme.t2 },
  ];
  const order = labels.toSorted((a, b) => a.y - b.y);
  const places = pushApart(
    order.map((label) => label.y),
    15,
    top,
    bottom,
  );
  order.forEach(({ y: _, ...run }, i) => {
    surface.text(run, right + 10, (places[i] as number) + 4);
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The picture in words. */
export function ladderSentence({ name, steps }: LadderPicture): string {
  const highest = Math.max(0, ...steps.allowance);
  const bursts = steps.allowance.filter((allowance) => allowance > 0).length;
  const worst = (values: readonly number[]) => fixed(Math.max(0, ...values), 0);
  return (
    `${name} has ${fixed(steps.share, 1)} requests in every step of ${formatDuration(steps.stepUs)}. ` +
    `In ${bursts} of ${steps.asked.length} steps it asks for more; the ladder then allows up to ${fixed(highest, 1)} beyond. ` +
    `It sends ${fixed(sum(steps.sent), 0)} requests, with a bucket alone ${fixed(sum(steps.sentByBucket), 0)}; ` +
    `at most ${worst(steps.backlog)} wait, with a bucket ${worst(steps.backlogByBucket)}.`
  );
}
