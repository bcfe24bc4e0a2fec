// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
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
    expect(screen.getByText(/few: fewer than 5. Done: 2000, 2000, 2000/)).toBeTruthy();
  });
});

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
