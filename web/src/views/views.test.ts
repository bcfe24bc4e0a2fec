import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choiceText, SUBJECTS } from "../charts/registry.ts";
import { decodeView, encodeFragment, type LinkedView } from "../scenario/codec.ts";
import type { Scenario } from "../scenario/types.ts";
import { exploreView, STACK } from "../workbench/state/exploreView.ts";
import { WISHED_OF } from "../workbench/state/wishField.ts";
import { flag, type StateOf } from "../workbench/view/linkedState.ts";
import { defineView, type View, Views } from "../workbench/view/views.ts";
import { VIEWS } from "./registry.ts";

const other = defineView({
  id: "other",
  title: "Other",
  icon: "list",
  fields: { dense: flag(true) },
});

const all: readonly [View, ...View[]] = [...VIEWS, other];
const linked = (json: string): LinkedView => ({ kind: "json", json });
const scenario = { name: "any" } as Scenario;

const choices = fc.record({
  subject: fc.constantFrom(...SUBJECTS.map(({ id }) => id)),
  by: fc.constantFrom("class" as const, "connection" as const),
});
const exploreStates: fc.Arbitrary<StateOf<typeof exploreView.fields>> = fc.record({
  charts: fc.array(choices, { minLength: STACK.length, maxLength: STACK.length }),
  time: fc.option(
    fc
      .tuple(fc.nat(1000), fc.integer({ min: 1, max: 1000 }))
      .map(([from, length]) => [from, from + length] as const),
  ),
  links: fc.constantFrom("utilisation" as const, "classes" as const),
  zoom: fc.tuple(
    fc.double({ min: 1, max: 8, noNaN: true }),
    ...[0, 0].map(() => fc.double({ min: 0, max: 7, noNaN: true })),
  ),
  tables: fc.boolean(),
  edit: fc.boolean(),
  follow: fc.option(
    fc.record({
      class: fc.nat(15),
      of: fc.constantFrom(...WISHED_OF),
      operation: fc.constantFrom("all" as const, "reads" as const, "writes" as const),
    }),
  ),
  stages: fc.constantFrom("mean" as const, "p99" as const),
  requests: fc.constantFrom("all" as const, "reads" as const, "writes" as const),
  class: fc.option(fc.nat(15)),
});

describe("where a run waits", () => {
  it("goes through a link, and is nowhere for what is no instant", () => {
    const views = new Views(all);
    views.standAt(2975.125);
    expect(throughLink(views).store.getState().atUs).toBe(2975.125);
    for (const atUs of [-1, "2000", 1e12, null, [5]]) {
      expect(views.restore(linked(JSON.stringify({ atUs })))).toBeNull();
      expect(views.store.getState().notice).toBeNull();
    }
  });
});

/** Takes the state of some views through a link to others that show their first state. */
function throughLink(views: Views): Views {
  const opened = new Views(views.all);
  opened.restore(decodeView(encodeFragment(scenario, views.linked())));
  return opened;
}

describe("the state of a view", () => {
  it("is in no link while it is as at first", () => {
    expect(new Views(all).linked()).toBe("");
  });

  it("is in links as far as it differs", () => {
    const views = new Views(all);
    views.change(exploreView, { tables: true });
    expect(JSON.parse(views.linked())).toEqual({ state: { tables: true } });
    views.change(exploreView, { tables: false });
    expect(views.linked()).toBe("");
    views.show(other);
    views.change(other, { dense: false });
    expect(JSON.parse(views.linked())).toEqual({ view: "other", state: { dense: false } });
  });

  it("comes back from a link, whatever it is", () => {
    fc.assert(
      fc.property(exploreStates, (state) => {
        const views = new Views(all);
        views.change(exploreView, state);
        const opened = throughLink(views);
        expect(opened.stateOf(exploreView)).toEqual(state);
        expect(opened.store.getState()).toMatchObject({ current: exploreView, notice: null });
        expect(opened.linked()).toBe(views.linked());
      }),
    );
  });

  it("of another view comes back with it", () => {
    const views = new Views(all);
    views.show(other);
    views.change(other, { dense: false });
    const opened = throughLink(views);
    expect(opened.store.getState().current).toBe(other);
    expect(opened.stateOf(other)).toEqual({ dense: false });
  });

  it("is as at first again when a link says nothing of it", () => {
    const views = new Views(all);
    views.change(exploreView, { tables: true, class: 2 });
    views.restore({ kind: "none" });
    expect(views.linked()).toBe("");
    expect(views.store.getState().notice).toBeNull();
  });
});

describe("what cannot be shown", () => {
  const first = new Views(all).stateOf(exploreView);
  const restored = (link: LinkedView) => {
    const views = new Views(all);
    views.restore(link);
    return { views, ...views.store.getState() };
  };

  it("is said of a damaged end of a link", () => {
    const { views, notice } = restored({ kind: "damaged" });
    expect(notice).toContain("scenario is as it was shared");
    expect(views.stateOf(exploreView)).toEqual(first);
    views.dismiss();
    expect(views.store.getState().notice).toBeNull();
  });

  it("is said of a view that is not there, which is the first one then", () => {
    const { current, notice } = restored(linked('{"view":"nowhere","state":{"tables":true}}'));
    expect(current).toBe(exploreView);
    expect(notice).toContain("“nowhere”");
  });

  it("is said of each part by name, and the other parts are shown", () => {
    const { views, notice } = restored(
      linked(
        '{"state":{"tables":true,"charts":["throughput","speed of light","queue"],"zoom":2,"class":99}}',
      ),
    );
    expect(views.stateOf(exploreView)).toEqual({ ...first, tables: true });
    for (const name of ["charts", "zoom", "class"]) expect(notice).toContain(`“${name}”`);
  });

  it("is survived, whatever it is", () => {
    const names = fc.constantFrom(...Object.keys(exploreView.fields), "__proto__", "constructor", "toString");
    const states = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.array(fc.string(), { maxLength: 3 })));
    const links = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ view: fc.jsonValue(), state: states }, { requiredKeys: [] })
        .map((parts) => JSON.stringify(parts)),
    );
    fc.assert(
      fc.property(links, (json) => {
        const { views, current } = restored(linked(json));
        expect(all).toContain(current);
        const { charts, ...rest } = views.stateOf(exploreView);
        expect(charts.map(choiceText)).toHaveLength(STACK.length);
        expect(rest).toMatchObject({
          tables: expect.any(Boolean),
          links: expect.stringMatching(/^(util|class)/),
        });
        // What was taken in is a state like any other.
        expect(throughLink(views).linked()).toBe(views.linked());
      }),
      { numRuns: 500 },
    );
  });
});
