import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import "./styles/index.css";
import { createSession } from "./engine/run/session.ts";
import { firstScenario } from "./scenario/first.ts";
import { createScenarioStore } from "./scenario/store.ts";
import { fetchUntilThere } from "./ui/fetching.ts";
import { prefersReducedMotion } from "./ui/media.ts";
import { followSystemTheme } from "./ui/theme.ts";
import { App } from "./views/App.tsx";
import { PAGES, VIEWS } from "./views/registry.ts";
import { openDroppedFiles } from "./views/scenarios/droppedFiles.ts";
import { openAddress, showAsOpened, tellWhereItWaits } from "./workbench/view/address.ts";
import { embedOf } from "./workbench/view/embed.ts";
import { Views } from "./workbench/view/views.ts";

const embed = embedOf(location.search);
const session = createSession(createScenarioStore(firstScenario), {
  reducedMotion: prefersReducedMotion(),
  ...embed,
});

/** Where the run stands, for tests and for other programs that watch the page. */
session.run.subscribe(({ phase, nowUs, generation, digest }) => {
  const { dataset } = document.documentElement;
  dataset.runState = phase;
  dataset.timeUs = String(nowUs);
  dataset.generation = String(generation);
  dataset.digest = digest ?? "";
});

const views = new Views(VIEWS);

showAsOpened(session, views);
tellWhereItWaits(session, views);
followSystemTheme();
if (!embed?.lock) openDroppedFiles(session, views);
const opened = location.hash;
const opening = openAddress(session, views, opened);
const { scorm = null } = embed ?? {};
/** What an LMS keeps of the visit before is there before anything is shown. */
const arrived =
  scorm === null
    ? null
    : opening
        .then(() => fetchUntilThere(() => import("./views/learn/scorm/visit.ts")))
        .then(({ beginVisit }) => beginVisit(scorm, views));
if (embed && scorm === null)
  void fetchUntilThere(() => import("./views/share/embedHost.ts")).then(({ speakWithHost }) =>
    speakWithHost(session, views, embed, opening),
  );
// The first view is the one that most visits show: its code comes while the scenario is opened.
PAGES[0].load().catch(() => {}); // The view says so where it is shown.
const root = document.getElementById("root");
// As a transition React renders in slices of a few milliseconds.
if (root) {
  const page = createRoot(root);
  const show = () =>
    startTransition(() => page.render(<App session={session} views={views} embed={embed} opened={opened} />));
  if (arrived) void arrived.finally(show);
  else show();
}
