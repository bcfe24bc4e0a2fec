import { interpolateNumber } from "d3-interpolate";
import { formatPackets, formatPercent } from "../charts/drawing/format.ts";
import { crisp } from "../charts/drawing/frame.ts";
import { drawMarker, markerPath } from "../charts/drawing/plot.ts";
import { type Surface, textWidth } from "../charts/drawing/surface.ts";
import { classStyle, type Theme } from "../charts/drawing/theme.ts";
import type { FabricViewProps, FollowedPackets, Magnified } from "../charts/types.ts";
import { hasNetwork } from "../run/bottleneck.ts";
import { busyShare, deviceReading, deviceTitle } from "../run/devices.ts";
import { queued } from "../run/links.ts";
import { column, samplesUntilNow } from "../run/read.ts";
import type { Graph, RunView } from "../run/types.ts";
import { busier, type Cable, classesOnLinks, sendersOf } from "./cables.ts";
import { drawPauses } from "./drawPauses.ts";
import { ends, type FabricLayout, leave, type PlacedNode } from "./layout.ts";
import { WHOLE } from "./magnified.ts";
import { forEachPacket } from "./packets.ts";

/** Everything about a fabric that changes only with the graph, the size, and what of it is in the frame. */
export interface FabricPicture {
  readonly layout: FabricLayout;
  readonly magnified: Magnified;
  readonly cables: readonly Cable[];
  readonly senders: ReadonlyMap<number, readonly number[]>;
  readonly classesOnLinks: ReadonlyMap<number, readonly number[]>;
  /** Links out of switches that flows use: they get a queue bar. */
  readonly queues: readonly number[];
  /** Nodes on any path. */
  readonly used: ReadonlySet<number>;
}

/** The layout is of the magnified size, as it stands in the frame. */
export function fabricPicture(
  graph: Graph,
  layout: FabricLayout,
  cables: readonly Cable[],
  magnified = WHOLE,
): FabricPicture {
  const used = new Set<number>();
  const queues = new Set<number>();
  for (const flow of graph.flows) {
    used.add(flow.source);
    used.add(flow.destination);
    for (const index of flow.path) {
      const from = graph.links[index]?.from ?? -1;
      used.add(from);
      if (graph.nodes[from]?.kind === "switch") queues.add(index);
    }
  }
  return {
    layout,
    magnified,
    cables,
    senders: sendersOf(graph),
    classesOnLinks: classesOnLinks(graph),
    queues: [...queues],
    used,
  };
}

/** Steps of link width and opacity: cables of a step share one stroke. */
const STEPS = 12;
/** Below this a link counts as idle. */
const IDLE = 0.002;

export function drawFabric(
  surface: Surface,
  theme: Theme,
  width: number,
  height: number,
  props: FabricViewProps,
  picture: FabricPicture,
): void {
  const { run } = props;
  const { scale, top } = picture.magnified;
  const failed = failedCables(run.layout.graph, picture.cables, props.failed ?? []);
  if (props.colouring === "classes") drawStrands(surface, theme, run, picture);
  else
    drawLinks(surface, theme, run, {
      ...picture,
      cables: picture.cables.filter((cable) => !failed.has(cable)),
    });
  drawFailures(surface, theme, picture.layout, failed);
  drawPauses(surface, theme, run, picture.layout);
  const roomy = !picture.layout.collapsed && picture.layout.nodes.length <= 160;
  if (props.packets && roomy && !props.followed)
    drawPackets(surface, theme, run, picture, props.reducedMotion ?? false);
  drawNodes(surface, theme, run, picture);
  drawPods(surface, theme, picture, height * scale, height * top);
  if (height * scale >= 200) {
    if (roomy) drawQueues(surface, theme, run, picture, props.thresholdPackets);
    drawBottleneck(surface, theme, width, props, picture);
  }
  if (props.followed) drawFollowed(surface, theme, run, picture.layout, props.followed);
}

/** Cables that are down, by the names of their ends. */
function failedCables(
  { nodes }: Graph,
  cables: readonly Cable[],
  failed: NonNullable<FabricViewProps["failed"]>,
): ReadonlySet<Cable> {
  if (failed.length === 0) return new Set();
  const key = (a: string | undefined, b: string | undefined) => [a, b].sort().join("\n");
  const down = new Set(failed.map(({ from, to }) => key(from, to)));
  return new Set(cables.filter(({ a, b }) => down.has(key(nodes[a]?.name, nodes[b]?.name))));
}

/** A cable that is down: dashed, crossed out in its middle. */
function drawFailures(
  surface: Surface,
  theme: Theme,
  layout: FabricLayout,
  failed: ReadonlySet<Cable>,
): void {
  for (const { a, b } of failed) {
    const line = ends(layout, a, b);
    if (!line) continue;
    const [from, to] = line;
    surface.begin();
    surface.moveTo(from.x, from.y);
    surface.lineTo(to.x, to.y);
    surface.stroke({ colour: theme.bg, width: 4 });
    surface.stroke({ colour: theme.danger, width: 1.25, dash: [3, 3] });
    const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
    surface.begin();
    surface.circle(x, y, 5.5);
    surface.fill(theme.bg);
    surface.stroke({ colour: theme.danger, width: 1.25 });
    surface.begin();
    surface.moveTo(x - 2.2, y - 2.2);
    surface.lineTo(x + 2.2, y + 2.2);
    surface.moveTo(x + 2.2, y - 2.2);
    surface.lineTo(x - 2.2, y + 2.2);
    surface.stroke({ colour: theme.danger, width: 1.25 });
  }
}

function drawLinks(surface: Surface, theme: Theme, run: RunView, { layout, cables }: FabricPicture): void {
  const steps: Cable[][] = Array.from({ length: STEPS + 1 }, () => []);
  for (const cable of cables) {
    const share = busier(run, cable);
    const step = share < IDLE ? 0 : Math.max(1, Math.min(STEPS, Math.ceil(share * STEPS)));
    steps[step]?.push(cable);
  }
  // A thousand nearly idle links would add up to a black cloud: the more carry, the fainter and thinner each starts.
  const carrying = cables.length - (steps[0]?.length ?? 0);
  const thin = Math.min(1, Math.sqrt(200 / Math.max(carrying, 1))) * (layout.collapsed ? 0.8 : 1);
  for (const [step, list] of steps.entries()) {
    if (list.length === 0) continue;
    surface.begin();
    for (const cable of list) {
      // Inside a glyph the idle mesh of a pod says nothing.
      if (layout.collapsed && step === 0 && isInPod(run.layout.graph, cable)) continue;
      const line = ends(layout, cable.a, cable.b);
      if (!line) continue;
      surface.moveTo(line[0].x, line[0].y);
      surface.lineTo(line[1].x, line[1].y);
    }
    const share = (step - 0.5) / STEPS;
    if (step === 0) surface.stroke({ colour: theme.ink, width: 1, opacity: layout.collapsed ? 0.04 : 0.16 });
    else
      surface.stroke({
        colour: theme.ink,
        width: linkWidth(share, thin),
        opacity: linkOpacity(share, thin),
      });
  }
}

const linkWidth = (share: number, thin: number): number => Math.max(0.75, (1.25 + 4.25 * share) * thin);
const linkOpacity = (share: number, thin: number): number => 0.28 * thin + (1 - 0.28 * thin) * share;

function isInPod(graph: Graph, cable: Cable): boolean {
  const a = graph.nodes[cable.a];
  const b = graph.nodes[cable.b];
  return a !== undefined && b !== undefined && a.pod >= 0 && a.pod === b.pod;
}

/** Share of each link that a class fills, by link and class: goodput spread evenly over the class's flows. */
function classShares(run: RunView): Map<number, Float64Array> {
  const { flows } = run;
  const { links } = run.layout.graph;
  const last = samplesUntilNow(run) - 1;
  const flowsOf = run.classes.map(() => 0);
  for (const flow of flows) flowsOf[flow.class] = (flowsOf[flow.class] ?? 0) + 1;
  const shares = new Map<number, Float64Array>();
  for (const flow of flows) {
    const gbps = (column(run, "goodputGbps", flow.class)?.[last] ?? 0) / (flowsOf[flow.class] || 1);
    for (const index of flow.path) {
      const list = shares.get(index) ?? new Float64Array(run.classes.length);
      list[flow.class] = (list[flow.class] ?? 0) + gbps / (links[index]?.gbps || 1);
      shares.set(index, list);
    }
  }
  return shares;
}

/** One parallel line per class that uses a cable, as wide as the share the class fills. */
function drawStrands(surface: Surface, theme: Theme, run: RunView, picture: FabricPicture): void {
  const { layout, cables } = picture;
  const shares = classShares(run);
  const thin = layout.collapsed ? layout.scale : 1;
  const strands: { item: number; width: number; line: readonly [number, number, number, number] }[] = [];
  surface.begin();
  for (const cable of cables) {
    const line = ends(layout, cable.a, cable.b);
    if (!line) continue;
    const [from, to] = line;
    const parts = run.classes.flatMap((_, item) => {
      const isUsed = [cable.there, cable.back].some((link) =>
        picture.classesOnLinks.get(link)?.includes(item),
      );
      const share = Math.max(shares.get(cable.there)?.[item] ?? 0, shares.get(cable.back)?.[item] ?? 0);
      return isUsed ? [{ item, width: Math.max(0.75, (1.25 + 4.25 * Math.min(1, share)) * thin) }] : [];
    });
    if (parts.length === 0) {
      surface.moveTo(from.x, from.y);
      surface.lineTo(to.x, to.y);
      continue;
    }
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const gap = 1.25 * thin;
    const whole = parts.reduce((sum, part) => sum + part.width, 0) + gap * (parts.length - 1);
    let at = -whole / 2;
    for (const { item, width } of parts) {
      const aside = (at + width / 2) / length;
      const [dx, dy] = [-(to.y - from.y) * aside, (to.x - from.x) * aside];
      strands.push({ item, width, line: [from.x + dx, from.y + dy, to.x + dx, to.y + dy] });
      at += width + gap;
    }
  }
  surface.stroke({ colour: theme.ink, width: 1, opacity: layout.collapsed ? 0.04 : 0.16 });
  for (const { item, width, line } of strands) {
    const style = classStyle(theme, run.classes[item]?.kindIndex ?? item);
    surface.begin();
    surface.moveTo(line[0], line[1]);
    surface.lineTo(line[2], line[3]);
    surface.stroke({ colour: style.mark, width, dash: style.dash });
  }
}

function drawPackets(
  surface: Surface,
  theme: Theme,
  run: RunView,
  { layout }: FabricPicture,
  frozen: boolean,
): void {
  const places = run.classes.map(() => [] as number[]);
  forEachPacket(run, layout, frozen, (x, y, item) => places[item]?.push(x, y));
  for (const [item, list] of places.entries()) {
    if (list.length === 0) continue;
    for (const radius of [3.3, 2.5]) {
      surface.begin();
      for (let i = 0; i < list.length; i += 2)
        surface.circle(list[i] as number, list[i + 1] as number, radius);
      surface.fill(radius > 3 ? theme.bg : classStyle(theme, run.classes[item]?.kindIndex ?? item).mark);
    }
  }
}

/** Pixels between packets that wait in one port. */
const QUEUED_PITCH = 3;
/** Packets that are drawn one behind the other in a port; more would reach into the drawing. */
const MAX_QUEUED = 12;

/** The packets of one request where they are, and what its device does. */
function drawFollowed(
  surface: Surface,
  theme: Theme,
  run: RunView,
  layout: FabricLayout,
  { classIndex, spots, work }: FollowedPackets,
): void {
  const { links, nodes } = run.layout.graph;
  const { mark } = classStyle(theme, run.classes[classIndex]?.kindIndex ?? classIndex);
  const queued = new Map<number, number>();
  const places = spots.flatMap(({ link, along }) => {
    const ends = [links[link]?.from ?? -1, links[link]?.to ?? -1].map((node) => layout.nodes[node]);
    const [from, to] = ends;
    if (!from || !to) return [];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy) || 1;
    if (along > 0) {
      const [x, y] = [interpolateNumber(from.x, to.x), interpolateNumber(from.y, to.y)];
      return [{ x: x(along), y: y(along), radius: 5 }];
    }
    // Those that wait stand side by side at the port.
    const place = queued.get(link) ?? 0;
    queued.set(link, place + 1);
    if (place >= MAX_QUEUED) return [];
    const near = Math.min(14 / length, 0.3);
    const aside = ((place + 1) * QUEUED_PITCH) / length;
    return [{ x: from.x + dx * near - dy * aside, y: from.y + dy * near + dx * aside, radius: 3.5 }];
  });
  for (const [grow, colour] of [
    [2, theme.bg],
    [0.75, theme.ink],
    [0, mark],
  ] as const) {
    surface.begin();
    for (const { x, y, radius } of places) surface.circle(x, y, radius + grow);
    surface.fill(colour);
  }
  for (const [link, count] of queued) {
    const from = layout.nodes[links[link]?.from ?? -1];
    if (!from || count <= MAX_QUEUED) continue;
    const text = { text: `${count} wait`, colour: theme.ink, bold: true };
    surface.text(text, from.x, from.y - 16, { align: "middle", halo: theme.bg });
  }
  const at = work && layout.nodes[work.node];
  if (!at) return;
  surface.begin();
  surface.circle(at.x, at.y, 11);
  surface.stroke({ colour: mark, width: 2.5 });
  const text = { text: `${nodes[work.node]?.name ?? ""}: ${work.text}`, colour: theme.ink, bold: true };
  const room = textWidth(text.text, theme, 11, true) + 12;
  const isRight = at.x > 0.6 * Math.max(...layout.nodes.map(({ x }) => x));
  const left = isRight ? at.x - 10 - room : at.x + 10;
  surface.begin();
  surface.rect(left, at.y - 34, room, 18, 3);
  surface.fill(theme.bg);
  surface.stroke({ colour: theme.line2, width: 1 });
  surface.text(text, left + room / 2, at.y - 21, { align: "middle" });
}

function drawNodes(surface: Surface, theme: Theme, run: RunView, picture: FabricPicture): void {
  const { layout, used, senders } = picture;
  const { nodes } = run.layout.graph;
  const ranks = [
    { strong: false, width: 1, colour: theme.line2 },
    { strong: true, width: 1.25, colour: theme.ink },
  ];
  for (const rank of ranks) {
    surface.begin();
    for (const [i, place] of layout.nodes.entries()) {
      const strong = nodes[i]?.kind === "switch" || used.has(i);
      if (strong === rank.strong) outline(surface, place, nodes[i]?.storage ?? false);
    }
    surface.fill(theme.bg);
    surface.stroke({ colour: rank.colour, width: layout.scale < 0.6 ? 0.75 : rank.width, join: "round" });
  }
  for (const [i, place] of layout.nodes.entries()) {
    const node = nodes[i];
    if (!node) continue;
    drawName(surface, theme, node.name, place, used.has(i));
    const classes = senders.get(i);
    if (!classes) continue;
    const room = place.width;
    const shown = classes.slice(0, room >= 14 ? 3 : 1);
    const r = Math.min(shown.length > 1 ? 2.2 : 3.2, room * 0.3);
    const more = room >= 14 ? classes.length - shown.length : 0;
    if (more > 0)
      surface.text({ text: `+${more}`, colour: theme.t2 }, place.x + room / 2 + 3, place.y + 4, { size: 10 });
    shown.forEach((item, k) => {
      const style = classStyle(theme, run.classes[item]?.kindIndex ?? item);
      const x = place.x + (k - (shown.length - 1) / 2) * (2 * r + 0.4);
      if (r < 1.6) {
        const side = Math.max(1.5, room);
        surface.begin();
        surface.rect(x - side / 2, place.y - side / 2, side, side);
        surface.fill(style.mark);
      } else if (style.marker === "cross" || style.marker.startsWith("half")) {
        drawMarker(surface, theme, style, x, place.y, r);
      } else {
        surface.begin();
        markerPath(surface, style.marker, x, place.y, r);
        surface.fill(style.mark);
      }
    });
  }
}

/** Rounded box, or a cylinder for storage; a plain box where it is tiny. */
function outline(surface: Surface, { x, y, width, height }: PlacedNode, storage: boolean): void {
  const left = x - width / 2;
  const right = x + width / 2;
  const top = y - height / 2;
  const bottom = y + height / 2;
  if (!storage || width < 6) {
    surface.rect(left, top, width, height, width >= 6 ? Math.min(3, width / 4) : 0);
    return;
  }
  const lid = Math.min(2.6, height / 5);
  surface.moveTo(left, top + lid);
  surface.ellipse(x, top + lid, width / 2, lid, Math.PI, 2 * Math.PI);
  surface.lineTo(right, bottom - lid);
  surface.ellipse(x, bottom - lid, width / 2, lid, 0, Math.PI);
  surface.closePath();
  surface.moveTo(right, top + lid);
  surface.ellipse(x, top + lid, width / 2, lid, 0, Math.PI);
}

function drawName(surface: Surface, theme: Theme, name: string, place: PlacedNode, used: boolean): void {
  const run = { text: name, colour: used ? theme.ink : theme.t3, bold: used };
  const size = place.width > 40 ? 12 : 10;
  switch (place.name) {
    case "inside":
      if (textWidth(name, theme, size) > place.width - 2) return;
      surface.text({ text: name, colour: theme.ink }, place.x, place.y + 0.36 * size, {
        align: "middle",
        size,
      });
      return;
    case "below":
      surface.text(run, place.x, place.y + place.height / 2 + 13, { align: "middle" });
      return;
    case "left":
      surface.text(run, place.x - place.width / 2 - 6, place.y + 4, { align: "end" });
      return;
    case "right":
      surface.text(run, place.x + place.width / 2 + 6, place.y + 4);
      return;
  }
}

function drawPods(
  surface: Surface,
  theme: Theme,
  { layout }: FabricPicture,
  height: number,
  above: number,
): void {
  if (layout.collapsed) {
    surface.begin();
    for (const pod of layout.pods) {
      surface.rect(
        crisp(pod.left),
        crisp(pod.top),
        Math.round(pod.right - pod.left),
        Math.round(pod.bottom - pod.top),
        4,
      );
    }
    surface.stroke({ colour: theme.line2, width: 1, opacity: 0.6 });
  }
  for (const pod of layout.pods) {
    if (!pod.name) continue;
    const place = height < 200 ? height - above - 8 : Math.min(height - above - 7, pod.bottom + 36);
    surface.text(
      { text: pod.name, colour: theme.t3 },
      (pod.left + pod.right) / 2,
      layout.collapsed ? pod.bottom + 15 : place,
      {
        align: "middle",
      },
    );
  }
}

/** Scale of queue bars in packets: twice K, or what the deepest queue needs where there is no K. */
function queueScale(run: RunView, queues: readonly number[], threshold: number | undefined): number {
  if (threshold && threshold > 0) return 2 * threshold;
  return Math.max(20, ...queues.map((link) => queued(run, link)));
}

/** Small bars beside the egress ports that flows use. */
function drawQueues(
  surface: Surface,
  theme: Theme,
  run: RunView,
  { layout, queues }: FabricPicture,
  threshold: number | undefined,
): void {
  const { links, bottleneck } = run.layout.graph;
  const scale = queueScale(run, queues, threshold);
  const drawn: [number, number][] = [];
  const bars = queues.flatMap((index) => {
    const link = links[index];
    const line = link && index !== bottleneck ? ends(layout, link.from, link.to) : null;
    if (!line) return [];
    const [from, to] = line;
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    // Where the line leaves the box, then a little farther and to its right.
    const out = leave(from, ux, uy);
    const x = Math.round(from.x + ux * (out + 6) + (uy > 0 ? 8 : 10) * Math.abs(uy) + 2);
    const y = Math.round(from.y + uy * (out + 6) + (Math.abs(uy) < 0.5 ? 8 * Math.sign(uy || 1) : 0));
    if (drawn.some(([ox, oy]) => Math.abs(ox - x) < 6 && Math.abs(oy - y) < 16)) return [];
    drawn.push([x, y]);
    return [{ x, y, share: Math.min(1, queued(run, index) / scale) }];
  });
  surface.begin();
  for (const { x, y } of bars) surface.rect(x - 1.5, y - 6.5, 4, 13);
  surface.fill(theme.bg);
  surface.stroke({ colour: theme.line2, width: 1 });
  surface.begin();
  for (const { x, y, share } of bars) surface.rect(x - 1.5, y + 6.5 - 13 * share, 4, 13 * share);
  surface.fill(theme.ink);
}

/** A part that all requests pass, and how busy it is; inverted where it is the bottleneck. */
interface Tag {
  readonly part: string;
  readonly share: number;
  /** Commands that wait for a device. */
  readonly waiting?: number;
  readonly isBottleneck: boolean;
}

/** Height of a tag and of the gap below it. */
const TAG_PITCH = 22;

/** The link that most of the traffic shares, and below it the storage device with the most work. */
function tagsOf(run: RunView): Tag[] {
  const link = { part: "link", share: run.bottleneck.utilisation, isBottleneck: run.bottleneck.saturated };
  const devices = run.layout.devices.flatMap((_, device) => {
    const reading = deviceReading(run, device);
    if (!reading) return [];
    const part = deviceTitle(run, device);
    const waiting = run.bottleneck.waiting[device] ?? 0;
    return [
      { part, share: busyShare(reading), waiting, isBottleneck: run.bottleneck.backlogged[device] === true },
    ];
  });
  const rank = (tag: Tag) => Number(tag.isBottleneck) + tag.share / 2;
  const [busiest] = devices.sort((one, other) => rank(other) - rank(one));
  if (!hasNetwork(run)) return busiest ? [busiest] : [];
  return busiest ? [link, busiest] : [link];
}

/** A device is full when it holds as many commands as it takes, however busy its dies are: what waits for it tells that. */
const tagText = ({ part, share, waiting, isBottleneck }: Tag): string =>
  isBottleneck && waiting !== undefined
    ? `bottleneck: ${part}, ${formatPackets(waiting)} waiting`
    : `${isBottleneck ? "bottleneck: " : ""}${part} ${formatPercent(share)}`;

/** Larger queue bar with the K tick, and the tags. */
function drawBottleneck(
  surface: Surface,
  theme: Theme,
  width: number,
  props: FabricViewProps,
  { layout, queues }: FabricPicture,
): void {
  const { run, thresholdPackets } = props;
  const { links, bottleneck, nodes } = run.layout.graph;
  const link = links[bottleneck];
  const line = link ? ends(layout, link.from, link.to) : null;
  if (!link || !line) return;
  const [from, to] = line;
  const fromSwitch = nodes[link.from]?.kind === "switch";
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const isLevel = Math.abs(to.y - from.y) < Math.abs(to.x - from.x) * 0.5;
  const all = tagsOf(run);
  const isTight = !isLevel && Math.abs(to.y - from.y) < 3 * TAG_PITCH;
  const tags = isTight
    ? [all.find(({ isBottleneck }) => isBottleneck) ?? all[0]].flatMap((tag) => tag ?? [])
    : all;
  const widest = tags.map((tag) => tagText({ ...tag, share: 0.999, isBottleneck: true }));
  const room = Math.ceil(Math.max(...widest.map((text) => textWidth(text, theme, 11, true)))) + 14;
  // Far enough from a slanting link for the whole height of what stands beside it.
  const slant = Math.abs(to.x - from.x) / Math.max(Math.abs(to.y - from.y), 1);
  let left = isLevel ? middle.x - room / 2 : middle.x + 11 + 10 * slant;
  const flipped = !isLevel && left + room > width - 4;
  if (flipped) left = middle.x - 11 - 10 * slant - room;
  const tagTop = Math.round(isLevel ? middle.y + 22 : middle.y - (TAG_PITCH * tags.length) / 2 + 1);

  // Where nothing goes over the network, no queue is of interest.
  if (hasNetwork(run)) drawQueue();
  tags.forEach((tag, i) => {
    const { isBottleneck } = tag;
    const top = tagTop + i * TAG_PITCH;
    surface.begin();
    surface.rect(left + 0.5, top + 0.5, room - 1, TAG_PITCH - 3, 3);
    surface.fill(isBottleneck ? theme.ink : theme.bg);
    if (!isBottleneck) surface.stroke({ colour: theme.line2, width: 1 });
    const colour = isBottleneck ? theme.onink : theme.t2;
    surface.text({ text: tagText(tag), colour, bold: isBottleneck }, left + room / 2, top + 14, {
      align: "middle",
    });
  });
  // Where names are hidden, the two that matter are written out.
  if (layout.collapsed) {
    const names = `${nodes[link.from]?.name ?? ""} to ${nodes[link.to]?.name ?? ""}`;
    surface.text({ text: names, colour: theme.ink, bold: true }, left + room / 2, tagTop - 5, {
      align: "middle",
      halo: theme.bg,
    });
  }

  /** Larger queue bar with the K tick, beside the port. */
  function drawQueue() {
    // A dumbbell has room for the queue that all of it is about.
    const large = props.kind === "dumbbell" && fromSwitch && to.y === from.y;
    const bar = large ? { width: 16, height: 68 } : { width: 8, height: 34 };
    const barSide = flipped ? 1 : -1;
    // Near the port; where the link slants, far enough from the box for the bar to stand on the link.
    const apart = from.width / 2 + 10 + bar.width / 2 + (Math.abs(to.y - from.y) > 8 ? 40 : 0);
    const near = from.x + Math.sign(to.x - from.x) * Math.min(apart, Math.abs(middle.x - from.x));
    const level = from.y + ((to.y - from.y) * (near - from.x)) / (to.x - from.x || 1);
    const x = Math.round(isLevel ? near : middle.x + barSide * (10 + 17 * slant)) - bar.width / 2;
    const y = Math.round(isLevel ? level - bar.height - 8 : middle.y - bar.height / 2 - 2);
    const share = Math.min(1, queued(run, bottleneck) / queueScale(run, queues, thresholdPackets));
    surface.begin();
    surface.rect(x + 0.5, y + 0.5, bar.width, bar.height);
    surface.fill(theme.bg);
    surface.stroke({ colour: theme.ink, width: 1 });
    surface.begin();
    surface.rect(x + 0.5, y + 0.5 + bar.height * (1 - share), bar.width, bar.height * share);
    surface.fill(theme.ink);
    if (thresholdPackets && thresholdPackets > 0) {
      const tick = crisp(y + bar.height / 2);
      surface.begin();
      surface.moveTo(x - 4, tick);
      surface.lineTo(x + bar.width + 4, tick);
      surface.stroke({ colour: theme.bg, width: 3 });
      surface.stroke({ colour: theme.ink, width: 1 });
      const side = flipped ? x + bar.width + 8 : x - 7;
      surface.text({ text: "K", colour: theme.ink, symbol: true }, side, tick + 4, {
        align: flipped ? "start" : "end",
        halo: theme.bg,
      });
    }
    if (large) {
      const after = to.x > from.x;
      const packets = formatPackets(queued(run, bottleneck));
      surface.text(
        { text: `${packets} ${packets === "1" ? "packet" : "packets"}`, colour: theme.t2 },
        after ? x + bar.width + 8 : x - 7,
        y + bar.height - 2,
        { align: after ? "start" : "end", halo: theme.bg },
      );
    }
  }
}
