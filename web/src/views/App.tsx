import { Suspense, useEffect } from "react";
import { useStore } from "zustand";
import type { Session } from "../engine/run/session.ts";
import { SessionProvider } from "../panels/context.tsx";
import { scenarioOf } from "../scenario/store.ts";
import { fetchUntilThere } from "../ui/fetching.ts";
import { fetchParts } from "../ui/onDemand.tsx";
import { part } from "../ui/part.tsx";
import { GuardedBy } from "../workbench/Guarded.tsx";
import type { Embed } from "../workbench/view/embed.ts";
import { ViewsProvider } from "../workbench/view/viewContext.tsx";
import type { Views } from "../workbench/view/views.ts";
import { Page } from "./frame/Page.tsx";
import { useShortcuts } from "./frame/shortcuts.ts";
import { keepAddress } from "./keepAddress.ts";
import { PAGES } from "./registry.ts";
import "./notices/Problems.css";

const problems = () => import("./notices/Problems.tsx");
const LinkProblem = part(async () => ({ default: (await problems()).LinkProblem }));

interface AppProps {
  readonly session: Session;
  readonly views: Views;
  readonly embed?: Embed | null;
  /** The fragment of the address that is being opened. */
  readonly opened?: string;
}

/** The page, once the scenario that the address holds has been accepted. */
export function App({ session, views, embed = null, opened }: AppProps) {
  const begun = useStore(session.run, (run) => run.begun);
  const refusal = useStore(session.run, (run) => run.refusal);
  useShortcuts(session, views, begun);
  useEffect(() => (embed ? undefined : keepAddress(session, views, opened)), [session, views, embed, opened]);
  useEffect(() => pauseInBackground(session), [session]);
  useEffect(() => nameTheTab(session), [session]);
  useEffect(() => (begun ? printWell(session) : undefined), [session, begun]);
  useEffect(
    () => (begun ? whenIdle(embed ? fetchParts : fetchTheRest) : void problems().catch(() => {})),
    [begun, embed],
  );
  return (
    <GuardedBy session={session} name="The page">
      <ViewsProvider views={views} embed={embed}>
        {begun ? (
          <SessionProvider session={session}>
            <Page pages={PAGES} />
          </SessionProvider>
        ) : (
          <Suspense fallback={<Opening />}>
            {refusal ? <LinkProblem session={session} refusal={refusal} /> : <Opening />}
          </Suspense>
        )}
      </ViewsProvider>
    </GuardedBy>
  );
}

const Opening = () => (
  <main className="problem">
    <p role="status">Opening the link …</p>
  </main>
);

/** What the page does without at first: the scripts of its other parts, then a copy of all files for use without a network. */
async function fetchTheRest(): Promise<void> {
  await fetchParts();
  if (import.meta.env.PROD) {
    await import("../offline/keepOffline.ts").then(({ keepOffline }) => keepOffline(), console.warn);
  }
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
    document.title = `${scenarioOf(session.store.getState()).name} · QoScope`;
  };
  name();
  return session.store.subscribe(name);
}

const printing = () => import("./frame/printing.ts");

/** What is printed is a report, from when its script has come. */
function printWell(session: Session): () => void {
  let stop = () => {};
  let over = false;
  const listen = async () => {
    const { printReports } = await fetchUntilThere(printing);
    if (!over) stop = printReports(session);
  };
  const cancel = whenIdle(() => void listen());
  return () => {
    over = true;
    cancel();
    stop();
  };
}

/** Calls back once the browser has nothing else to do; Safari, which does not tell, after a second. */
function whenIdle(callback: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(callback, 1000);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(callback);
  return () => cancelIdleCallback(request);
}
