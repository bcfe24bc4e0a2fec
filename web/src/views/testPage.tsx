import { configure } from "@testing-library/react";
import { type TestSession, testSession } from "../panels/testSession.tsx";
import { ViewsProvider } from "../workbench/view/viewContext.tsx";
import { type View, Views } from "../workbench/view/views.ts";
import { PAGES, VIEWS } from "./registry.ts";

export { testScenario } from "../panels/testSession.tsx";

/** For tests of components: the page without an engine. */
export interface TestPage extends TestSession {
  readonly views: Views;
}

export function testPage(
  scenario?: TestSession["session"]["scenario"],
  all: readonly [View, ...View[]] = VIEWS,
): TestPage {
  const page = testSession(scenario);
  const views = new Views(all);
  return {
    ...page,
    views,
    show: (part) => page.show(<ViewsProvider views={views}>{part}</ViewsProvider>),
  };
}

/** What a document without a browser lacks, and the code of the views. */
export async function furnish(): Promise<void> {
  Object.assign(window, { innerWidth: 1440, innerHeight: 900 });
  Object.assign(document, { fonts: new EventTarget() });
  // What is waited for is a state, not a speed: a machine may be busy otherwise.
  configure({ asyncUtilTimeout: 10_000 });
  // Views without a run have tests of their own, and much to read.
  await Promise.all(PAGES.filter(({ view }) => !view.isWithoutRun).map(({ load }) => load()));
}
