import { DOCUMENT_LIMIT } from "../../scenario/codec.ts";
import { type Field, flag, keptField, oneOf, text } from "../view/linkedState.ts";
import { shortText } from "../view/shortLinks.ts";
import { defineView } from "../view/views.ts";

/** Letters of the name of a lesson, and of that of a learner. */
const NAME = 80;
/** Letters of a link's answers. */
const ANSWERS = 500_000;
/** Steps of a lesson that a link can name. */
const STEPS = 100;

/** A place in the list of steps, from 0. */
const step: Field<number> = {
  initial: 0,
  write: (value) => value,
  read: (json) =>
    Number.isInteger(json) && Number(json) >= 0 && Number(json) < STEPS ? Number(json) : undefined,
};

/** Lessons: the contents, or one that is taken. */
export const learnView = defineView({
  id: "learn",
  title: "Learn",
  icon: "learn",
  fields: {
    /** The number of a lesson of QoScope, or its id; empty: the contents. */
    lesson: keptField(text(NAME)),
    step: keptField(step),
    /** Predictions are locked in and kept, but not run: what happened waits for a link without this. */
    hide: keptField(flag(false)),
    /** Nothing can be changed but what a step asks for, and steps cannot be left out. */
    lock: keptField(flag(false)),
    /** The seed of all runs, or a name that gives it; empty: that of the scenarios. */
    seed: keptField(text(NAME)),
    /** For a room: large type, one chart. */
    projector: keptField(flag(false)),
    /** The document of a lesson that is none of QoScope's, as JSON; the engine has still to accept it. */
    own: keptField(text(DOCUMENT_LIMIT)),
    /** The teacher's page of a class. */
    page: oneOf(["", "class"], ""),
    /** Answers that a link has, sealed: they are taken in by the page of the class. */
    answers: text(ANSWERS),
  },
  isWithoutRun: true,
  ownsKeys: ({ projector, lesson, own }) => projector && (lesson !== "" || own !== ""),
  short: {
    names: ["learn", "answers"],
    read(name, value, options) {
      if (name === "answers") return { page: "class" as const, answers: value.slice(0, ANSWERS) };
      if (value === "class") return { page: "class" as const };
      const [, lesson = value, place] = /^(.+?)\.(\d+)$/.exec(value) ?? [];
      return {
        lesson: lesson.slice(0, NAME),
        step: Math.min(STEPS, Math.max(1, Number(place ?? 1))) - 1,
        hide: options.has("hide"),
        lock: options.has("lock"),
        projector: options.has("projector"),
        seed: (options.get("seed") ?? "").slice(0, NAME),
      };
    },
    write({ lesson, step: at, hide, lock, seed, projector, own, page }) {
      if (own !== "") return null;
      if (page !== "") return shortText("learn", page);
      const options = { hide, lock, seed, projector };
      return shortText("learn", lesson === "" ? "" : `${lesson}.${at + 1}`, lesson === "" ? {} : options);
    },
  },
});
