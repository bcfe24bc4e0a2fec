import { expect, it } from "vitest";
import { createRunView } from "./recorder.ts";
import { requestsLately } from "./service.ts";
import { testRun } from "./testRun.ts";

it("counts the requests of the last millisecond up to the playhead, or of longer where these are few", () => {
  const run = createRunView({
    ...testRun().layout,
    samplePeriodUs: 250,
    warmupUs: 500,
    sampleColumns: ["timeUs", "requests.0", "requests.1"],
  });
  expect(requestsLately(run)).toEqual({ requests: [0, 0], us: 0 });
  const rows = Array.from({ length: 8 }, (_, s) => [250 * (s + 1), 100, s < 6 ? 1 : 0]);
  run.update({ rows: new Float64Array(rows.flat()), nowUs: 2000 });
  expect(requestsLately(run)).toEqual({ requests: [400, 2], us: 1000 });
  run.update({ nowUs: 500 });
  expect(requestsLately(run)).toEqual({ requests: [200, 2], us: 500 });

  const slow = createRunView({ ...run.layout });
  slow.update({ rows: new Float64Array(rows.flatMap(([us]) => [us as number, 1, 1])), nowUs: 2000 });
  expect(requestsLately(slow)).toEqual({ requests: [6, 6], us: 1500 });
});
