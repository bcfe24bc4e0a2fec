import { fixed, formatPercent } from "../../charts/drawing/format.ts";
import { useEffectiveScenario, useRun, useScenario, useSession } from "../../panels/context.tsx";
import { NameInput } from "../../panels/NameInput.tsx";
import { NumberField } from "../../panels/NumberField.tsx";
import {
  type Cable,
  drawnOf,
  type Edited,
  joins,
  withCables,
  withName,
  workloadsOf,
} from "../../scenario/drawing.ts";
import { withServers } from "../../scenario/reshape.ts";
import { fieldAt, valueAt } from "../../scenario/schema.ts";
import type { Scenario } from "../../scenario/types.ts";
import type { Chosen, SheetCable, SheetNode } from "../../topology/NetworkCanvas.tsx";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Toggle } from "../../ui/Toggle.tsx";

interface InspectorProps {
  readonly chosen: Chosen;
  /** The chosen cables by the names of their ends. */
  readonly cables: readonly Cable[];
  readonly nodes: readonly SheetNode[];
  readonly all: readonly SheetCable[];
  readonly onApply: (edit: (drawn: Scenario) => Edited, then?: Chosen) => void;
  readonly onFail: (cable: Cable) => void;
  readonly onRemove: () => void;
  readonly onChoose: (chosen: Chosen) => void;
}

/** What is chosen on the sheet, and what may be set of it. */
export function Inspector(props: InspectorProps) {
  const { chosen, cables, nodes } = props;
  const names = [...chosen.nodes];
  const node = nodes.find(({ name }) => name === names[0]);
  return (
    <aside className="results network-inspector" aria-label="Inspector">
      {names.length === 1 && node ? (
        <OneNode {...props} node={node} />
      ) : names.length > 1 ? (
        <section className="panel">
          <header>
            <h2>{names.length} nodes</h2>
          </header>
          <p className="row-note">{names.join(", ")}</p>
          <Button icon="trash" onClick={props.onRemove}>
            Remove
          </Button>
        </section>
      ) : cables.length > 0 ? (
        <Cables {...props} />
      ) : (
        <Nothing />
      )}
    </aside>
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
        to the sheet, arrows from node to node, Enter to choose, L along its cables.
      </p>
    </section>
  );
}

function OneNode(props: InspectorProps & { readonly node: SheetNode }) {
  const { node, nodes, all, onApply, onRemove, onChoose } = props;
  const scenario = useScenario();
  const place = nodes.indexOf(node);
  const own = all.flatMap((cable, index) => {
    if (cable.from !== place && cable.to !== place) return [];
    return [{ index, other: nodes[cable.from === place ? cable.to : cable.from]?.name ?? "" }];
  });
  const users = workloadsOf(scenario, node.name);
  const isServer = node.kind === "storage";
  const setServer = (on: boolean) =>
    onApply(
      (drawn) => {
        const others = (drawn.storage?.servers ?? []).filter(({ host }) => host !== node.name);
        return { scenario: withServers(drawn, on ? [...others, { host: node.name }] : others) };
      },
      { nodes: new Set([node.name]), cables: new Set() },
    );
  return (
    <>
      <section className="panel">
        <header>
          <h2>
            {node.name} <span className="note">{isServer ? "storage server" : node.kind}</span>
          </h2>
          <IconButton
            icon="close"
            label="Choose nothing"
            onClick={() => onChoose({ nodes: new Set(), cables: new Set() })}
          />
        </header>
        <NameInput
          key={node.name}
          label="Name"
          value={node.name}
          onCommit={(next) =>
            onApply((drawn) => withName(drawn, node.name, next), {
              nodes: new Set([next]),
              cables: new Set(),
            })
          }
        />
        {node.kind !== "switch" && (
          <div className="row-main">
            <label className="row-label" htmlFor="is-server">
              Storage server
            </label>
            <Toggle id="is-server" on={isServer} onChange={setServer} />
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
          <CableRow key={index} {...props} cable={{ from: node.name, to: other }} title={other} />
        ))}
      </section>
      <section className="panel">
        <Button icon="trash" onClick={onRemove}>
          Remove {node.kind === "switch" ? "switch" : "host"}
        </Button>
      </section>
    </>
  );
}

/** Several cables: their loads, and rate and delay of all at once. */
function Cables(props: InspectorProps) {
  const { cables, onRemove } = props;
  return (
    <section className="panel" aria-label="Links">
      <header>
        <h2>
          {cables.length === 1 ? "Link" : `${cables.length} links`} <span className="note">rate, delay</span>
        </h2>
        <IconButton
          icon="close"
          label="Choose nothing"
          onClick={() => props.onChoose({ nodes: new Set(), cables: new Set() })}
        />
      </header>
      {cables.map((cable) => (
        <CableRow
          key={`${cable.from} ${cable.to}`}
          {...props}
          cable={cable}
          title={`${cable.from} to ${cable.to}`}
        />
      ))}
      {cables.length > 1 && <AllCables {...props} />}
      <Button icon="trash" onClick={onRemove}>
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

function CableRow({
  cable,
  title,
  onApply,
  onFail,
  chosen,
}: InspectorProps & { readonly cable: Cable; readonly title: string }) {
  const shown = useEffectiveScenario();
  const { rate, delay, usualGbps, usualDelayUs } = useCableFields();
  const link = drawnOf(shown)?.links.find((item) => joins(item, cable.from, cable.to));
  const isDown = (shown.topology.failedLinks ?? []).some(({ from, to }) => joins(cable, from, to));
  const set = (part: Parameters<typeof withCables>[2]) =>
    onApply((drawn) => ({ scenario: withCables(drawn, [cable], part) }), chosen);
  return (
    <div className="network-cable-row">
      <b className={isDown ? "network-down" : undefined}>
        {title}
        {isDown && ", failed"}
      </b>
      <Button onClick={() => onFail(cable)}>{isDown ? "Restore" : "Fail"}</Button>
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
function AllCables({ cables, onApply, chosen }: InspectorProps) {
  const { rate, delay, usualGbps, usualDelayUs } = useCableFields();
  const set = (part: Parameters<typeof withCables>[2]) =>
    onApply((drawn) => ({ scenario: withCables(drawn, cables, part) }), chosen);
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
      {fixed(at(found, 1) + at(back, 1), 0)} packets wait
    </p>
  );
}
