import { expect, it } from "vitest";
import { readAssignment, setPath } from "../../scripts/lib/set-path.mjs";

it("sets a field inside lists and sections, and makes a section that is left out", () => {
  const document = { classes: [{ ratio: 3 }, { ratio: 1 }] };
  setPath(document, "classes[1].ratio", 2);
  setPath(document, "switch.marking", "red");
  expect(document).toEqual({ classes: [{ ratio: 3 }, { ratio: 2 }], switch: { marking: "red" } });
});

it("reads an assignment as JSON where it is, else as a text", () => {
  expect(readAssignment("topology.baseRttUs=25")).toEqual({ path: "topology.baseRttUs", value: 25 });
  expect(readAssignment("switch.marking=red")).toEqual({ path: "switch.marking", value: "red" });
  expect(readAssignment("name=a=b")).toEqual({ path: "name", value: "a=b" });
  expect(readAssignment("seed")).toBeUndefined();
});
