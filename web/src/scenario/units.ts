/** Numbers as people type and read them in fields: parsing with units, formatting, natural steps. */

/** What a typed unit may mean for a field of some unit: factor from the typed unit to the field's. */
type Factors = Readonly<Record<string, number>>;

const TIME: Factors = { ns: 0.001, us: 1, µs: 1, μs: 1, ms: 1000, s: 1e6, min: 6e7 };
const RATE: Factors = {
  "kb/s": 1e-6,
  kbps: 1e-6,
  "mb/s": 0.001,
  mbps: 0.001,
  "gb/s": 1,
  gbps: 1,
  "tb/s": 1000,
  tbps: 1000,
  g: 1,
  t: 1000,
};
const SLOW_RATE: Factors = { "kb/s": 0.001, kbps: 0.001, "mb/s": 1, mbps: 1, "gb/s": 1000, gbps: 1000 };
const BYTES: Factors = { b: 1, byte: 1, bytes: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1048576 };

/** What turns packets into bytes and time: the packet size and the line rate of the network. */
export interface PacketScale {
  readonly packetBytes: number;
  readonly linkGbps: number;
}

export const packetsToBytes = (packets: number, scale: PacketScale): number => packets * scale.packetBytes;

/** Time a number of packets takes on the line. */
export const packetsToUs = (packets: number, scale: PacketScale): number =>
  (packets * scale.packetBytes * 8) / (scale.linkGbps * 1000);

function factorsFor(unit: string | undefined, scale: PacketScale | undefined): Factors {
  switch (unit) {
    case "us":
      return TIME;
    case "Gb/s":
      return RATE;
    case "Mb/s":
      return SLOW_RATE;
    case "bytes":
      return BYTES;
    case "packets":
      return { packets: 1, packet: 1, pkt: 1, pkts: 1, p: 1, ...(scale && packetFactors(scale)) };
    case "RTT":
      return { rtt: 1, rtts: 1 };
    case undefined:
      return { "%": 0.01 };
    default:
      return { [unit.toLowerCase()]: 1 };
  }
}

function packetFactors(scale: PacketScale): Factors {
  const fromBytes = Object.entries(BYTES).map(([name, bytes]) => [name, bytes / scale.packetBytes]);
  const usPerPacket = packetsToUs(1, scale);
  const fromTime = Object.entries(TIME).map(([name, us]) => [name, us / usPerPacket]);
  return Object.fromEntries([...fromBytes, ...fromTime]) as Factors;
}

/**
 * Reads a typed number in the unit of a field: "16.8 us", "210 KB", "140", "1,5". A number without a unit is in
 * `shownUnit`. Null: not a number, or a unit that does not fit.
 */
export function parseNumber(
  text: string,
  unit: string | undefined,
  options: { readonly shownUnit?: string | undefined; readonly scale?: PacketScale | undefined } = {},
): number | null {
  const match =
    /^\s*([+\u2212-]?)\s*(\d[\d\s\u2009\u202f]*(?:[.,]\d*)?|[.,]\d+)(e[+-]?\d+)?\s*(.*?)\s*$/i.exec(text);
  if (!match) return null;
  const [, sign = "", digits = "", exponent = "", typed = ""] = match;
  const number =
    Number(digits.replace(/\s/g, "").replace(",", ".") + exponent) * (sign && sign !== "+" ? -1 : 1);
  const factors = factorsFor(unit, options.scale);
  const name = (typed || options.shownUnit || "").toLowerCase();
  const plain = name === "" || name === unit?.toLowerCase();
  const factor = plain ? 1 : Object.hasOwn(factors, name) ? factors[name] : undefined;
  if (factor === undefined || !Number.isFinite(number * factor)) return null;
  // Adding 0 leaves no minus at a zero.
  return Number((number * factor).toPrecision(12)) + 0;
}

/** Unit in which a value is shown: long times in ms or s, many bytes in KB, MB or GB, the rest as the schema says. */
export function shownUnit(
  unit: string | undefined,
  value: number,
): { readonly unit: string; readonly factor: number } {
  if (unit === undefined) return { unit: "", factor: 1 };
  if (unit === "bytes") {
    if (value >= 1e9) return { unit: "GB", factor: 1e9 };
    if (value >= 1e6) return { unit: "MB", factor: 1e6 };
    if (value >= 1e4) return { unit: "KB", factor: 1000 };
  }
  if (unit !== "us") return { unit, factor: 1 };
  if (value >= 1e6) return { unit: "s", factor: 1e6 };
  if (value >= 1000) return { unit: "ms", factor: 1000 };
  return { unit: "µs", factor: 1 };
}

/** A number for a field: at most six significant digits, no grouping, so that it can be edited. */
export function formatField(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(6)));
}

/** The natural step of a value: one for whole numbers, else one of its second digit. */
function naturalStep(value: number, integer: boolean): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(Math.abs(value), 1e-6)) - 1 + 1e-9);
  if (integer) return Math.max(1, magnitude >= 100 ? magnitude / 10 : 1);
  return Math.min(magnitude, 10);
}

/** A value moved by a number of natural steps, on the grid of the step, within limits. */
export function stepped(
  value: number,
  steps: number,
  integer: boolean,
  minimum = -Infinity,
  maximum = Infinity,
): number {
  const step = naturalStep(value, integer);
  const moved = Math.round((value + steps * step) / step) * step;
  return Number(Math.min(maximum, Math.max(minimum, moved)).toPrecision(12));
}
