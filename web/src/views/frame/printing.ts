import { formatMilliseconds } from "../../charts/drawing/format.ts";
import { stampLine } from "../../charts/frame/export.ts";
import { drawForPrint } from "../../charts/frame/printing.ts";
import { noteLine } from "../../charts/notes/notes.ts";
import type { Session } from "../../engine/run/session.ts";
import { noteMarks } from "../../panels/noting.ts";
import { statedSettings } from "../../panels/statedSettings.ts";
import { stampOf } from "../../workbench/stamp.ts";
import "./printing.css";

/** Makes a report of the page while it is printed: always light, headed by what it is and where it comes from. */
export function printReports(session: Session): () => void {
  const { dataset } = document.documentElement;
  let restore = () => {};
  const before = () => {
    restore();
    const { theme = "light" } = dataset;
    dataset.theme = "light";
    // What shows nothing of the run has a report of its own, and may have charts in it; what prints alone is one.
    if (document.querySelector(".page-without-run, .prints-alone")) {
      const clear = drawForPrint();
      restore = () => {
        clear();
        dataset.theme = theme;
        restore = () => {};
      };
      return;
    }
    const head = headOf(session);
    const settings = settingsOf(session);
    document.body.prepend(head);
    (document.querySelector(".main-pane") ?? document.body).append(settings);
    const clear = drawForPrint();
    restore = () => {
      clear();
      head.remove();
      settings.remove();
      dataset.theme = theme;
      restore = () => {};
    };
  };
  const after = () => restore();
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  return () => {
    restore();
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", after);
  };
}

function headOf({ scenario, run }: Session): HTMLElement {
  const { view, nowUs, durationUs, digest } = run.getState();
  const ms = formatMilliseconds;
  const when = `At ${ms(nowUs)} of ${ms(durationUs)} ms${digest ? `; digest ${digest}` : ""}.`;
  const head = document.createElement("header");
  head.className = "print-head";
  const line = (name: string, text: string) => {
    const element = document.createElement(name);
    element.textContent = text;
    head.append(element);
  };
  line("h1", scenario.name);
  if (scenario.description) line("p", scenario.description);
  for (const note of noteMarks(scenario)) line("p", noteLine(note));
  line("small", `${stampLine(stampOf(scenario, view?.layout))}. ${when}`);
  return head;
}

/** The settings that are not at their defaults, those of the run as it is now. */
function settingsOf({ scenario }: Session): HTMLElement {
  const section = document.createElement("section");
  section.className = "print-settings";
  const element = (name: string, text: string) => {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  };
  section.append(element("h2", "Settings that differ from their defaults"));
  for (const { title, settings } of statedSettings(scenario)) {
    const group = document.createElement("div");
    const list = document.createElement("dl");
    for (const [name, value] of settings) {
      const pair = document.createElement("div");
      pair.append(element("dt", name), " ", element("dd", value));
      list.append(pair);
    }
    group.append(element("h3", `${title}:`), " ", list);
    section.append(group);
  }
  return section;
}
