import { FigureRuns } from "../../engine/campaign/figures/figureRuns.ts";
import { openFigure } from "../../engine/campaign/figures/figures.ts";
import { scenarioNamed } from "./figureFiles.ts";

/** The figures that are run again in this page, whichever view is shown. */
export const figureRuns = new FigureRuns((json) => openFigure(json, scenarioNamed));
