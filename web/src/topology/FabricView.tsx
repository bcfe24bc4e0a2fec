import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useMemo,
  useRef,
  useState,
} from "react";
import { formatPackets, formatPercent } from "../charts/drawing/format.ts";
import { useDrawing } from "../charts/drawing/useDrawing.ts";
import { useSentence } from "../charts/drawing/useSentence.ts";
import { ChartMenu } from "../charts/frame/ChartMenu.tsx";
import type { Exportable } from "../charts/frame/export.ts";
import { drawNoteMark, markText, noteLine } from "../charts/notes/notes.ts";
import type { FabricViewProps, Magnified, NoteMark } from "../charts/types.ts";
import { graphNow, paused, queued, utilisation } from "../run/links.ts";
import type { RunView } from "../run/types.ts";
import { IconButton } from "../ui/Button.tsx";
import { part } from "../ui/part.tsx";
import { type Cable, cablesOf, kindText } from "./cables.ts";
import { drawFabric, type FabricPicture, fabricPicture } from "./drawFabric.ts";
import { FabricNotes } from "./FabricNotes.tsx";
import { useFabricGestures, type Zoom } from "./fabricGestures.ts";
import { fabricSentence } from "./fabricSentence.ts";
import { displaced, type FabricLayout, type Moved } from "./layout.ts";
import { WHOLE } from "./magnified.ts";
import { cornerOf, notesByNode } from "./notes.ts";
import { type Picked, pick } from "./pick.ts";
import type { Place } from "./sheet.ts";
import { type Laid, useFabricLayout } from "./useFabricLayout.ts";
import "./FabricView.css";
import "../charts/time/ReadoutPopover.css";

/** The tables come when they are first asked for. */
const FabricTables = part(() => import("./FabricTables.tsx"));

/** No notes, and always the same none. */
const NONE: readonly NoteMark[] = [];

/** What is drawn, for what lies over it and edits it. */
export interface FabricDrawing {
  readonly run: RunView;
  readonly height: number;
  readonly cables: readonly Cable[];
  readonly zoom: Zoom;
  /** How the network stands in a frame of a width, but for nodes that are being moved. */
  readonly laidAt: (width: number) => Laid;
  /** Where the nodes stand on the sheet, as it was last drawn. */
  readonly places: () => ReadonlyMap<string, Place>;
  readonly moved: Moved | null;
  /** Nodes are being moved; null: no longer. */
  readonly onMove: (moved: Moved | null) => void;
  /** What is told of what lies under the pointer; null: nothing. */
  readonly onHover: (event: MouseEvent<HTMLElement> | null) => void;
}

interface FabricProps extends FabricViewProps {
  /** Where somebody put nodes, by their names; it goes before what the run says. */
  readonly places?: ReadonlyMap<string, Place> | null;
  /** What edits the drawing, over it. */
  readonly editor?: ((drawing: FabricDrawing) => ReactNode) | undefined;
}

/** The fabric: links by utilisation, queues at ports, senders by class; or the same as tables. */
export function FabricView(props: FabricProps) {
  if (!props.showTables) return <Picture {...props} />;
  return (
    <Suspense fallback={<div style={{ height: props.height }} />}>
      <FabricTables {...props} />
    </Suspense>
  );
}

function Picture(props: FabricProps) {
  const { run, kind, height, onToggleTables, onSelectNode, isSelectable = () => true, onSelectLink } = props;
  const { magnified = WHOLE, onMagnify, notes = NONE, chosenNote = null, onChooseNote, editor } = props;
  const { graph } = run.layout;
  const cables = useMemo(() => cablesOf(graph), [graph]);
  const laidAt = useFabricLayout(graph, kind, magnified, props.places ?? null);
  const cache = useRef<{ layout: FabricLayout; graph: unknown; picture: FabricPicture } | null>(null);
  const isZoomed = magnified.scale > 1;
  const [hovered, setHovered] = useState<{ picked: Picked; x: number; y: number } | null>(null);
  const [moved, setMoved] = useState<Moved | null>(null);
  const sentence = useSentence(run, { title: "Fabric", sentence: () => fabricSentence(run) });

  const pictureAt = (width: number, high: number): FabricPicture => {
    const { layout } = laidAt(width, high);
    const now = graphNow(run);
    if (cache.current?.layout !== layout || cache.current.graph !== now) {
      cache.current = { layout, graph: now, picture: fabricPicture(now, layout, cables, magnified) };
    }
    const { picture } = cache.current;
    return moved ? { ...picture, layout: displaced(layout, graph, moved) } : picture;
  };
  const drawing = useDrawing(
    (surface, width, high, theme) => drawFabric(surface, theme, width, high, props, pictureAt(width, high)),
    run,
  );
  const magnify = (next: Magnified) => {
    setHovered(null);
    if (next === WHOLE && !isZoomed) {
      laidAt.refit();
      drawing.redraw();
    }
    onMagnify?.(next);
  };
  const zoom = { shown: magnified, show: magnify };
  useFabricGestures(drawing.box, onMagnify ? zoom : null);

  const under = (event: MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return { picked: pick(pictureAt(box.width, box.height).layout, cables, x, y), x, y };
  };
  const opens = (picked: NonNullable<Picked>) =>
    "node" in picked && onSelectNode !== undefined && isSelectable(picked.node);
  const click = (event: MouseEvent<HTMLDivElement>) => {
    const { picked } = under(event);
    if (picked && "node" in picked) {
      if (isSelectable(picked.node)) onSelectNode?.(picked.node);
    } else if (picked) onSelectLink?.(busierLink(run, cables[picked.cable]));
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== "t" || !onToggleTables)
      return;
    event.preventDefault();
    event.stopPropagation();
    onToggleTables();
  };

  return (
    <section className="chart chart-plain fabric-chart" style={{ height }} aria-label="Fabric, picture">
      <div
        ref={drawing.box}
        className="fabric-picture"
        role="img"
        // T and the keys of the zoom work on the focused picture, where nothing lies over it.
        tabIndex={editor ? undefined : 0}
        aria-label={sentence}
        data-chart="fabric"
        data-zoomed={isZoomed || undefined}
        data-editing={editor !== undefined || undefined}
        style={{
          cursor: hovered?.picked && opens(hovered.picked) ? "pointer" : isZoomed ? "grab" : undefined,
        }}
        onPointerMove={(event) => setHovered(under(event))}
        onPointerLeave={() => setHovered(null)}
        onClick={click}
        onKeyDown={key}
      >
        <canvas ref={drawing.canvas} />
        <svg ref={drawing.text} aria-hidden="true" className="chart-text" />
        {hovered?.picked && (
          <Hint
            run={run}
            cables={cables}
            pauses={props.pauses ?? false}
            picked={hovered.picked}
            notes={notes}
            opens={!editor && opens(hovered.picked)}
            x={hovered.x}
            y={hovered.y}
          />
        )}
      </div>
      {editor?.({
        run,
        height,
        cables,
        zoom,
        laidAt: (width) => laidAt(width, height),
        places: laidAt.places,
        moved,
        onMove: setMoved,
        onHover: (event) => setHovered(event && under(event)),
      })}
      {onChooseNote && notes.some(({ node }) => node !== null) && (
        <FabricNotes
          graph={graph}
          height={height}
          nodesAt={(width) => pictureAt(width, height).layout.nodes}
          notes={notes}
          chosen={chosenNote}
          onChoose={onChooseNote}
        />
      )}
      {isZoomed && (
        <div className="fabric-whole">
          <IconButton icon="zoomOut" label="Whole fabric" shortcut="0" onClick={() => onMagnify?.(WHOLE)} />
        </div>
      )}
      <ChartMenu
        title="Fabric"
        stamp={props.stamp}
        exportable={() => {
          const width = drawing.box.current?.clientWidth ?? 744;
          return fabricExport(props, width, laidAt.whole(width, height));
        }}
        table={false}
        {...(onToggleTables && { onToggleTable: onToggleTables })}
      />
    </section>
  );
}

function busierLink(run: RunView, cable: Cable | undefined): number {
  if (!cable) return -1;
  return utilisation(run, cable.there) >= utilisation(run, cable.back) ? cable.there : cable.back;
}

interface HintProps {
  readonly run: RunView;
  readonly cables: readonly Cable[];
  readonly pauses: boolean;
  readonly picked: NonNullable<Picked>;
  readonly notes: readonly NoteMark[];
  /** A click shows the inside of it. */
  readonly opens: boolean;
  readonly x: number;
  readonly y: number;
}

/** Name and load of what lies under the pointer. */
function Hint({ run, cables, pauses, picked, notes, opens, x, y }: HintProps) {
  const { nodes } = run.layout.graph;
  const side = x > 260 ? { right: `calc(100% - ${x - 12}px)` } : { left: x + 12 };
  const place = { ...side, top: Math.max(0, y - 14) };
  if ("node" in picked) {
    const node = nodes[picked.node];
    if (!node) return null;
    const sends = run.layout.graph.flows.filter((flow) => flow.source === picked.node);
    const takes = run.layout.graph.flows.filter((flow) => flow.destination === picked.node);
    const names = (flows: typeof sends) =>
      [...new Set(flows.map((flow) => run.classes[flow.class]?.name))].join(", ");
    return (
      <div className="chart-readout" style={place}>
        <b>{node.name}</b> {kindText(node)}
        {sends.length > 0 && <div>sends {names(sends)}</div>}
        {takes.length > 0 && <div>receives {names(takes)}</div>}
        {notes
          .filter((note) => note.node === node.name)
          .map(({ number, text }) => (
            <div key={number}>
              {number} {text}
            </div>
          ))}
        {opens && <div>click for its devices</div>}
      </div>
    );
  }
  const cable = cables[picked.cable];
  if (!cable) return null;
  return (
    <div className="chart-readout" style={place}>
      <table>
        <caption>
          <span>
            <b>{cable.gbps} Gb/s</b>
          </span>
        </caption>
        <tbody>
          {[
            { link: cable.there, from: cable.a, to: cable.b },
            { link: cable.back, from: cable.b, to: cable.a },
          ].map(({ link, from, to }) => (
            <tr key={from}>
              <th scope="row">
                {nodes[from]?.name} to {nodes[to]?.name}
              </th>
              <td>{formatPercent(utilisation(run, link))}</td>
              <td>{formatPackets(queued(run, link))} packets</td>
              {pauses && <td>{paused(run, link) > 0 ? `paused ${formatPercent(paused(run, link))}` : ""}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The fabric as files: the links as CSV, the picture as SVG or PNG. */
function fabricExport(props: FabricViewProps, width: number, layout: FabricLayout): Exportable {
  const { run, height, notes = NONE } = props;
  const { graph } = run.layout;
  const noted = notesByNode(graph, notes);
  const name = (node: number) => graph.nodes[node]?.name ?? "";
  return {
    id: "fabric",
    title: "Fabric, utilisation and queues of links",
    headers: ["from", "to", "rate (Gb/s)", "utilisation (share)", "queue (packets)", "sender paused (share)"],
    rows: graph.links.map(({ from, to, gbps }, link) => [
      name(from),
      name(to),
      gbps,
      utilisation(run, link),
      queued(run, link),
      paused(run, link),
    ]),
    notes: [...noted.values()]
      .flat()
      .toSorted((a, b) => a.number - b.number)
      .map(noteLine),
    width,
    height,
    draw(surface, theme) {
      const picture = fabricPicture(graphNow(run), layout, cablesOf(graph));
      drawFabric(surface, theme, width, height, props, picture);
      for (const [node, list] of noted) {
        const place = picture.layout.nodes[node];
        if (!place) continue;
        const { x, y } = cornerOf(place);
        drawNoteMark(surface, theme, markText(list), x, y);
      }
    },
  };
}
