import { checkStudy } from "../../engine/campaign/study/studies.ts";
import type { Refusal } from "../../engine/files/opening.ts";
import { EngineRefused } from "../../engine/rpc/errors.ts";
import type { Session } from "../../engine/run/session.ts";
import { scenarioNamed } from "../../scenario/named.ts";
import { sweepView } from "../state/sweepView.ts";
import type { Views } from "../view/views.ts";

/** A study's file. */
interface StudyText {
  readonly name: string;
  readonly text: string;
}

/**
 * Opens a study, also with the results that were exported with it, on its scenario; on that of the page where it has none. It comes to the page
 * once the engine has accepted it, and is refused with everything that is wrong.
 */
export async function openStudy(
  session: Session,
  views: Views,
  { name, text }: StudyText,
  check: typeof checkStudy = checkStudy,
): Promise<void> {
  try {
    const { scenario, ...study } = studyIn(text);
    const base =
      typeof scenario === "string" ? await scenarioNamed(scenario) : (scenario ?? session.scenario);
    const [asked, document] = [JSON.stringify(study), JSON.stringify(base)];
    await check(asked, document);
    if (sweepView.fields.study.read(asked) === undefined) throw new Error(TOO_LONG);
    const show = () => views.open(sweepView, { study: asked });
    if (base === session.scenario) show();
    else {
      const opened = await session.open({ kind: "file", file: new File([document], name) });
      if (opened === "opened") show();
    }
  } catch (error) {
    session.run.setState({ refusal: refusalOf(error, name) });
  }
}

const TOO_LONG =
  "It is longer than a link may be, without its scenario. Give ranges in place of long lists of values.";

/** What a text holds of a study: an object, whatever is in it. */
function studyIn(text: string): Readonly<Record<string, unknown>> {
  const document = objectOf(JSON.parse(text));
  return "study" in document ? objectOf(document.study) : document;
}

function objectOf(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return { ...json };
  throw new Error("A study is a JSON object with what varies, what is measured, and what is asked.");
}

function refusalOf(error: unknown, name: string): Refusal {
  const title = `“${name.slice(0, 80)}” was not opened`;
  if (!(error instanceof EngineRefused)) {
    const sentence = error instanceof Error ? error.message : String(error);
    return { kind: "broken", title, sentence, diagnostics: [] };
  }
  const { diagnostics } = error;
  const sentence =
    diagnostics.length === 1
      ? "An error keeps the study from running."
      : "These errors keep the study from running.";
  return { kind: "invalid", title, sentence, diagnostics };
}
