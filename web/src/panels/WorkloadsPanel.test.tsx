// @vitest-environment happy-dom
import { cleanup, configure, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { testScenario, testSession } from "./testSession.tsx";
// What it fetches when it is first asked for is there by then, however busy the machine is.
import "./WorkloadDetails.tsx";
import { WorkloadsPanel } from "./WorkloadsPanel.tsx";

// What is waited for is a state, not a speed: a machine may be busy otherwise.
configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);

/** The panel beside a run, with the first workload open. */
async function opened() {
  const page = testSession();
  page.session.begin(testScenario);
  page.run(20);
  page.show(<WorkloadsPanel />);
  fireEvent.click(screen.getByRole("button", { name: /High.*h0 → h12/ }));
  await screen.findByRole("button", { name: "Duplicate" });
  return page;
}
const input = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: "input" });
function type(name: string, text: string) {
  fireEvent.change(input(name), { target: { value: text } });
  fireEvent.keyDown(input(name), { key: "Enter" });
}
const choose = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name, { selector: "select" }), { target: { value } });

describe("the panel of workloads", () => {
  it("edits hosts, times, connections and requests outstanding", async () => {
    const { session } = await opened();
    type("Initiators", "h0, h3");
    type("Start", "50");
    type("Connections per pair", "4");
    type("Outstanding", "8");
    expect(session.scenario.workloads[0]).toMatchObject({
      endpoints: { kind: "pairs", initiators: ["h0", "h3"], targets: ["h12"] },
      startUs: 50,
      connections: 4,
      traffic: { outstanding: 8 },
    });
  });

  it("keeps what cannot be read, and says why", async () => {
    const { session } = await opened();
    type("Targets", "h12, h99");
    expect(screen.getByRole("alert").textContent).toContain("No host is called “h99”. Hosts are h0 to h15.");
    expect(input("Targets").value).toBe("h12, h99");
    expect(session.scenario).toEqual(testScenario);
    fireEvent.keyDown(input("Targets"), { key: "Escape" });
    expect(input("Targets").value).toBe("h12");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("picks hosts by rack", async () => {
    const { session } = await opened();
    fireEvent.click(screen.getByRole("button", { name: "Initiators: h5", hidden: true }));
    expect(session.scenario.workloads[0]?.endpoints).toMatchObject({ initiators: ["h0", "h5"] });
  });

  it("changes kinds of endpoints, traffic and sizes", async () => {
    const { session } = await opened();
    choose("Endpoints", "incast");
    choose("Traffic", "open-loop");
    choose("Size", "choice");
    type("Sizes", "512, 4096 1");
    expect(screen.getByRole("alert").textContent).toContain("Entry 2 is not a number.");
    type("Sizes", "512, 4096");
    expect(session.scenario.workloads[0]).toMatchObject({
      endpoints: { kind: "incast", target: "h12", initiators: 1 },
      traffic: { kind: "open-loop", size: { kind: "choice", bytes: [512, 4096] } },
    });
  });

  it("adds, doubles and removes", async () => {
    const { session } = await opened();
    fireEvent.click(screen.getByRole("button", { name: "Duplicate" }));
    expect(session.scenario.workloads).toHaveLength(4);
    fireEvent.click(screen.getByRole("button", { name: "Remove" }));
    fireEvent.click(screen.getByRole("button", { name: "Add workload" }));
    expect(session.scenario.workloads).toHaveLength(4);
    expect(session.scenario.workloads[3]).toMatchObject({ class: "High" });
  });
});
