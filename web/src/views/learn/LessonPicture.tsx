import { PictureChart } from "../../charts/picture/PictureChart.tsx";
import type { Picture } from "../../generated/answers.d.ts";

interface LessonResults {
  readonly lessons: Readonly<Record<string, { readonly picture?: Picture | null }>>;
}

/** Results of the lessons of QoScope, as their test has written them. */
const files = import.meta.glob<LessonResults>("../../../../scenarios/results/lessons.json", {
  eager: true,
  import: "default",
});
const PICTURES = Object.values(files)[0]?.lessons ?? {};

/** The picture of a lesson on the page of contents, drawn from results. */
export function LessonPicture({ id }: { readonly id: string }) {
  const picture = PICTURES[id]?.picture;
  return <div className="lesson-picture">{picture && <PictureChart picture={picture} small />}</div>;
}

interface LessonPlotProps {
  readonly picture: Picture | null;
  /** The question that it answers is not answered yet. */
  readonly waits: boolean;
  readonly height: number;
}

/** The plot of a step, drawn from the results of this learner's runs. */
export function LessonPlot({ picture, waits, height }: LessonPlotProps) {
  if (picture) return <PictureChart picture={picture} height={height} />;
  return (
    <p className="note" role="status">
      {waits ? "Empty until you have predicted." : "Its runs are computed …"}
    </p>
  );
}
