import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import type { GraphNode, RunView } from "../run/types.ts";
import { useWidth } from "../ui/useWidth.ts";
import { kindText, sendersOf } from "./cables.ts";
import { type Chosen, NOTHING, onlyCable, onlyNode, type Tool } from "./chosen.ts";
import type { FabricDrawing } from "./FabricView.tsx";
import { useFabricGestures } from "./fabricGestures.ts";
import { displaced, type PlacedNode } from "./layout.ts";
import { panned } from "./magnified.ts";
import { type Picked, pick } from "./pick.ts";
import type { Place } from "./sheet.ts";
import "./FabricEditor.css";

interface FabricEditorProps {
  readonly sheet: RefObject<HTMLDivElement | null>;
  readonly drawing: FabricDrawing;
  readonly tool: Tool;
  readonly chosen: Chosen;
  /** The node at which Enter has begun a line; null otherwise. */
  readonly lineStart: string | null;
  readonly label: string;
  readonly onChoose: (chosen: Chosen) => void;
  readonly onStartLine: (name: string | null) => void;
  /** A tool adds something at a free place of the sheet. */
  readonly onAdd: (x: number, y: number) => void;
  /** By a way across the sheet. */
  readonly onMove: (names: ReadonlySet<string>, dx: number, dy: number) => void;
  /** A line was drawn from one node to another. */
  readonly onDraw: (from: string, to: string) => void;
  readonly onFail: (cable: number) => void;
}

/** Distance of a step of the keyboard, in pixels; on a coarse sheet it is one of its units. */
const STEP = 8;
/** Pointer movement below which a press is a click. */
const STILL = 3;
/** Room around what is chosen. */
const AROUND = 5;

/** What a person is dragging or drawing a line from, in pixels of the frame. */
interface Drag {
  readonly kind: "move" | "line";
  readonly node: number;
  readonly x0: number;
  readonly y0: number;
  readonly x: number;
  readonly y: number;
}

/**
 * What edits a fabric, over its drawing: nodes and cables to choose, move and join. Zooming is that of the drawing. With the keyboard it
 * is a list of nodes: arrows go to the nearest one in a direction, Shift moves it, L walks along its cables, and Enter chooses it, adds
 * a node next to it, or starts or ends a line there, as the tool does.
 */
export function FabricEditor(props: FabricEditorProps) {
  const { sheet, drawing, tool, chosen, lineStart, label, onChoose } = props;
  const { run, cables, height, moved } = drawing;
  const { graph } = run.layout;
  const { nodes } = graph;
  const [box, width] = useWidth();
  const [drag, setDrag] = useState<Drag | null>(null);
  const [at, setAt] = useState(0);
  /** What the pointer came down on: a click there chooses nothing else. */
  const pressed = useRef<Picked>(null);
  const id = useId();
  const laid = drawing.laidAt(width);
  const layout = useMemo(
    () => (moved ? displaced(laid.layout, graph, moved) : laid.layout),
    [laid, graph, moved],
  );
  const names = useMemo(() => nodeNames(run), [run]);
  const place = Math.min(at, nodes.length - 1);
  const draws = tool === "connect" || tool === "traffic";
  const adds = tool === "host" || tool === "storage" || tool === "switch";
  /** The node that was added by keyboard has the focus next. */
  const followsAdded = useRef(false);
  useEffect(() => {
    const [added] = chosen.nodes;
    const index = followsAdded.current ? nodes.findIndex(({ name }) => name === added) : -1;
    if (index < 0) return;
    followsAdded.current = false;
    setAt(index);
  }, [nodes, chosen]);

  const pickedAt = ({ x, y }: { readonly x: number; readonly y: number }) => pick(layout, cables, x, y);
  const stop = () => {
    setDrag(null);
    drawing.onMove(null);
  };
  useFabricGestures(box, {
    ...drawing.zoom,
    leavesArrows: true,
    isTaken: (point) => isNode(pickedAt(point)),
    // What a finger has begun to drag is for zooming when another joins it.
    onPinch: stop,
  });

  const point = (event: MouseEvent<HTMLElement>) => {
    const { left, top } = (box.current ?? event.currentTarget).getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { x, y } = point(event);
    const picked = pickedAt({ x, y });
    pressed.current = picked;
    if (!isNode(picked) || tool === "fail") return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { name } = nodes[picked.node] as GraphNode;
    setAt(picked.node);
    if (!draws && !chosen.nodes.has(name)) {
      const kept = event.shiftKey ? chosen.nodes : [];
      onChoose({ nodes: new Set([...kept, name]), cables: event.shiftKey ? chosen.cables : new Set() });
    }
    setDrag({ kind: draws ? "line" : "move", node: picked.node, x0: x, y0: y, x, y });
  };
  /** The nodes that go along with one. */
  const withNode = (node: number) => {
    const { name } = nodes[node] as GraphNode;
    return chosen.nodes.has(name) ? chosen.nodes : new Set([name]);
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    drawing.onHover(drag ? null : event);
    if (!drag) return;
    const next = { ...drag, ...point(event) };
    setDrag(next);
    const [x, y] = [next.x - drag.x0, next.y - drag.y0];
    if (drag.kind === "move" && (moved || Math.hypot(x, y) > STILL))
      drawing.onMove({ names: withNode(drag.node), x, y });
  };
  const release = (event: PointerEvent<HTMLElement>) => {
    if (!drag) return;
    const { x, y } = point(event);
    stop();
    if (drag.kind === "line") {
      const target = pickedAt({ x, y });
      const [from, to] = [nodes[drag.node], isNode(target) ? nodes[target.node] : undefined];
      if (from && to && from !== to) props.onDraw(from.name, to.name);
    } else if (moved) {
      const [before, now] = [laid.placeAt(drag.x0, drag.y0), laid.placeAt(x, y)];
      props.onMove(withNode(drag.node), now.x - before.x, now.y - before.y);
    }
  };
  const click = (event: MouseEvent<HTMLElement>) => {
    const picked = pressed.current;
    if (isCable(picked) || (picked && tool === "fail")) {
      if (!isCable(picked)) return;
      if (tool === "fail") return props.onFail(picked.cable);
      const kept = event.shiftKey ? chosen.cables : [];
      onChoose({
        nodes: event.shiftKey ? chosen.nodes : new Set(),
        cables: new Set([...kept, picked.cable]),
      });
    } else if (picked === null) {
      if (adds) {
        const { x, y } = point(event);
        const place = laid.placeAt(x, y);
        props.onAdd(place.x, place.y);
      } else onChoose(NOTHING);
    }
  };

  const keyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!navigate(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** Goes to a node, and has it in the frame. */
  const goTo = (next: number) => {
    setAt(next);
    const node = layout.nodes[next];
    if (!node) return;
    const beyond = (value: number, room: number) => (value < 0 || value > room ? value / room - 0.5 : 0);
    const [right, down] = [beyond(node.x, width), beyond(node.y, height)];
    if (right !== 0 || down !== 0) drawing.zoom.show(panned(drawing.zoom.shown, right, down));
  };
  /** What the tool does at a node. */
  const enter = ({ name }: GraphNode) => {
    if (adds) {
      const free = freePlace(layout.nodes, place, width, height);
      const { x, y } = laid.placeAt(free.x, free.y);
      followsAdded.current = true;
      props.onAdd(x, y);
    } else if (draws) {
      props.onStartLine(lineStart === null ? name : null);
      if (lineStart !== null && lineStart !== name) props.onDraw(lineStart, name);
    } else if (tool === "fail") for (const cable of chosen.cables) props.onFail(cable);
    else onChoose(onlyNode(name));
  };
  const navigate = (event: KeyboardEvent): boolean => {
    const focused = nodes[place];
    const direction = DIRECTIONS[event.key];
    if (direction && focused) {
      const [dx, dy] = direction;
      if (event.shiftKey) {
        const [before, now] = [laid.placeAt(0, 0), laid.placeAt(STEP * dx, STEP * dy)];
        const step = (way: number) => Math.sign(way) * Math.max(1, Math.abs(way));
        props.onMove(new Set([focused.name]), dx && step(now.x - before.x), dy && step(now.y - before.y));
      } else goTo(nearestToward(layout.nodes, place, dx, dy));
      return true;
    }
    switch (event.key) {
      case "Enter":
      case " ":
        if (focused) enter(focused);
        return true;
      case "l":
      case "L": {
        const own = cables.flatMap(({ a, b }, index) => (a === place || b === place ? [index] : []));
        const last = [...chosen.cables].findLast((index) => own.includes(index));
        const next = own[(own.indexOf(last ?? -1) + 1) % own.length];
        if (next !== undefined) onChoose(onlyCable(next));
        return true;
      }
      case "Home":
      case "End":
        goTo(event.key === "Home" ? 0 : nodes.length - 1);
        return true;
      default:
        return false;
    }
  };

  const focus = layout.nodes[place];
  const line =
    drag?.kind === "line"
      ? { from: layout.nodes[drag.node], to: drag }
      : { from: layout.nodes[nodes.findIndex(({ name }) => name === lineStart)], to: focus };
  return (
    <div
      ref={(element) => {
        box.current = element;
        sheet.current = element;
      }}
      className={`fabric-editor tool-${tool}`}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={focus ? `${id}-${place}` : undefined}
      tabIndex={0}
      data-zoomed={drawing.zoom.shown.scale > 1 || undefined}
      onKeyDown={keyDown}
      onPointerDown={press}
      onPointerMove={move}
      onPointerLeave={() => drawing.onHover(null)}
      onPointerUp={release}
      onPointerCancel={stop}
      onClick={click}
    >
      <svg aria-hidden="true">
        {[...chosen.cables].map((index) => {
          const cable = cables[index];
          const [a, b] = [layout.nodes[cable?.a ?? -1], layout.nodes[cable?.b ?? -1]];
          return (
            a && b && <line key={index} className="fabric-chosen-cable" x1={a.x} y1={a.y} x2={b.x} y2={b.y} />
          );
        })}
        {layout.nodes.map(
          (node, i) =>
            chosen.nodes.has(nodes[i]?.name ?? "") && (
              <Ring key={nodes[i]?.name} className="fabric-chosen" node={node} around={AROUND} />
            ),
        )}
        {focus && <Ring className="fabric-focus" node={focus} around={AROUND - 2} />}
        {line.from && line.to && (
          <line className="fabric-draft" x1={line.from.x} y1={line.from.y} x2={line.to.x} y2={line.to.y} />
        )}
      </svg>
      {layout.nodes.map((node, i) => {
        const name = nodes[i]?.name ?? "";
        return (
          <NodeOption
            key={name}
            id={`${id}-${i}`}
            name={name}
            label={names[i] ?? name}
            isChosen={chosen.nodes.has(name)}
            left={node.x - node.width / 2}
            top={node.y - node.height / 2}
            width={node.width}
            height={node.height}
          />
        );
      })}
    </div>
  );
}

interface RingProps {
  readonly className: string;
  readonly node: PlacedNode;
  readonly around: number;
}

const Ring = ({ className, node, around }: RingProps) => (
  <rect
    className={className}
    x={node.x - node.width / 2 - around}
    y={node.y - node.height / 2 - around}
    width={node.width + 2 * around}
    height={node.height + 2 * around}
    rx={around + 1}
  />
);

interface NodeOptionProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly isChosen: boolean;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A node of the drawing for those who do not see it, and for fingers; thousands are only made anew where they change. */
const NodeOption = memo(({ id, name, label, isChosen, left, top, width, height }: NodeOptionProps) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and says which of them is active
  <div
    id={id}
    role="option"
    data-node={name}
    aria-selected={isChosen}
    aria-label={label}
    style={{ left, top, width, height }}
  />
));

const isNode = (picked: Picked): picked is { readonly node: number } => picked !== null && "node" in picked;
const isCable = (picked: Picked): picked is { readonly cable: number } =>
  picked !== null && "cable" in picked;

/** "h0, host, sends High, Low", for every node. */
function nodeNames({ layout: { graph }, classes }: RunView): readonly string[] {
  const senders = sendersOf(graph);
  return graph.nodes.map((node, i) => {
    const own = (senders.get(i) ?? []).map((item) => classes[item]?.name).join(", ");
    return `${node.name}, ${kindText(node)}${own && `, sends ${own}`}`;
  });
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Room around a node that is added, in pixels, and how far from the focused one places for it are looked for. */
const APART = 24;
const RINGS = [40, 64, 96, 136];
const SPOKES = 16;

/** The nearest place around a node, within the frame, that has no other node close by; the node's own if there is none. */
function freePlace(nodes: readonly PlacedNode[], at: number, width: number, height: number): Place {
  const middle = nodes[at] ?? { x: width / 2, y: height / 2 };
  const isFree = ({ x, y }: Place) =>
    x >= APART &&
    y >= APART &&
    x <= width - APART &&
    y <= height - APART &&
    nodes.every(
      (node) =>
        Math.abs(node.x - x) >= node.width / 2 + APART || Math.abs(node.y - y) >= node.height / 2 + APART,
    );
  const places = RINGS.flatMap((radius) =>
    Array.from({ length: SPOKES }, (_, n) => {
      const angle = (2 * Math.PI * n) / SPOKES;
      return { x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle) };
    }),
  );
  return places.find(isFree) ?? middle;
}

/** The node that lies nearest in a direction, what lies aside counting double; the same where none does. */
function nearestToward(nodes: readonly PlacedNode[], from: number, dx: number, dy: number): number {
  const start = nodes[from];
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, node] of nodes.entries()) {
    const [x, y] = [node.x - (start?.x ?? 0), node.y - (start?.y ?? 0)];
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (along <= 0.5 || along + 2 * aside >= least) continue;
    least = along + 2 * aside;
    best = index;
  }
  return best;
}
