// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../engine/run/session.ts";
import { ACTIONS, action } from "../../workbench/actions.ts";
import { pageStore } from "../../workbench/pageStore.ts";
import { reaches } from "../../workbench/reaches.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { learnView } from "../../workbench/state/learnView.ts";
import { Views } from "../../workbench/view/views.ts";
import { actsOn } from "./shortcuts.ts";

const element = (html: string): Element => {
  document.body.innerHTML = html;
  return document.body.firstElementChild as Element;
};

describe("keys of the page", () => {
  beforeEach(() => {
    document.body.innerHTML = "";
  });

  it("leave plain keys to fields and Space to buttons", () => {
    expect(reaches(action("step"), element("<input type=text inputmode=decimal>"))).toBe(false);
    expect(reaches(action("toggle"), element("<button>"))).toBe(false);
    expect(reaches(action("step"), element("<button>"))).toBe(true);
    expect(reaches(action("toggle"), element("<input type=range>"))).toBe(true);
    expect(reaches(action("toggle"), document.body)).toBe(true);
  });

  it("undo in number fields, not in text that has an undo of its own", () => {
    expect(reaches(action("undo"), element("<input type=text inputmode=decimal>"))).toBe(true);
    expect(reaches(action("undo"), element("<input type=text>"))).toBe(false);
  });

  it("rest while a dialog is open, save the one that closes the sheet", () => {
    const button = element("<div class='dialog'><button></button></div>").firstElementChild;
    expect(reaches(action("step"), button)).toBe(false);
    expect(reaches(action("shortcuts"), button)).toBe(true);
  });

  it("act on the run that a view brings along, and on none while that must not run", () => {
    const page = {} as Session;
    const own = {} as Session;
    const views = new Views([{ ...exploreView, isWithoutRun: true }]);
    expect(actsOn(action("toggle"), page, views)).toBeNull();
    pageStore.setState({ ownRun: own });
    expect(actsOn(action("toggle"), page, views)).toBe(own);
    expect(actsOn(action("palette"), page, views)).toBe(page);
    expect(actsOn(action("note"), page, views)).toBeNull();
    expect(actsOn(action("toggle"), page, new Views([exploreView]))).toBe(page);
    pageStore.setState({ ownRun: null });
  });

  it("keys_about_the_scenario_rest_in_views_that_show_none_of_it", () => {
    const page = {} as Session;
    const figures = new Views([{ ...exploreView, isWithoutRun: true }]);
    const sweep = new Views([{ ...exploreView, isWithoutRun: true, isOfScenario: true }]);
    for (const id of ["pin", "vary"]) {
      expect(actsOn(action(id), page, figures)).toBeNull();
      expect(actsOn(action(id), page, sweep)).toBe(page);
    }
    expect(actsOn(action("scenarios"), page, figures)).toBe(page);
  });

  it("projector_owns_all_keys", () => {
    const views = new Views([learnView]);
    const keys = () =>
      ACTIONS.filter((item) => actsOn(item, {} as Session, views) !== null).map(({ id }) => id);
    pageStore.setState({ ownRun: {} as Session });
    expect(keys()).toContain("palette");
    views.change(learnView, { projector: true });
    expect(keys()).toContain("palette");
    views.change(learnView, { lesson: "1" });
    expect(keys()).toEqual([]);
    pageStore.setState({ ownRun: null });
  });

  it("are each given to one action", () => {
    const keys = ACTIONS.flatMap((item) => item.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
