import { createRoot } from "react-dom/client";
import "./styles/index.css";
import { Session } from "./engine/session.ts";
import { decodeFragment } from "./scenario/codec.ts";
import { firstScenario } from "./scenario/first.ts";
import { createScenarioStore } from "./scenario/store.ts";
import { prefersReducedMotion } from "./ui/media.ts";
import { followSystemTheme } from "./ui/theme.ts";
import { App } from "./views/App.tsx";

const session = new Session(createScenarioStore(firstScenario), {
  reducedMotion: prefersReducedMotion(),
});

/** Where the run stands, for tests and for other programs that watch the page. */
session.run.subscribe(({ phase, nowUs, generation, digest }) => {
  const { dataset } = document.documentElement;
  dataset.runState = phase;
  dataset.timeUs = String(nowUs);
  dataset.generation = String(generation);
  dataset.digest = digest ?? "";
});

followSystemTheme();
const root = document.getElementById("root");
if (root) createRoot(root).render(<App session={session} link={decodeFragment(location.hash)} />);
