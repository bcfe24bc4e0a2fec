import { select } from "d3-selection";
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from "d3-zoom";
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { MarkerForm } from "../charts/frame/ClassMarker.tsx";
import type { RunClass } from "../run/types.ts";
import "./NetworkCanvas.css";

/** A node as it stands on the sheet. */
export interface SheetNode {
  readonly name: string;
  readonly kind: "host" | "switch" | "storage";
  readonly x: number;
  readonly y: number;
  /** The classes that send from it. */
  readonly senders: readonly RunClass[];
}

/** A cable, by the places of its ends among the nodes. */
export interface SheetCable {
  readonly from: number;
  readonly to: number;
  readonly failed: boolean;
  /** Utilisation of the busier direction. */
  readonly share: number;
  readonly isBottleneck: boolean;
}

export type Tool = "select" | "host" | "storage" | "switch" | "connect" | "traffic" | "fail";

/** What is chosen: nodes by name, cables by place. */
export interface Chosen {
  readonly nodes: ReadonlySet<string>;
  readonly cables: ReadonlySet<number>;
}

export const NOTHING: Chosen = { nodes: new Set(), cables: new Set() };

interface NetworkCanvasProps {
  readonly nodes: readonly SheetNode[];
  readonly cables: readonly SheetCable[];
  readonly tool: Tool;
  readonly chosen: Chosen;
  readonly label: string;
  readonly onChoose: (chosen: Chosen) => void;
  /** A click on the empty sheet with a tool that adds something. */
  readonly onAdd: (x: number, y: number) => void;
  readonly onMove: (names: ReadonlySet<string>, dx: number, dy: number) => void;
  /** A line was drawn from one node to another. */
  readonly onDraw: (from: string, to: string) => void;
  readonly onFail: (cable: number) => void;
  /** Keys of the tools. Returns whether it took the key. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Distance of a step of the keyboard. */
const STEP = 8;
/** Pointer movement below which a press is a click. */
const STILL = 3;
const BOX = { host: [22, 22], storage: [22, 22], switch: [44, 22] } as const;

/** What a person is drawing or dragging, in the coordinates of the sheet. */
interface Drag {
  readonly kind: "move" | "line";
  readonly node: string;
  readonly x0: number;
  readonly y0: number;
  readonly x: number;
  readonly y: number;
}

/**
 * The sheet that a network is drawn on: nodes and cables to choose, move and join, with wheel, drag and fingers to zoom and pan. With the
 * keyboard it is a list of nodes: arrows go to the nearest one in a direction, Shift moves it, L walks along its cables.
 */
export function NetworkCanvas(props: NetworkCanvasProps) {
  const { nodes, cables, tool, chosen, label, onChoose } = props;
  const svg = useRef<SVGSVGElement>(null);
  const sheet = useRef<SVGGElement>(null);
  const zooming = useRef<ZoomBehavior<SVGSVGElement, unknown> | null>(null);
  const scale = useRef(1);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [at, setAt] = useState(0);
  const id = useId();
  const bounds = useMemo(() => boundsOf(nodes), [nodes]);
  const focused = nodes[Math.min(at, nodes.length - 1)];

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const behaviour = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.2, 8])
      // A press on a node or a cable is for that; two fingers zoom wherever they are.
      .filter(
        (event: Event) =>
          event.type === "wheel" ||
          ("touches" in event && (event as TouchEvent).touches.length > 1) ||
          (event.target as Element).closest("[data-part]") === null,
      )
      .on("zoom", ({ transform }: D3ZoomEvent<SVGSVGElement, unknown>) => {
        scale.current = transform.k;
        sheet.current?.setAttribute("transform", transform.toString());
      });
    zooming.current = behaviour;
    select(element).call(behaviour).on("dblclick.zoom", null);
    return () => {
      select(element).on(".zoom", null);
    };
  }, []);

  // The whole network is in view at first, when it became another one, and when the sheet has another size.
  const key = `${nodes[0]?.name} ${nodes.length > 60}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (!svg.current) return;
    const watch = new ResizeObserver(showAll);
    watch.observe(svg.current);
    return () => watch.disconnect();
  }, [key]);

  function showAll(): void {
    const element = svg.current;
    const behaviour = zooming.current;
    if (!element || !behaviour) return;
    const { width, height } = element.getBoundingClientRect();
    if (width === 0) return;
    const k = Math.min(2, 0.92 * Math.min(width / bounds.width, height / bounds.height));
    const [x, y] = [width / 2 - k * bounds.x, height / 2 - k * bounds.y];
    select(element).call(behaviour.transform, zoomIdentity.translate(x, y).scale(k));
  }

  /** A point of the sheet under the pointer. */
  const point = (event: { readonly clientX: number; readonly clientY: number }) => {
    const matrix = sheet.current?.getScreenCTM();
    const { x, y } = matrix
      ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
      : { x: 0, y: 0 };
    return { x, y };
  };
  const draws = tool === "connect" || tool === "traffic";

  const pressNode = (event: PointerEvent, name: string) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { x, y } = point(event);
    setAt(nodes.findIndex((node) => node.name === name));
    if (!draws && !chosen.nodes.has(name)) {
      const kept = event.shiftKey ? chosen.nodes : [];
      onChoose({ nodes: new Set([...kept, name]), cables: event.shiftKey ? chosen.cables : new Set() });
    }
    setDrag({ kind: draws ? "line" : "move", node: name, x0: x, y0: y, x, y });
  };
  /** What a finger has begun to drag is for zooming when another joins it. */
  const press = (event: PointerEvent) => {
    if (!event.isPrimary) setDrag(null);
  };
  const move = (event: PointerEvent) => {
    if (drag) setDrag({ ...drag, ...point(event) });
  };
  const release = (event: PointerEvent) => {
    if (!drag) return;
    const { x, y } = point(event);
    setDrag(null);
    const far = Math.hypot(x - drag.x0, y - drag.y0) * scale.current > STILL;
    if (drag.kind === "line") {
      const target = nodeAt(nodes, x, y);
      if (target && target.name !== drag.node) props.onDraw(drag.node, target.name);
    } else if (far) {
      props.onMove(
        chosen.nodes.has(drag.node) ? chosen.nodes : new Set([drag.node]),
        x - drag.x0,
        y - drag.y0,
      );
    }
  };
  const pressCable = (event: PointerEvent, index: number) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.stopPropagation();
    if (tool === "fail") return props.onFail(index);
    const kept = event.shiftKey ? chosen.cables : [];
    onChoose({ nodes: event.shiftKey ? chosen.nodes : new Set(), cables: new Set([...kept, index]) });
  };
  const click = (event: {
    readonly clientX: number;
    readonly clientY: number;
    readonly target: EventTarget;
  }) => {
    if ((event.target as Element).closest("[data-part]") !== null) return;
    if (tool === "host" || tool === "storage" || tool === "switch") {
      const { x, y } = point(event);
      props.onAdd(x, y);
    } else onChoose(NOTHING);
  };

  const keyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!navigate(event) && !props.onKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const navigate = (event: KeyboardEvent): boolean => {
    const direction = DIRECTIONS[event.key];
    if (direction && focused) {
      const [dx, dy] = direction;
      if (event.shiftKey) props.onMove(new Set([focused.name]), STEP * dx, STEP * dy);
      else setAt(nearestToward(nodes, focused, dx, dy));
      return true;
    }
    switch (event.key) {
      case "Enter":
      case " ":
        if (focused) onChoose({ nodes: new Set([focused.name]), cables: new Set() });
        return true;
      case "l":
      case "L": {
        const place = nodes.indexOf(focused as SheetNode);
        const own = cables.flatMap(({ from, to }, index) => (from === place || to === place ? [index] : []));
        const last = [...chosen.cables].findLast((index) => own.includes(index));
        const next = own[(own.indexOf(last ?? -1) + 1) % own.length];
        if (next !== undefined) onChoose({ nodes: new Set(), cables: new Set([next]) });
        return true;
      }
      case "0":
        showAll();
        return true;
      case "Home":
      case "End":
        setAt(event.key === "Home" ? 0 : nodes.length - 1);
        return true;
      default:
        return false;
    }
  };

  const shift = (name: string) =>
    drag?.kind === "move" && (drag.node === name || (chosen.nodes.has(drag.node) && chosen.nodes.has(name)))
      ? { x: drag.x - drag.x0, y: drag.y - drag.y0 }
      : { x: 0, y: 0 };
  const placeOf = (index: number) => {
    const node = nodes[index];
    const by = node ? shift(node.name) : { x: 0, y: 0 };
    return { x: (node?.x ?? 0) + by.x, y: (node?.y ?? 0) + by.y };
  };
  const start = drag?.kind === "line" ? nodes.find(({ name }) => name === drag.node) : undefined;
  return (
    <div
      className={`network-canvas tool-${tool}`}
      role="listbox"
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={focused ? `${id}-${nodes.indexOf(focused)}` : undefined}
      tabIndex={0}
      onKeyDown={keyDown}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={() => setDrag(null)}
      onClick={click}
    >
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the list around it has the name */}
      <svg ref={svg}>
        <g ref={sheet}>
          <g className="network-cables">
            {cables.map((cable, index) => {
              const [a, b] = [placeOf(cable.from), placeOf(cable.to)];
              const line = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: cables have no other name than their place
                <g key={index} data-part="cable" onPointerDown={(event) => pressCable(event, index)}>
                  <line {...line} className="network-cable-room" />
                  {chosen.cables.has(index) && <line {...line} className="network-cable-chosen" />}
                  <line
                    {...line}
                    className={cable.failed ? "network-cable-failed" : "network-cable"}
                    strokeWidth={cable.failed ? 1.5 : 1.25 + 4.25 * cable.share}
                    strokeOpacity={cable.failed ? 1 : 0.28 + 0.72 * cable.share}
                  />
                  {cable.failed && (
                    <path
                      className="network-cross"
                      transform={`translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2})`}
                      d="M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0M-3-3 3 3M3-3-3 3"
                    />
                  )}
                </g>
              );
            })}
          </g>
          {start && drag && (
            <line className="network-draft" x1={start.x} y1={start.y} x2={drag.x} y2={drag.y} />
          )}
          {nodes.map((node, place) => {
            const [width, height] = BOX[node.kind];
            const by = shift(node.name);
            const wide = Math.max(width, 10 + 7 * node.name.length);
            const boxWidth = node.kind === "switch" ? wide : width;
            return (
              <g
                key={node.name}
                id={`${id}-${place}`}
                data-part="node"
                data-node={node.name}
                role="option"
                aria-selected={chosen.nodes.has(node.name)}
                aria-label={nameOf(node)}
                className={`network-node network-${node.kind}${focused === node ? " network-focus" : ""}`}
                transform={`translate(${node.x + by.x} ${node.y + by.y})`}
                onPointerDown={(event) => pressNode(event, node.name)}
              >
                {chosen.nodes.has(node.name) && (
                  <rect
                    className="network-chosen"
                    x={-boxWidth / 2 - 5}
                    y={-height / 2 - 5}
                    width={boxWidth + 10}
                    height={height + 10}
                    rx="6"
                  />
                )}
                <rect
                  className="network-ring"
                  x={-boxWidth / 2 - 3}
                  y={-height / 2 - 3}
                  width={boxWidth + 6}
                  height={height + 6}
                  rx="5"
                />
                {node.kind === "storage" ? (
                  <path
                    className="network-box"
                    d="M-11-7v14c0 2.2 4.9 4 11 4s11-1.8 11-4v-14M-11-7c0 2.2 4.9 4 11 4s11-1.8 11-4-4.9-4-11-4-11 1.8-11 4z"
                  />
                ) : (
                  <rect
                    className="network-box"
                    x={-boxWidth / 2}
                    y={-height / 2}
                    width={boxWidth}
                    height={height}
                    rx="3"
                  />
                )}
                <Senders node={node} />
                <text y={node.kind === "switch" ? 4 : height / 2 + 14} textAnchor="middle">
                  {node.name}
                </text>
              </g>
            );
          })}
        </g>
      </svg>
    </div>
  );
}

/** "h0, host, sends High, Low". */
function nameOf({ name, kind, senders }: SheetNode): string {
  const sends = senders.length > 0 ? `, sends ${senders.map((item) => item.name).join(", ")}` : "";
  return `${name}, ${kind === "storage" ? "storage server" : kind}${sends}`;
}

/** Markers that a node has room for; where there are more classes, a number stands for those that it has not. */
const MARKERS = 4;
/** Half the distance of their middles. */
const APART = 4.5;

/** The markers of the classes that send from a node, in rows of two. */
function Senders({ node: { kind, senders } }: { readonly node: SheetNode }) {
  const shown = senders.length > MARKERS ? senders.slice(0, MARKERS - 1) : senders;
  const more = senders.length - shown.length;
  const middle = kind === "storage" ? 2 : 0;
  const places = senders.length;
  return (
    <>
      {shown.map(({ name, kindIndex }, nth) => {
        const inRow = nth === places - 1 && places % 2 === 1 ? 1 : 2;
        const x = inRow === 1 ? 0 : nth % 2 === 0 ? -APART : APART;
        const y = middle + (places <= 2 ? 0 : nth < 2 ? -APART : APART);
        return (
          <g key={name} data-class={name} transform={`translate(${x - 6} ${y - 6})`}>
            <MarkerForm kindIndex={kindIndex} />
          </g>
        );
      })}
      {more > 0 && (
        <text className="network-more" x="15" y="4">
          +{more}
        </text>
      )}
    </>
  );
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The node that lies nearest in a direction, what lies aside counting double; the same where none does. */
function nearestToward(nodes: readonly SheetNode[], from: SheetNode, dx: number, dy: number): number {
  let best = nodes.indexOf(from);
  let least = Number.POSITIVE_INFINITY;
  for (const [index, node] of nodes.entries()) {
    const along = (node.x - from.x) * dx + (node.y - from.y) * dy;
    const aside = Math.abs((node.x - from.x) * dy) + Math.abs((node.y - from.y) * dx);
    if (along <= 0.5 || along + 2 * aside >= least) continue;
    least = along + 2 * aside;
    best = index;
  }
  return best;
}

/** The node at a point of the sheet, with some room around it. */
const nodeAt = (nodes: readonly SheetNode[], x: number, y: number): SheetNode | undefined =>
  nodes.find((node) => Math.abs(node.x - x) < 28 && Math.abs(node.y - y) < 20);

/** Middle and size of what is drawn. */
function boundsOf(nodes: readonly SheetNode[]): { x: number; y: number; width: number; height: number } {
  const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  if (nodes.length === 0) return { x: 0, y: 0, width: 1, height: 1 };
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    width: right - left + 80,
    height: bottom - top + 90,
  };
}
