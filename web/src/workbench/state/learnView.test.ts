import { describe, expect, it } from "vitest";
import { readShort, toldOf } from "../view/shortLinks.ts";
import { Views } from "../view/views.ts";
import { learnView } from "./learnView.ts";

const views = [learnView] as const;

/** What a link becomes when it is opened and written again. */
function again(fragment: string) {
  const all = new Views(views);
  const reached = readShort(views, fragment);
  if (!reached) return null;
  all.open(reached.view, reached.state);
  return toldOf(all).short;
}

describe("a short link to Learn", () => {
  it("leads to the contents, to the page of a class, and to a step with what it fixes", () => {
    for (const link of [
      "learn",
      "learn=class",
      "learn=2.4",
      "learn=2.4&hide&lock&seed=Ada%20L.",
      "learn=own-id.1",
    ])
      expect(again(`#${link}`)).toBe(link);
  });

  it("begins a lesson at its first step where it names none, or one that cannot be", () => {
    expect(readShort(views, "#learn=2")?.state).toMatchObject({ lesson: "2", step: 0 });
    expect(readShort(views, "#learn=2.0")?.state).toMatchObject({ lesson: "2", step: 0 });
    expect(readShort(views, "#learn=2.999")?.state).toMatchObject({ lesson: "2", step: 99 });
  });

  it("cannot hold a lesson of somebody's own", () => {
    const all = new Views(views);
    all.open(learnView, { own: "{}" });
    expect(toldOf(all).short).toBeNull();
  });
});

describe("the view Learn", () => {
  it("stays as it is when a scenario is opened, which is shown in the first view", () => {
    const first = { ...learnView, id: "first", isWithoutRun: false };
    const all = new Views([first, learnView]);
    all.open(learnView, { lesson: "2", step: 3 });
    all.begin({} as Parameters<Views["begin"]>[0]);
    expect(all.store.getState().current.id).toBe("first");
    expect(all.stateOf(learnView)).toMatchObject({ lesson: "2", step: 3 });
  });
});
