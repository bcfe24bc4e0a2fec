// @vitest-environment happy-dom
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { NO_BOTTLENECK } from "../run/bottleneck.ts";
import { explanationOf, NO_ANSWER } from "../scenario/explanation.ts";
import type { Scenario } from "../scenario/types.ts";
import { fetchParts } from "../ui/onDemand.tsx";
import { ClassesPanel } from "./ClassesPanel.tsx";
import { Hint } from "./Hint.tsx";
import { hideHint } from "./hint.ts";
import { ParameterRow } from "./ParameterRow.tsx";
import { NetworkPanel, RunPanel, SwitchPanel, TransportPanel } from "./SettingsPanels.tsx";
import { type TestSession, testScenario, testSession } from "./testSession.tsx";

beforeAll(async () => {
  configure({ asyncUtilTimeout: 10_000 });
  await fetchParts();
});
afterEach(() => {
  act(hideHint);
  cleanup();
});

const K = "switch.ecnThresholdPackets";

/** A part of the settings beside a run that stands at 20 us. */
function shown(part: ReactNode, scenario: Scenario = testScenario): TestSession {
  const page = testSession(scenario);
  page.session.begin(scenario);
  page.run(20);
  page.show(part);
  return page;
}
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: "input" });
function type(name: string, text: string) {
  fireEvent.change(field(name), { target: { value: text } });
  fireEvent.keyDown(field(name), { key: "Enter" });
}
/** What the worker was asked to change, request by request. */
const changes = ({ requests }: TestSession) =>
  requests.flatMap((request) => (request.kind === "change" ? [request.changes] : []));

describe("a number field", () => {
  it("takes a number with Enter", () => {
    const page = shown(<ParameterRow path={K} />);
    type("ECN threshold", "40");
    expect(changes(page)).toEqual([[{ path: K, value: 40 }]]);
  });

  it("takes units and converts them", () => {
    const page = shown(<ParameterRow path={K} />);
    type("ECN threshold", "16.8 us");
    type("ECN threshold", "150 KB");
    expect(changes(page).flat()).toEqual([{ path: K, value: 100 }]);
  });

  it.each([
    ["abc", /“abc” is none/],
    ["0", /at least 1/],
    ["1e999", /ECN threshold|K/],
    ["", /needs a value/],
  ])("says what is wrong with “%s” and what goes on", (text, sentence) => {
    const page = shown(<ParameterRow path={K} />);
    type("ECN threshold", text);
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toMatch(sentence);
    expect(alert.textContent).toContain("The run continues with 140.");
    expect(field("ECN threshold").getAttribute("aria-invalid")).toBe("true");
    expect(field("ECN threshold").getAttribute("aria-describedby")).toContain(alert.id);
    expect(changes(page)).toEqual([]);
  });

  it("restores its value with Esc", () => {
    shown(<ParameterRow path={K} />);
    type("ECN threshold", "abc");
    fireEvent.keyDown(field("ECN threshold"), { key: "Escape" });
    expect(field("ECN threshold").value).toBe("140");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("may be left empty where something else holds then", () => {
    const page = shown(<ParameterRow path="topology.baseRttUs" />);
    type("Base RTT", "");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(changes(page)).toEqual([[{ path: "topology.baseRttUs", value: null }]]);
  });

  it("makes one change of a burst of arrow keys", () => {
    vi.useFakeTimers();
    const page = shown(<ParameterRow path={K} />);
    for (let press = 0; press < 3; press++) fireEvent.keyDown(field("ECN threshold"), { key: "ArrowUp" });
    expect(field("ECN threshold").value).toBe("143");
    expect(changes(page)).toEqual([]);
    fireEvent.keyUp(field("ECN threshold"), { key: "ArrowUp" });
    act(() => void vi.advanceTimersByTime(1000));
    vi.useRealTimers();
    expect(changes(page)).toEqual([[{ path: K, value: 143 }]]);
  });
});

describe("a row of the settings", () => {
  it("makes one change of a drag of its label", () => {
    vi.useFakeTimers();
    const page = shown(<ParameterRow path={K} />);
    const label = screen.getByText("ECN threshold").closest("label") as HTMLLabelElement;
    label.setPointerCapture = () => {};
    fireEvent.pointerDown(label, { clientX: 100, pointerId: 1, pointerType: "mouse" });
    for (const clientX of [92, 80, 60]) fireEvent.pointerMove(label, { clientX, pointerId: 1 });
    expect(field("ECN threshold").value).toBe("130");
    expect(changes(page)).toEqual([]);
    fireEvent.pointerUp(label, { pointerId: 1 });
    act(() => void vi.advanceTimersByTime(1000));
    vi.useRealTimers();
    expect(changes(page)).toEqual([[{ path: K, value: 130 }]]);
  });

  it("says why it has no effect, and offers what would give it one", () => {
    const marking = { ...testScenario.switch, marking: "off" as const };
    const page = shown(<ParameterRow path={K} slider />, { ...testScenario, switch: marking });
    const note = screen.getByText(/^No effect/);
    expect(field("ECN threshold").getAttribute("aria-disabled")).toBe("true");
    expect(field("ECN threshold").readOnly).toBe(true);
    fireEvent.keyDown(field("ECN threshold"), { key: "ArrowUp" });
    expect(changes(page)).toEqual([]);
    fireEvent.click(within(note).getByRole("button"));
    expect(changes(page).flat()[0]?.path).toBe("switch.marking");
  });

  it("says when a recorded change will set it to something else", () => {
    const timeline = [{ atUs: 5000, path: K, value: 40 }];
    shown(<ParameterRow path={K} />, { ...testScenario, timeline });
    expect(screen.getByText("Recorded: becomes 40 packets at 5.000 ms.")).toBeTruthy();
  });

  it("explains itself by ?, and resets from there", async () => {
    const page = shown(
      <>
        <ParameterRow path={K} />
        <Hint />
      </>,
      { ...testScenario, switch: { ...testScenario.switch, ecnThresholdPackets: 40 } },
    );
    fireEvent.keyDown(field("ECN threshold"), { key: "?" });
    const hint = await screen.findByRole("dialog", { name: "ECN threshold" });
    expect(hint.textContent).toContain(K);
    fireEvent.click(within(hint).getByRole("button", { name: "Reset" }));
    expect(changes(page)).toEqual([[{ path: K, value: 140 }]]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("the panels of settings", () => {
  it("choose another shape of the network, and its size", () => {
    const page = shown(<NetworkPanel />);
    expect(screen.getByText("16 hosts, 20 switches")).toBeTruthy();
    fireEvent.change(screen.getByLabelText("Ports per switch, k"), { target: { value: "8" } });
    expect(page.session.scenario.topology.shape).toEqual({ kind: "fat-tree", k: 8 });
    fireEvent.change(screen.getByLabelText(/^Topology/), { target: { value: "dumbbell" } });
    expect(page.session.scenario.topology.shape.kind).toBe("dumbbell");
    expect(field("Senders")).toBeTruthy();
  });

  it("say the threshold in packets, bytes and time, and bring what marking needs", () => {
    shown(<SwitchPanel />);
    expect(document.querySelector(".readings")?.textContent).toMatch(/140 packets=210 KB=16.8 µs/);
    expect(screen.queryByLabelText(/RED maximum/)).toBeNull();
    fireEvent.change(screen.getByLabelText("Marking", { selector: "select" }), { target: { value: "red" } });
    expect(screen.getAllByLabelText(/RED/, { selector: "input" }).length).toBeGreaterThan(0);
  });

  it("say that the threshold has no effect while a device is the bottleneck, and offer the try that gives it one", () => {
    const changesOfTry = [{ path: "topology.linkGbps", value: 10 }];
    const tries = [{ label: "Network as the bottleneck", changes: changesOfTry }];
    const story = { text: "Try it.", tries } as unknown as NonNullable<Scenario["story"]>;
    const page = shown(<SwitchPanel />, { ...testScenario, story });
    const idleThreshold = "No effect now: the SSD is the bottleneck, the port queue stays below K.";
    const bottleneck = { ...NO_BOTTLENECK, device: 0, idleThreshold };
    expect(screen.queryByText(/No effect now/)).toBeNull();
    act(() => page.session.run.setState(({ view }) => ({ view: view && { ...view, bottleneck } })));
    expect(screen.getByText(/^No effect now: the SSD is the bottleneck/)).toBeTruthy();
    expect(screen.queryByText(/recommended/)).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Network as the bottleneck" }));
    expect(changes(page)).toEqual([changesOfTry]);
  });

  it("say why a threshold is surely not meant in place of comparing it", () => {
    const page = shown(<SwitchPanel />);
    const warning =
      "is 140 packets, but the buffer of a port holds 100: nothing is ever marked. Give a lower K.";
    const explained = { path: K, value: 140, source: "default", warning } as const;
    act(() =>
      page.session.run.setState({ explanation: explanationOf({ ...NO_ANSWER, fields: [explained] }) }),
    );
    expect(screen.getByText(`K ${warning}`)).toBeTruthy();
  });

  it("change a parameter of the transport for all classes that use it, as one", () => {
    const page = shown(<TransportPanel />);
    type("Gain", "0.25");
    expect(changes(page)).toEqual([
      [0, 1, 2].map((index) => ({ path: `classes[${index}].gain`, value: 0.25 })),
    ]);
  });

  it("draw another seed, and forget recorded changes", () => {
    const timeline = [{ atUs: 5, path: K, value: 40 }];
    const page = shown(<RunPanel />, { ...testScenario, timeline });
    expect(screen.getByText("1 recorded change")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect(page.session.scenario.timeline ?? []).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Another seed" }));
    expect(page.session.scenario.seed).not.toBe(testScenario.seed);
  });
});

/** The table of classes, which leaves it to the view what is unfolded. */
function Classes() {
  const [opened, setOpened] = useState<number | null>(null);
  return <ClassesPanel opened={opened} onOpen={setOpened} />;
}

describe("the table of classes", () => {
  it("changes a ratio and a transport", () => {
    const page = shown(<Classes />);
    type("High, ratio", "5");
    fireEvent.change(screen.getByLabelText("Low, transport"), { target: { value: "dctcp" } });
    expect(changes(page)).toEqual([
      [{ path: "classes[0].ratio", value: 5 }],
      [{ path: "classes[2].transport", value: "dctcp" }],
    ]);
    // Beside classes that follow shares a ratio says what is left for them.
    expect(screen.queryByText(/Ratio has no effect/)).toBeNull();
    for (const name of ["High", "Medium"])
      fireEvent.change(screen.getByLabelText(`${name}, transport`), { target: { value: "dctcp" } });
    expect(screen.getByText(/Ratio has no effect on High, Medium,? (and )?Low/)).toBeTruthy();
  });

  it("says below itself what is wrong with a ratio", () => {
    const page = shown(<Classes />);
    type("High, ratio", "-1");
    expect(screen.getAllByRole("alert").at(-1)?.textContent).toMatch(/The run continues with 3\./);
    expect(changes(page)).toEqual([]);
  });

  it("adds a class, and opens what a class has", async () => {
    const page = shown(<Classes />);
    fireEvent.click(screen.getByRole("button", { name: "Add class" }));
    expect(page.session.scenario.classes).toHaveLength(4);
    const high = screen.getByRole("button", { name: "High" });
    expect(high.getAttribute("aria-expanded")).toBe("false");
    fireEvent.click(high);
    expect(high.getAttribute("aria-expanded")).toBe("true");
    expect(await screen.findByLabelText("Latency target", { selector: "input" })).toBeTruthy();
  });
});

describe("what a class has", () => {
  const opened = async () => {
    const page = shown(<Classes />);
    fireEvent.click(screen.getByRole("button", { name: "Medium" }));
    await screen.findByLabelText("Name", { selector: "input" });
    return page;
  };

  it("begins with the latency it has when it is to aim at one", async () => {
    const page = await opened();
    fireEvent.click(screen.getByRole("radio", { name: "Tail latency" }));
    const [change] = changes(page);
    expect(change?.map(({ path }) => path)).toEqual(["classes[1].latencyTargetUs", "classes[1].goal"]);
    expect(change?.[0]?.value).toBeGreaterThan(0);
  });

  it("is renamed, but neither to nothing nor like another", async () => {
    const page = await opened();
    type("Name", "Backup");
    expect(page.session.scenario.classes[1]?.name).toBe("Backup");
    type("Name", "Low");
    expect(screen.getByRole("alert").textContent).toContain("Another class is called Low. It stays Backup.");
    fireEvent.keyDown(field("Name"), { key: "Escape" });
    expect(field("Name").value).toBe("Backup");
    type("Name", " ");
    expect(screen.getByRole("alert").textContent).toContain("A class needs a name.");
  });

  it("is deleted with its workloads", async () => {
    const page = await opened();
    fireEvent.click(screen.getByRole("button", { name: "Delete Medium" }));
    expect(page.session.scenario.classes.map(({ name }) => name)).toEqual(["High", "Low"]);
    expect(page.session.scenario.workloads).toHaveLength(2);
  });
});
