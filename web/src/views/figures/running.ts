import { FigureRuns } from "../../engine/figureRuns.ts";
import { openFigure } from "../../engine/figures.ts";
import { scenarioNamed } from "./figureFiles.ts";

/** The figures that are run again in this page, whichever view is shown. */
export const figureRuns = new FigureRuns((json) => openFigure(json, scenarioNamed));
