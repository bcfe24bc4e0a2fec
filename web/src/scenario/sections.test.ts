import { expect, it } from "vitest";
import { differing, rebased } from "./sections.ts";

interface Document {
  name?: string;
  seed?: number;
  classes?: readonly { ratio?: number; name?: string }[];
  timeline?: readonly { atUs: number }[];
}

const base: Document = { name: "One", seed: 1, classes: [{ ratio: 1 }, { ratio: 2 }] };

it("tells the sections in which documents differ, left out ones too", () => {
  expect(differing(base, { ...base, classes: [{ ratio: 1 }, { ratio: 2 }] })).toEqual([]);
  expect(differing(base, { name: "One", seed: 2, notes: [] })).toEqual(["seed", "classes", "notes"]);
});

it("makes an edit on a document that has changed elsewhere", () => {
  const document = { ...base, timeline: [{ atUs: 3 }] };
  expect(rebased({ ...base, seed: 2 }, base, document)).toEqual({ ...document, seed: 2 });
  const { classes: _, ...without } = base;
  expect(rebased(without, base, document)).toEqual({ name: "One", seed: 1, timeline: [{ atUs: 3 }] });
});

it("makes an edit of a field beside one that has changed, and of a list as a whole where it has another length", () => {
  const document = { ...base, classes: [{ ratio: 5 }, { ratio: 2 }] };
  const renamed = { ...base, classes: [{ ratio: 1, name: "High" }, {}] };
  expect(rebased(renamed, base, document).classes).toEqual([{ ratio: 5, name: "High" }, {}]);
  const longer = { ...base, classes: [...(base.classes ?? []), { ratio: 3 }] };
  expect(rebased(longer, base, document).classes).toEqual(longer.classes);
});

it("leaves an edit of the document itself as it is", () => {
  const next = { ...base, seed: 2 };
  expect(rebased(next, base, base)).toBe(next);
});
