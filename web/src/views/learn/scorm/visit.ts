import { createStore } from "zustand/vanilla";
import { progress } from "../../../workbench/lesson/progress.ts";
import { learnView } from "../../../workbench/state/learnView.ts";
import type { Views } from "../../../workbench/view/views.ts";
import { nameStudent } from "../teacher/student.ts";
import { LESSON_FILE } from "./launch.ts";
import { VERSIONS } from "./manifest.ts";
import { reportTo } from "./reporting.ts";
import { findApi, Lms, type LmsState } from "./runtime.ts";

/** What the page says of the LMS. */
export const lmsStore = createStore<LmsState>()(() => ({ phase: "absent", sentence: "" }));

/**
 * Begins a visit from an LMS that speaks a version of SCORM, or any, once the page knows what its address says: the learner has the
 * name that the LMS knows, goes on where she was, and everything that she does is reported until she leaves.
 */
export async function beginVisit(said: string, views: Views): Promise<void> {
  const version = VERSIONS.find((one) => one === said) ?? null;
  const lms = new Lms(findApi(window, version), (state) => lmsStore.setState(state, true));
  addEventListener("pagehide", () => lms.end());
  if (lms.version !== null) {
    if (lms.name) nameStudent(lms.name);
    reportTo(lms, progress);
  }
  const { lesson } = views.stateOf(learnView);
  const own = lesson === LESSON_FILE ? await (await fetch(LESSON_FILE)).text() : null;
  views.change(learnView, {
    ...(own !== null && { own, lesson: "" }),
    ...(lms.bookmark !== null && { step: lms.bookmark }),
  });
}
