// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { firstScenario } from "../scenario/first.ts";
import ServersList from "./ServersList.tsx";
import { testSession } from "./testSession.tsx";

afterEach(cleanup);

/** The list beside a run, with the server of the first scenario open. */
function opened() {
  const page = testSession(firstScenario);
  page.session.begin(firstScenario);
  page.run(20);
  page.show(<ServersList />);
  fireEvent.click(screen.getByRole("button", { name: /h12 1 SSD/ }));
  return page;
}
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
function type(name: string, text: string) {
  const field = screen.getByLabelText(name, { selector: "input" });
  fireEvent.change(field, { target: { value: text } });
  fireEvent.keyDown(field, { key: "Enter" });
}

describe("the list of storage servers", () => {
  it("says which workloads go to a server", () => {
    opened();
    expect(screen.getByText("Target of 3 workloads: High, Medium, Low.")).toBeTruthy();
    click("Add server");
    expect(screen.getByText("No workload names it as its target.")).toBeTruthy();
  });

  it("adds devices, names them, changes their kind and removes them", () => {
    const { session } = opened();
    const devices = () => session.scenario.storage?.servers?.[0]?.devices;
    click("Persistent memory");
    expect(devices()).toEqual([
      { name: "ssd", kind: "ssd" },
      { name: "pm0", kind: "persistent-memory" },
    ]);
    type("Name of pm0", "log");
    fireEvent.change(screen.getByLabelText("Kind of ssd"), { target: { value: "persistent-memory" } });
    expect(devices()).toEqual([
      { name: "ssd", kind: "persistent-memory" },
      { name: "log", kind: "persistent-memory" },
    ]);
    click("Remove ssd");
    expect(devices()).toEqual([{ name: "log", kind: "persistent-memory" }]);
    expect(screen.queryByRole("button", { name: "Remove log" })).toBeNull();
    act(() => session.undo());
    expect(devices()).toHaveLength(2);
  });

  it("moves a server to another host, and takes it away", () => {
    const { session } = opened();
    const hosts = () => session.scenario.storage?.servers?.map(({ host }) => host);
    type("Host", "h15");
    expect(hosts()).toEqual(["h15"]);
    expect(screen.queryByRole("button", { name: "Remove h15" })).toBeNull();
    click("Add server");
    expect(hosts()).toEqual(["h15", "h1"]);
    click("Remove h1");
    expect(hosts()).toEqual(["h15"]);
  });

  it("keeps what the engine refuses out of the scenario, and says why beside the name", () => {
    const { session, run, refuse } = opened();
    click("SSD");
    act(() => run(20));
    const before = session.scenario;
    type("Name of ssd0", "ssd");
    act(() =>
      refuse({
        path: "storage.servers[0].devices[1].name",
        reason: 'is "ssd" again; devices[0] has that name',
        hint: "Give every device of a server a name of its own.",
        severity: "error",
      }),
    );
    expect(session.scenario).toBe(before);
    expect(screen.getByRole("alert").textContent).toContain(
      "Give every device of a server a name of its own.",
    );
    expect(screen.getByLabelText<HTMLInputElement>("Name of ssd0").value).toBe("ssd0");
  });
});
