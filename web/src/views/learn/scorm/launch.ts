import { learnView } from "../../../workbench/state/learnView.ts";
import { type Chosen, type ClassLink, stateOf } from "../teacher/classLink.ts";
import type { Version } from "./manifest.ts";

/** The file of a package that has a lesson of the teacher's own. */
export const LESSON_FILE = "lesson.json";

/**
 * The file that an LMS opens, with its query and fragment. A lesson of one's own stands in a file of the package, since manifests
 * take short addresses alone: the fragment then names that file.
 */
export function launchOf(version: Version, chosen: Chosen, link: ClassLink): string {
  const state = stateOf(chosen, link);
  const named = chosen.own === "" ? state : { ...state, own: "", lesson: LESSON_FILE };
  return `index.html?scorm=${version}#${learnView.short?.write(named)}`;
}
