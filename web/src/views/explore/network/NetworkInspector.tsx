import { useStore } from "zustand";
import { formatCount, formatPercent } from "../../../charts/drawing/format.ts";
import { useEffectiveScenario, useRun, useScenario, useSession } from "../../../panels/context.tsx";
import { NameInput } from "../../../panels/NameInput.tsx";
import { NumberField } from "../../../panels/NumberField.tsx";
import { type Cable, drawnOf, joins, withCables, withName, workloadsOf } from "../../../scenario/drawing.ts";
import { withServers } from "../../../scenario/reshape.ts";
import { fieldAt, valueAt } from "../../../scenario/schema.ts";
import { NOTHING, onlyNode } from "../../../topology/chosen.ts";
import { kindText } from "../../../topology/index.ts";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { Select } from "../../../ui/Select.tsx";
import { Toggle } from "../../../ui/Toggle.tsx";
import { choose, editing, type NetworkEdit, useNetworkEdit } from "./editing.ts";
import "./network.css";

/** What is chosen of the drawing, and what may be set of it. */
export default function NetworkInspector() {
  const edit = useNetworkEdit();
  const { graph, tool, chosen, cables, remove } = edit;
  const names = [...chosen.nodes];
  const node = graph?.nodes.findIndex(({ name }) => name === names[0]) ?? -1;
  return (
    <aside className="results network-inspector" aria-label="Inspector">
      {tool === "traffic" && <TrafficClass />}
      {names.length === 1 && node >= 0 ? (
        <OneNode edit={edit} place={node} />
      ) : names.length > 1 ? (
        <section className="panel">
          <header>
            <h2>{names.length} nodes</h2>
          </header>
          <p className="row-note">{names.join(", ")}</p>
          <Button icon="trash" onClick={remove}>
            Remove
          </Button>
        </section>
      ) : cables.length > 0 ? (
        <Cables edit={edit} />
      ) : (
        <Nothing />
      )}
    </aside>
  );
}

/** The class whose traffic is drawn. */
function TrafficClass() {
  const scenario = useScenario();
  const traffic = useStore(editing, (state) => state.traffic);
  return (
    <section className="panel" aria-label="Traffic">
      <div className="row-main">
        <label className="row-label" htmlFor="traffic-class">
          Class that sends
        </label>
        <Select
          id="traffic-class"
          value={String(traffic)}
          options={scenario.classes.map(({ name }, place) => ({ value: String(place), title: name }))}
          onChange={(next) => editing.setState({ traffic: Number(next) })}
        />
      </div>
    </section>
  );
}

/** Where nothing is chosen: what can be, and how. */
function Nothing() {
  return (
    <section className="panel">
      <header>
        <h2>Nothing chosen</h2>
      </header>
      <p className="row-note">
        Click a node or a cable to see and set it; with Shift, several. Everything works by keyboard, too: Tab
        to the drawing, arrows from node to node, Enter to choose, L along its cables.
      </p>
      <p className="row-note">
        Drag nodes to move them. Ctrl with the wheel, two fingers, + and − zoom; then drag the sheet to see
        another part of it, and 0 shows all.
      </p>
    </section>
  );
}

interface EditProps {
  readonly edit: NetworkEdit;
}

function OneNode({ edit, place }: EditProps & { readonly place: number }) {
  const { graph, all, apply, remove } = edit;
  const scenario = useScenario();
  const node = graph?.nodes[place];
  if (!graph || !node) return null;
  const own = all.flatMap(({ a, b }, index) =>
    a === place || b === place ? [{ index, other: graph.nodes[a === place ? b : a]?.name ?? "" }] : [],
  );
  const users = workloadsOf(scenario, node.name);
  const setServer = (on: boolean) =>
    apply((drawn) => {
      const others = (drawn.storage?.servers ?? []).filter(({ host }) => host !== node.name);
      return { scenario: withServers(drawn, on ? [...others, { host: node.name }] : others) };
    }, onlyNode(node.name));
  return (
    <>
      <section className="panel">
        <header>
          <h2>
            {node.name} <span className="note">{kindText(node)}</span>
          </h2>
          <IconButton icon="close" label="Choose nothing" onClick={() => choose(NOTHING)} />
        </header>
        <NameInput
          key={node.name}
          label="Name"
          value={node.name}
          onCommit={(next) => apply((drawn) => withName(drawn, node.name, next), onlyNode(next))}
        />
        {node.kind !== "switch" && (
          <div className="row-main">
            <label className="row-label" htmlFor="is-server">
              Storage server
            </label>
            <Toggle id="is-server" on={node.storage} onChange={setServer} />
          </div>
        )}
        {users.length > 0 && <p className="row-note">Traffic of {users.join(", ")}</p>}
      </section>
      <section className="panel" aria-label="Links">
        <header>
          <h2>
            Links <span className="note">rate, delay</span>
          </h2>
        </header>
        {own.map(({ index, other }) => (
          <CableRow key={index} edit={edit} cable={{ from: node.name, to: other }} title={other} />
        ))}
      </section>
      <section className="panel">
        <Button icon="trash" onClick={remove}>
          Remove {node.kind === "switch" ? "switch" : "host"}
        </Button>
      </section>
    </>
  );
}

/** Several cables: their loads, and rate and delay of all at once. */
function Cables({ edit }: EditProps) {
  const { cables, remove } = edit;
  return (
    <section className="panel" aria-label="Links">
      <header>
        <h2>
          {cables.length === 1 ? "Link" : `${cables.length} links`} <span className="note">rate, delay</span>
        </h2>
        <IconButton icon="close" label="Choose nothing" onClick={() => choose(NOTHING)} />
      </header>
      {cables.map((cable) => (
        <CableRow
          key={`${cable.from} ${cable.to}`}
          edit={edit}
          cable={cable}
          title={`${cable.from} to ${cable.to}`}
        />
      ))}
      {cables.length > 1 && <AllCables edit={edit} />}
      <Button icon="trash" onClick={remove}>
        Remove
      </Button>
    </section>
  );
}

/** Fields of the document that cables have: what they are called, their units and bounds. */
const CABLE = "topology.shape.links[0]";

function useCableFields() {
  const shown = useEffectiveScenario();
  const own = drawnOf(shown);
  // A network that is not drawn yet gets fields of its own with the first edit.
  const like = own ?? { kind: "custom", nodes: [], links: [{ from: "", to: "" }] };
  const scenario = { ...shown, topology: { ...shown.topology, shape: like } };
  return {
    rate: { ...fieldAt(`${CABLE}.gbps`, scenario), optional: true },
    delay: { ...fieldAt(`${CABLE}.delayUs`, scenario), optional: true },
    usualGbps: Number(valueAt(shown, "topology.linkGbps")),
    usualDelayUs: Number(valueAt(shown, "topology.linkDelayUs")),
  };
}

interface CableRowProps extends EditProps {
  readonly cable: Cable;
  readonly title: string;
}

function CableRow({ edit: { apply, fail, chosen }, cable, title }: CableRowProps) {
  const shown = useEffectiveScenario();
  const { rate, delay, usualGbps, usualDelayUs } = useCableFields();
  const link = drawnOf(shown)?.links.find((item) => joins(item, cable.from, cable.to));
  const isDown = (shown.topology.failedLinks ?? []).some(({ from, to }) => joins(cable, from, to));
  const set = (part: Parameters<typeof withCables>[2]) =>
    apply((drawn) => ({ scenario: withCables(drawn, [cable], part) }), chosen);
  return (
    <div className="network-cable-row">
      <b className={isDown ? "network-down" : undefined}>
        {title}
        {isDown && ", failed"}
      </b>
      <Button onClick={() => fail(cable)}>{isDown ? "Restore" : "Fail"}</Button>
      {!isDown && (
        <div className="network-fields">
          <NumberField
            label={`${title}, rate`}
            field={rate}
            value={link?.gbps ?? undefined}
            fallback={usualGbps}
            onCommit={(gbps) => set({ gbps })}
          />
          <NumberField
            label={`${title}, delay`}
            field={delay}
            value={link?.delayUs ?? undefined}
            fallback={usualDelayUs}
            onCommit={(delayUs) => set({ delayUs })}
          />
        </div>
      )}
      <Load cable={cable} />
    </div>
  );
}

/** Sets what several cables have in common. */
function AllCables({ edit: { cables, apply, chosen } }: EditProps) {
  const { rate, delay, usualGbps, usualDelayUs } = useCableFields();
  const set = (part: Parameters<typeof withCables>[2]) =>
    apply((drawn) => ({ scenario: withCables(drawn, cables, part) }), chosen);
  return (
    <div className="network-cable-row">
      <b>All of them</b>
      <div className="network-fields">
        <NumberField
          label="Rate of all"
          field={rate}
          value={undefined}
          fallback={usualGbps}
          onCommit={(gbps) => set({ gbps })}
        />
        <NumberField
          label="Delay of all"
          field={delay}
          value={undefined}
          fallback={usualDelayUs}
          onCommit={(delayUs) => set({ delayUs })}
        />
      </div>
    </div>
  );
}

/** How busy a cable is in both directions, now. */
function Load({ cable }: { readonly cable: Cable }) {
  const session = useSession();
  useRun((run) => run.tick);
  const { view } = session.run.getState();
  const { nodes = [], links = [] } = view?.layout.graph ?? {};
  const found = links.findIndex(
    ({ from, to }) => nodes[from]?.name === cable.from && nodes[to]?.name === cable.to,
  );
  if (!view || found < 0) return null;
  const at = (link: number, part: number) => view.links[3 * link + part] ?? 0;
  const back = found % 2 === 0 ? found + 1 : found - 1;
  return (
    <p className="row-note">
      {formatPercent(at(found, 0))} out, {formatPercent(at(back, 0))} back;{" "}
      {formatCount(at(found, 1) + at(back, 1), "packet waits", "packets wait")}
    </p>
  );
}
