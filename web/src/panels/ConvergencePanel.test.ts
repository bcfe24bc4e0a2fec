import { expect, it } from "vitest";
import type { ConvergenceEvent } from "../run/types.ts";
import { convergenceText } from "./ConvergencePanel.tsx";

const event = (kind: ConvergenceEvent["kind"], atUs: number, rtts: number) => ({ kind, atUs, rtts });

it("tells when a class converged, left and returned, with the engine's instants and counts", () => {
  expect(convergenceText([])).toBe("not yet");
  const events = [event("converged", 2980, 97), event("left", 5100, 84.6), event("returned", 6000, 36)];
  expect(convergenceText(events)).toBe(
    "converged 2.98 ms (97 RTT), left the band 5.10 ms (85 RTT), returned 6.00 ms (36 RTT)",
  );
  expect(convergenceText([...events, event("left", 7000, 40), event("returned", 8000, 40)])).toMatch(
    /^1 event, then left the band 5\.10 ms/,
  );
});
