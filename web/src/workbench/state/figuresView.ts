import type { FigureVerdict } from "../../answers/figures.ts";
import { oneOf, word } from "../view/linkedState.ts";
import { shortText } from "../view/shortLinks.ts";
import { defineView } from "../view/views.ts";

/** Verdicts that figures are chosen by. */
export const VERDICTS: readonly FigureVerdict[] = ["reproduced", "inOrder", "not", "unpublished"];

/** Longest id of a figure, and longest search, that a link holds. */
const TEXT = 64;

/** Published figures beside what our runs give: all of them, or one that is opened. */
export const figuresView = defineView({
  id: "figures",
  title: "Figures",
  icon: "figures",
  isWithoutRun: true,
  fields: {
    /** The figure that is opened, by its id; none while all are shown. */
    figure: word("", TEXT),
    /** The paper whose figures are shown; of all, while it is empty. */
    paper: word(""),
    verdict: oneOf(["all", ...VERDICTS], "all"),
    search: word("", TEXT),
  },
  short: {
    names: ["figures", "figure"],
    read(name, value, options) {
      if (name === "figure") return { figure: value.slice(0, TEXT) };
      const option = (key: string) => (options.get(key) ?? "").slice(0, TEXT);
      return {
        paper: option("paper"),
        verdict: VERDICTS.find((verdict) => verdict === option("verdict")) ?? ("all" as const),
        search: option("search"),
      };
    },
    write: ({ figure, paper, verdict, search }) =>
      figure === ""
        ? shortText("figures", "", { paper, verdict: verdict === "all" ? "" : verdict, search })
        : shortText("figure", figure),
  },
});
