// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { NO_BOTTLENECK } from "../run/bottleneck.ts";
import { createRunView } from "../run/recorder.ts";
import type { RunView } from "../run/types.ts";
import type { Scenario } from "../scenario/types.ts";
import { ConvergencePanel } from "./ConvergencePanel.tsx";
import { DeadlinesPanel } from "./DeadlinesPanel.tsx";
import { NotificationsPanel } from "./NotificationsPanel.tsx";
import { NowTable } from "./NowTable.tsx";
import { type StageChoice, StagesPanel } from "./StagesPanel.tsx";
import { testScenario, testSession } from "./testSession.tsx";

afterEach(cleanup);

/** A panel of results of a run that stands at 20 us. */
function shown(part: ReactNode, scenario: Scenario = testScenario) {
  const page = testSession(scenario);
  page.session.begin(scenario);
  page.run(20);
  page.show(part);
  return page;
}
const rows = () => within(screen.getByRole("table")).getAllByRole("row").slice(1);

describe("the table of present figures", () => {
  it("has a row for each class, in their order", () => {
    shown(<NowTable />);
    expect(rows().map((row) => within(row).getByRole("rowheader").textContent)).toEqual([
      "High",
      "Medium",
      "Low",
    ]);
  });

  it("says what it cannot say from so few requests", () => {
    shown(<NowTable />);
    expect(
      screen.getByText(
        /“few”: fewer than 5 requests were slower. Completed: High 2000, Medium 2000, Low 2000/,
      ),
    ).toBeTruthy();
  });

  it("has the rates and quality factors of the link where that is shared", () => {
    shown(<NowTable />);
    expect(headers().slice(1, 4)).toEqual(["Gb/s", "Target", "Q"]);
    expect(cells().slice(0, 3)).toEqual(["10.0", "10.0", "1.00"]);
  });

  it("has shares where a device is the bottleneck, and says so", () => {
    const { session } = shown(<NowTable />);
    act(() => session.run.setState(({ view }) => ({ view: view && withBusyDevice(view) })));
    expect(headers().slice(1, 4)).toEqual(["Gb/s", "Target", "Share"]);
    expect(cells().slice(0, 3)).toEqual(["5.0", "50\u202f%", "33\u202f%"]);
    expect(screen.getByText(/^SSD is the bottleneck/)).toBeTruthy();
  });
});

const headers = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
const cells = () =>
  within(rows()[0] as HTMLElement)
    .getAllByRole("cell")
    .map(({ textContent }) => textContent);

/** The same classes at an SSD that holds requests back: each carries 5 Gb/s, targets are 30, 20 and 10 Gb/s of the link. */
function withBusyDevice({ layout }: RunView): RunView {
  const device = { node: 1, name: "ssd", kind: "ssd", channels: 1, units: 1, sampledByUnit: false } as const;
  const run = createRunView({ ...layout, devices: [device] });
  run.update({
    rows: new Float64Array(layout.sampleColumns.map((name) => (name === "timeUs" ? 10 : 0))),
    bottleneck: { ...NO_BOTTLENECK, utilisation: 0.3, backlogged: [true], device: 0 },
    figures: new Float64Array([30, 20, 10].flatMap((target) => [5, target, target / 5, 2000, 100, 200, 300])),
    nowUs: 10,
  });
  return run;
}

/** The stages, which leave it to the view what is shown of them. */
function Stages() {
  const [choice, setChoice] = useState<StageChoice>({ statistic: "mean", operation: "all" });
  return <StagesPanel {...choice} onChange={(part) => setChoice({ ...choice, ...part })} />;
}

describe("where the time goes", () => {
  const cells = () => rows().map((row) => within(row).getAllByRole("cell").at(0)?.textContent);

  it("is shown as means, or of the slowest requests", () => {
    shown(<Stages />);
    expect(screen.getByRole("table", { name: /mean, in microseconds/ })).toBeTruthy();
    expect(cells()).toEqual(["10.4", "40.4", "50.8"]);
    fireEvent.click(screen.getByRole("radio", { name: "slowest 1 %" }));
    expect(screen.getByRole("table", { name: /slowest 1 %, in microseconds/ })).toBeTruthy();
    expect(cells()).toEqual(["104", "404", "508"]);
  });

  it("has no stages that no request passes, and no choice where there are only writes", () => {
    shown(<Stages />);
    expect(rows().map((row) => within(row).getByRole("rowheader").textContent)).toEqual([
      "Host queue",
      "Network out",
      "Total",
    ]);
    expect(screen.queryByRole("radio", { name: "reads" })).toBeNull();
  });
});

describe("congestion notifications", () => {
  it("are listed for classes that send at a rate, and no others", () => {
    const classes = testScenario.classes.map((item, i) =>
      i === 1 ? { ...item, transport: "dcqcn" as const } : item,
    );
    shown(<NotificationsPanel />, { ...testScenario, classes });
    expect(rows().map((row) => within(row).getByRole("rowheader").textContent?.trim())).toEqual(["Medium"]);
    expect(screen.queryByText(/sent by switches/)).toBeNull();
  });

  it("come with the pauses of switches where these send them", () => {
    const pfc = { ...testScenario.switch, buffering: "pfc" as const };
    shown(<NotificationsPanel />, { ...testScenario, switch: pfc });
    expect(screen.getByText(/sent by switches: 0/)).toBeTruthy();
  });
});

it("deadlines missed stand under their title", () => {
  shown(<DeadlinesPanel />);
  expect(screen.getByRole("region", { name: /^Deadlines missed/ })).toBeTruthy();
});

it("convergence is not spoken of before anything has converged", () => {
  shown(<ConvergencePanel />);
  expect(screen.queryByRole("region", { name: "Convergence" })).toBeNull();
});
