import { useEffect, useState } from "react";
import type { Session } from "../engine/session.ts";
import { SessionProvider } from "../panels/context.tsx";
import type { Decoded } from "../scenario/codec.ts";
import { firstScenario } from "../scenario/first.ts";
import { documentOf } from "../scenario/store.ts";
import { keepAddress, watchAddress } from "./address.ts";
import { Explore } from "./Explore.tsx";
import { LinkProblem } from "./Problems.tsx";
import { useShortcuts } from "./shortcuts.ts";

interface AppProps {
  readonly session: Session;
  /** What the address held when the page was opened. */
  readonly link: Decoded;
}

/** The page: opens what the address holds, and keeps it there. */
export function App({ session, link }: AppProps) {
  const [opened, setOpened] = useState(link);
  const problem = opened.kind === "newer" || opened.kind === "broken" ? opened : null;
  useShortcuts(session);
  useEffect(() => {
    if (opened.kind === "newer" || opened.kind === "broken") return undefined;
    session.begin(opened.kind === "scenario" ? opened.scenario : firstScenario);
    return keepAddress(session);
  }, [opened, session]);
  useEffect(() => watchAddress(setOpened), []);
  useEffect(() => pauseInBackground(session), [session]);
  useEffect(() => nameTheTab(session), [session]);
  if (problem) return <LinkProblem problem={problem} onOpen={setOpened} />;
  return (
    <SessionProvider session={session}>
      <Explore />
    </SessionProvider>
  );
}

function pauseInBackground(session: Session): () => void {
  const changed = () => {
    if (document.hidden) session.background();
  };
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

function nameTheTab(session: Session): () => void {
  const name = () => {
    document.title = `${documentOf(session.scenario.getState()).name} · QoScope`;
  };
  name();
  return session.scenario.subscribe(name);
}
