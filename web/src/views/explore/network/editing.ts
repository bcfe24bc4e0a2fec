import { useMemo } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useEffectiveScenario, useRun, useScenario, useSession } from "../../../panels/context.tsx";
import {
  type Cable,
  drawnScenario,
  type Edited,
  FAILED,
  toggledFailure,
  withoutLink,
  withoutNodes,
} from "../../../scenario/drawing.ts";
import type { Scenario } from "../../../scenario/types.ts";
import { type Chosen, NOTHING, type Tool } from "../../../topology/chosen.ts";
import { cablesOf, type FabricDrawing } from "../../../topology/index.ts";

interface Editing {
  readonly tool: Tool;
  /** Place of the class whose traffic is drawn. */
  readonly traffic: number;
  readonly chosen: Chosen;
  /** The node that a line drawn by keyboard starts at; null before Enter marks one. */
  readonly lineStart: string | null;
  /** Why the last edit could not be made. */
  readonly said: string;
  /** Where the drawing has the nodes. */
  readonly places: FabricDrawing["places"];
}

const AT_FIRST: Editing = {
  tool: "select",
  traffic: 0,
  chosen: NOTHING,
  lineStart: null,
  said: "",
  places: () => new Map(),
};

/** What tools, drawing and inspector of a network that is edited have in common. */
export const editing = createStore<Editing>(() => AT_FIRST);

export const choose = (chosen: Chosen) => editing.setState({ chosen, said: "" });

/** Selects a tool; what the one before began or said is gone. */
export const chooseTool = (tool: Tool) => editing.setState({ tool, lineStart: null, said: "" });

/** Nothing is edited any more. */
export const endEditing = () => editing.setState(AT_FIRST);

/** The network that is edited, and what may be done to it. */
export function useNetworkEdit() {
  const session = useSession();
  const scenario = useScenario();
  const { topology } = useEffectiveScenario();
  const graph = useRun((run) => run.view?.layout.graph ?? null);
  const { tool, traffic, chosen, lineStart, said, places } = useStore(editing);
  const all = useMemo(() => (graph ? cablesOf(graph) : []), [graph]);
  const className = scenario.classes[traffic]?.name ?? "";

  /** The scenario with its network node by node, where the drawing has it. */
  const drawn = (): Scenario | null => {
    if (!graph) return null;
    const at = places();
    const nodes = graph.nodes.map(({ name, kind }) => ({ name, kind, ...(at.get(name) ?? { x: 0, y: 0 }) }));
    return drawnScenario(scenario, { nodes, links: graph.links });
  };
  /** Puts an edit of the drawn network in place, or says why not; what is chosen then may follow from it. */
  const apply = <E extends Edited>(
    edit: (drawn: Scenario) => E,
    then: Chosen | ((edited: E) => Chosen) = NOTHING,
  ) => {
    const before = drawn();
    if (!before) return;
    const edited = edit(before);
    if ("refusal" in edited) return editing.setState({ said: edited.refusal });
    choose(typeof then === "function" ? then(edited) : then);
    session.edit(edited.scenario);
  };
  /** A cable by the names of its ends. */
  const cableAt = (place: number): Cable | null => {
    const { a, b } = all[place] ?? { a: -1, b: -1 };
    const [from, to] = [graph?.nodes[a]?.name, graph?.nodes[b]?.name];
    return from !== undefined && to !== undefined ? { from, to } : null;
  };
  const cables = [...chosen.cables].flatMap((place) => cableAt(place) ?? []);
  const fail = (cable: Cable) =>
    session.change([{ path: FAILED, value: toggledFailure(topology.failedLinks ?? [], cable) }]);
  const remove = () =>
    apply((before) =>
      chosen.nodes.size > 0
        ? withoutNodes(before, chosen.nodes)
        : cables.reduce<Edited>(
            (done, { from, to }) => ("refusal" in done ? done : withoutLink(done.scenario, from, to)),
            { scenario: before },
          ),
    );
  return { graph, all, tool, className, chosen, lineStart, cables, said, apply, cableAt, fail, remove };
}

export type NetworkEdit = ReturnType<typeof useNetworkEdit>;
