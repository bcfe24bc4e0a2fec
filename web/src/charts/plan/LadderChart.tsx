import { PlainChart } from "../frame/PlainChart.tsx";
import type { ExportStamp, Gutters } from "../types.ts";
import { drawLadder, type LadderPicture, ladderSentence } from "./ladder.ts";

interface LadderChartProps {
  readonly picture: LadderPicture;
  readonly height: number;
  readonly gutters: Gutters;
  readonly stamp: ExportStamp;
}

/** The bursts of a tenant under the ladder of its group, beside a plain token bucket. */
export function LadderChart({ picture, height, gutters, stamp }: LadderChartProps) {
  const { steps } = picture;
  return (
    <PlainChart
      id="ladder"
      title="Bursts of groups"
      unit="requests in a step"
      height={height}
      stamp={stamp}
      sentence={ladderSentence(picture)}
      headers={[
        "time (us)",
        "asked (requests)",
        "share (requests)",
        "allowance (requests)",
        "sent (requests)",
        "waiting (requests)",
        "sent by bucket (requests)",
        "waiting by bucket (requests)",
      ]}
      rows={() =>
        steps.asked.map((asked, step) => [
          steps.fromUs + step * steps.stepUs,
          asked,
          steps.share,
          steps.allowance[step] ?? 0,
          steps.sent[step] ?? 0,
          steps.backlog[step] ?? 0,
          steps.sentByBucket[step] ?? 0,
          steps.backlogByBucket[step] ?? 0,
        ])
      }
      draw={(surface, width, high, theme) => drawLadder(surface, theme, width, high, gutters, picture)}
    />
  );
}
