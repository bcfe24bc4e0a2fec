import type { LadderSteps } from "../../answers/plan.ts";
import { fixed, formatDuration } from "../drawing/format.ts";
import { crisp, horizontal, REFERENCE_DASH } from "../drawing/plot.ts";
import { pushApart } from "../drawing/pushApart.ts";
import type { Surface, TextRun } from "../drawing/surface.ts";
import { classStyle, type Theme } from "../drawing/theme.ts";
import { amountTicks, niceMaximum, timeTicks } from "../drawing/ticks.ts";
import type { Gutters } from "../types.ts";

const TITLE = 34;
const BELOW = 26;

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
  const left = gutters.left;
  const right = Math.max(left + 1, width - gutters.right);
  const bottom = height - BELOW;
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
  const most = niceMaximum(highest * 1.05);
  const y = (requests: number) => bottom - (Math.min(requests, most) / most) * (bottom - TITLE);
  const x = (step: number) => left + (step / Math.max(count, 1)) * (right - left);
  for (const { value, label } of amountTicks(most)) {
    horizontal(surface, left, right, y(value));
    surface.stroke({ colour: theme.line, width: 1 });
    surface.text({ text: label, colour: theme.t3 }, left - 8, y(value) + 4, { align: "end" });
  }
  const staircase = (value: (step: number) => number) => {
    surface.begin();
    for (let step = 0; step < count; step++) {
      if (step === 0) surface.moveTo(x(0), y(value(0)));
      else surface.lineTo(x(step), y(value(step)));
      surface.lineTo(x(step + 1), y(value(step)));
    }
  };
  const style = classStyle(theme, kindIndex);
  surface.clipped(left, TITLE - 4, right - left + 1, bottom - TITLE + 5, () => {
    horizontal(surface, left, right, y(steps.share));
    surface.stroke({ colour: theme.t2, width: 1, dash: REFERENCE_DASH });
    staircase(allowed);
    surface.stroke({ colour: theme.ink, width: 1 });
    staircase((step) => steps.sentByBucket[step] ?? 0);
    surface.stroke({ colour: style.mark, width: 1, opacity: 0.5 });
    staircase((step) => steps.sent[step] ?? 0);
    surface.stroke({ colour: style.mark, width: 1.75 });
  });
  horizontal(surface, left, right, bottom);
  surface.stroke({ colour: theme.line2, width: 1 });
  for (const tick of timeTicks(steps.fromUs, toUs, right - left)) {
    const at = crisp(x((tick.value - steps.fromUs) / steps.stepUs));
    surface.begin();
    surface.moveTo(at, bottom);
    surface.lineTo(at, bottom + 4);
    surface.stroke({ colour: theme.line2, width: 1 });
    surface.text({ text: tick.label, colour: theme.t3 }, at, bottom + 16, { align: "middle" });
  }
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
    TITLE,
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
