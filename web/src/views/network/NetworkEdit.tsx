import { type KeyboardEvent, useMemo, useState } from "react";
import { useEffectiveScenario, useRun, useScenario, useSession } from "../../panels/context.tsx";
import { busierShare } from "../../run/links.ts";
import type { RunView } from "../../run/types.ts";
import {
  type Cable,
  drawnScenario,
  type Edited,
  FAILED,
  type Laid,
  toggledFailure,
  withLink,
  withMoved,
  withNode,
  withoutLink,
  withoutNodes,
  withTraffic,
} from "../../scenario/drawing.ts";
import type { Scenario } from "../../scenario/types.ts";
import { FabricView, layoutFabric } from "../../topology/index.ts";
import {
  type Chosen,
  NetworkCanvas,
  NOTHING,
  type SheetCable,
  type SheetNode,
  type Tool,
} from "../../topology/NetworkCanvas.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { exploreView } from "../explore/exploreView.ts";
import { useStamp } from "../frame/MainPane.tsx";
import { Guarded } from "../Guarded.tsx";
import { useViewState } from "../viewContext.tsx";
import { Inspector } from "./NetworkInspector.tsx";
import { NetworkTools, TOOLS } from "./NetworkTools.tsx";
import { WatchOrEdit } from "./WatchOrEdit.tsx";
import "./NetworkEdit.css";

/** The sheet that networks of generators are laid out on: no smaller than this, and with so much room for each host. */
const SHEET = { width: 760, height: 560, host: 44 };
const TWIN = 220;
/** Up to so many nodes the loads of all cables are drawn ten times a second. */
const FEW = 400;

/** Draws the network of the scenario: tools on the left, the sheet in the middle with its text twin, what is chosen on the right. */
export default function NetworkEdit() {
  const session = useSession();
  const scenario = useScenario();
  const shown = useEffectiveScenario();
  const view = useRun((run) => run.view);
  // Thousands of cables are drawn anew less often.
  useRun(({ view, tick }) => ((view?.layout.graph.nodes.length ?? 0) > FEW ? Math.floor(tick / 20) : tick));
  const stamp = useStamp();
  const [{ tables }, change] = useViewState(exploreView);
  const [tool, setTool] = useState<Tool>("select");
  const [traffic, setTraffic] = useState(0);
  const [chosen, setChosen] = useState<Chosen>(NOTHING);
  const [said, setSaid] = useState("");
  const laid = useMemo(() => view && laidOf(view, shown), [view, shown]);
  const failed = shown.topology.failedLinks ?? [];
  const sheet = view && laid ? sheetOf(view, laid, shown) : null;

  /** Puts an edit of the drawn network in place, or says why not. */
  const apply = (edit: (drawn: Scenario) => Edited, then: Chosen = NOTHING) => {
    if (!laid) return;
    const edited = edit(drawnScenario(scenario, laid));
    if ("refusal" in edited) setSaid(edited.refusal);
    else {
      setSaid("");
      setChosen(then);
      session.edit(edited.scenario);
    }
  };
  const cableOf = (index: number): Cable | null => {
    const cable = sheet?.cables[index];
    const [from, to] = [sheet?.nodes[cable?.from ?? -1]?.name, sheet?.nodes[cable?.to ?? -1]?.name];
    return from !== undefined && to !== undefined ? { from, to } : null;
  };
  const cables = [...chosen.cables].flatMap((index) => cableOf(index) ?? []);
  const fail = (cable: Cable) => session.change([{ path: FAILED, value: toggledFailure(failed, cable) }]);
  const remove = () => {
    if (chosen.nodes.size > 0) apply((drawn) => withoutNodes(drawn, chosen.nodes));
    else
      apply((drawn) =>
        cables.reduce<Edited>(
          (done, { from, to }) => ("refusal" in done ? done : withoutLink(done.scenario, from, to)),
          { scenario: drawn },
        ),
      );
  };
  const add = (x: number, y: number) => {
    if (!laid || (tool !== "host" && tool !== "storage" && tool !== "switch")) return;
    const edited = withNode(drawnScenario(scenario, laid), tool, x, y);
    apply(() => edited, {
      nodes: new Set(edited.name === undefined ? [] : [edited.name]),
      cables: new Set(),
    });
  };
  const draw = (from: string, to: string) => {
    if (tool === "traffic")
      apply((drawn) => withTraffic(drawn, scenario.classes[traffic]?.name ?? "", from, to));
    else apply((drawn) => withLink(drawn, from, to));
  };
  const key = (event: KeyboardEvent): boolean => {
    const wanted = TOOLS.find((item) => item.key.toLowerCase() === event.key.toLowerCase());
    if (event.key === "Backspace" || event.key === "Delete") remove();
    else if (event.key === "Escape") {
      setChosen(NOTHING);
      setTool("select");
    } else if (event.key.toLowerCase() === "f" && cables.length > 0) for (const cable of cables) fail(cable);
    else if (wanted) setTool(wanted.tool);
    else return false;
    return true;
  };

  return (
    <main className="explore network-edit">
      <Guarded name="The tools">
        <NetworkTools
          tool={tool}
          onTool={setTool}
          traffic={traffic}
          onTraffic={setTraffic}
          onRemove={remove}
          hasChosen={chosen.nodes.size + chosen.cables.size > 0}
        />
      </Guarded>
      <Guarded name="The drawing">
        <section className="network-sheet" aria-labelledby="network-title">
          <header>
            <h2 id="network-title">
              Fabric <span className="note">{sheet && countText(sheet.nodes, sheet.cables)}</span>
            </h2>
            <WatchOrEdit />
            <IconButton
              icon="list"
              label="Fabric as text below"
              aria-pressed={tables}
              onClick={() => change({ tables: !tables })}
            />
          </header>
          <div className="network-stage">
            {sheet && (
              <NetworkCanvas
                nodes={sheet.nodes}
                cables={sheet.cables}
                tool={tool}
                chosen={chosen}
                label="The network: arrows go from node to node, Enter chooses, L walks along cables, Shift with arrows moves"
                onChoose={(next) => {
                  setSaid("");
                  setChosen(next);
                }}
                onAdd={add}
                onMove={(names, dx, dy) =>
                  apply((drawn) => ({ scenario: withMoved(drawn, names, dx, dy) }), chosen)
                }
                onDraw={draw}
                onFail={(index) => {
                  const cable = cableOf(index);
                  if (cable) fail(cable);
                }}
                onKey={key}
              />
            )}
            <p className="network-said" role="status">
              {said || hintOf(tool, scenario.classes[traffic]?.name ?? "")}
            </p>
          </div>
          {tables && view && (
            <FabricView
              run={view}
              kind={shown.topology.shape.kind}
              height={TWIN}
              failed={failed}
              showTables
              onToggleTables={() => change({ tables: false })}
              onSelectNode={(node) => {
                const { name } = view.layout.graph.nodes[node] ?? {};
                if (name !== undefined) setChosen({ nodes: new Set([name]), cables: new Set() });
              }}
              onSelectLink={(link) =>
                setChosen({ nodes: new Set(), cables: new Set([Math.floor(link / 2)]) })
              }
              stamp={stamp}
            />
          )}
        </section>
      </Guarded>
      <Guarded name="The inspector">
        {sheet && laid && (
          <Inspector
            chosen={chosen}
            cables={cables}
            nodes={sheet.nodes}
            all={sheet.cables}
            onApply={apply}
            onFail={fail}
            onRemove={remove}
            onChoose={setChosen}
          />
        )}
      </Guarded>
    </main>
  );
}

/** What the chosen tool does, in a line. */
function hintOf(tool: Tool, className: string): string {
  switch (tool) {
    case "select":
      return "Drag nodes to move them, the sheet to pan; the wheel or two fingers zoom, 0 shows all.";
    case "connect":
      return "Drag from one node to another.";
    case "traffic":
      return `Drag from a host to a server: ${className} sends there, or no longer.`;
    case "fail":
      return "Click a cable: it fails, or is mended. Traffic goes round it at once.";
    default:
      return "Click on the sheet. What is added is linked to the nearest switch.";
  }
}

function countText(nodes: readonly SheetNode[], cables: readonly SheetCable[]): string {
  const hosts = nodes.filter(({ kind }) => kind !== "switch").length;
  const down = cables.filter(({ failed }) => failed).length;
  return `${hosts} hosts, ${nodes.length - hosts} switches, ${cables.length} links${down > 0 ? `, ${down} failed` : ""}`;
}

/** Where the nodes of a run stand on the sheet: where somebody put them, or where the layout does. */
function laidOf({ layout: { graph } }: RunView, { topology: { shape } }: Scenario): Laid {
  const hosts = graph.nodes.filter(({ kind }) => kind === "host").length;
  const width = Math.max(SHEET.width, SHEET.host * hosts);
  const height = Math.max(SHEET.height, 0.3 * width);
  const places = layoutFabric(graph, shape.kind, width, height).nodes;
  const own = shape.kind === "custom" ? shape.nodes : [];
  const isPlaced = own.length > 0 && own.every(({ position }) => position);
  return {
    nodes: graph.nodes.map(({ name, kind }, index) => {
      const position = isPlaced ? own[index]?.position : undefined;
      return { name, kind, x: position?.x ?? places[index]?.x ?? 0, y: position?.y ?? places[index]?.y ?? 0 };
    }),
    links: graph.links,
  };
}

/** What is drawn: the network of the run, with its loads. */
function sheetOf(
  run: RunView,
  laid: Laid,
  { topology: { failedLinks = [] } }: Scenario,
): { readonly nodes: readonly SheetNode[]; readonly cables: readonly SheetCable[] } {
  const { graph } = run.layout;
  const senders = graph.nodes.map(() => new Set<number>());
  for (const flow of graph.flows) {
    senders[flow.source]?.add(flow.class);
  }
  const down = new Set(failedLinks.flatMap(({ from, to }) => [`${from}\n${to}`, `${to}\n${from}`]));
  const nodes = laid.nodes.map(({ name, x, y }, index): SheetNode => {
    const node = graph.nodes[index];
    const kind = node?.kind === "switch" ? "switch" : node?.storage ? "storage" : "host";
    return { name, kind, x, y, senders: run.classes.filter((_, i) => senders[index]?.has(i)) };
  });
  const cables = graph.links.flatMap(({ from, to }, link): SheetCable[] => {
    if (link % 2 === 1) return [];
    const failed = down.has(`${nodes[from]?.name}\n${nodes[to]?.name}`);
    const isBottleneck = link === graph.bottleneck || link + 1 === graph.bottleneck;
    return [{ from, to, failed, share: failed ? 0 : busierShare(run, link), isBottleneck }];
  });
  return { nodes, cables };
}
