import { type FigureRequest, FigureRuns } from "../../engine/campaign/figures/figureRuns.ts";
import { FIGURE_FILES, type FigureFile, RESULTS, scenarioNamed } from "./figureFiles.ts";

/** What the engine needs to run a figure again. */
export const requestOf = (figure: FigureFile): FigureRequest => ({
  id: figure.id,
  json: JSON.stringify(figure),
  events: RESULTS.figures[figure.id]?.events ?? 0,
});

/** The figures that are run again in this page, whichever view is shown. */
export const figureRuns = new FigureRuns(scenarioNamed, {}, sessionStorage);

figureRuns.resumeStored((id) => {
  const figure = FIGURE_FILES.find((file) => file.id === id);
  return figure && requestOf(figure);
});
