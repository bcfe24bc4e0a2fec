import { CanvasPaths, type Paths, type StrokeStyle } from "./surface.ts";

/**
 * Paths as plain numbers: what a drawing consists of apart from its text. A list is recorded on the page, handed to the
 * worker that rasterises, and replayed there on a canvas.
 */
export interface DisplayList {
  /** Commands, each followed by its numbers; colours and dashes are positions in the lists below. */
  readonly commands: Float32Array<ArrayBuffer>;
  readonly colours: readonly string[];
  readonly dashes: readonly (readonly number[])[];
}

const BEGIN = 0;
const MOVE = 1;
const LINE = 2;
const RECT = 3;
const CIRCLE = 4;
const ELLIPSE = 5;
const CLOSE = 6;
const STROKE = 7;
const FILL = 8;
const CLIP = 9;
const UNCLIP = 10;

const SOLID: readonly number[] = [];

/** Records paths. Reused from one drawing to the next. */
export class PathRecorder implements Paths {
  private numbers = new Float32Array(4096);
  private length = 0;
  private colours: string[] = [];
  private dashes: (readonly number[])[] = [];

  private reserve(count: number) {
    if (this.length + count <= this.numbers.length) return;
    const grown = new Float32Array(2 * this.numbers.length);
    grown.set(this.numbers);
    this.numbers = grown;
  }

  private push(...numbers: number[]) {
    this.reserve(numbers.length);
    for (const number of numbers) this.numbers[this.length++] = number;
  }

  /** As `push`, without a list for each of the many points of a line. */
  private point(command: number, x: number, y: number) {
    this.reserve(3);
    this.numbers[this.length++] = command;
    this.numbers[this.length++] = x;
    this.numbers[this.length++] = y;
  }

  begin() {
    this.push(BEGIN);
  }
  moveTo(x: number, y: number) {
    this.point(MOVE, x, y);
  }
  lineTo(x: number, y: number) {
    this.point(LINE, x, y);
  }
  rect(x: number, y: number, width: number, height: number, radius = 0) {
    this.push(RECT, x, y, width, height, radius);
  }
  circle(x: number, y: number, radius: number) {
    this.push(CIRCLE, x, y, radius);
  }
  ellipse(x: number, y: number, radiusX: number, radiusY: number, fromAngle: number, toAngle: number) {
    this.push(ELLIPSE, x, y, radiusX, radiusY, fromAngle, toAngle);
  }
  closePath() {
    this.push(CLOSE);
  }
  stroke({ colour, width, dash = SOLID, opacity = 1, join = "miter" }: StrokeStyle) {
    const colourAt = position(this.colours, colour);
    this.push(STROKE, colourAt, width, position(this.dashes, dash), opacity, join === "round" ? 1 : 0);
  }
  fill(colour: string, opacity = 1) {
    this.push(FILL, position(this.colours, colour), opacity);
  }
  clipped(x: number, y: number, width: number, height: number, draw: () => void) {
    this.push(CLIP, x, y, width, height);
    draw();
    this.push(UNCLIP);
  }

  /** What was recorded since the last time. */
  take(): DisplayList {
    const { colours, dashes } = this;
    const commands = this.numbers.slice(0, this.length);
    this.length = 0;
    this.colours = [];
    this.dashes = [];
    return { commands, colours, dashes };
  }
}

function position<T>(list: T[], item: T): number {
  const found = list.indexOf(item);
  return found >= 0 ? found : list.push(item) - 1;
}

type Canvas2d = ConstructorParameters<typeof CanvasPaths>[0];

/** Draws a list on a canvas of `width` by `height` CSS pixels, which it clears and resizes where that is needed. */
export function replay(
  list: DisplayList,
  context: Canvas2d,
  width: number,
  height: number,
  ratio: number,
): void {
  const { canvas } = context;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const paths = new CanvasPaths(context);
  const { commands, colours, dashes } = list;
  const at = (i: number) => commands[i] as number;
  for (let i = 0; i < commands.length; ) {
    switch (at(i)) {
      case BEGIN:
        paths.begin();
        i += 1;
        break;
      case MOVE:
        paths.moveTo(at(i + 1), at(i + 2));
        i += 3;
        break;
      case LINE:
        paths.lineTo(at(i + 1), at(i + 2));
        i += 3;
        break;
      case RECT:
        paths.rect(at(i + 1), at(i + 2), at(i + 3), at(i + 4), at(i + 5));
        i += 6;
        break;
      case CIRCLE:
        paths.circle(at(i + 1), at(i + 2), at(i + 3));
        i += 4;
        break;
      case ELLIPSE:
        paths.ellipse(at(i + 1), at(i + 2), at(i + 3), at(i + 4), at(i + 5), at(i + 6));
        i += 7;
        break;
      case CLOSE:
        paths.closePath();
        i += 1;
        break;
      case STROKE:
        paths.stroke({
          colour: colours[at(i + 1)] as string,
          width: at(i + 2),
          dash: dashes[at(i + 3)] ?? SOLID,
          opacity: at(i + 4),
          join: at(i + 5) === 1 ? "round" : "miter",
        });
        i += 6;
        break;
      case FILL:
        paths.fill(colours[at(i + 1)] as string, at(i + 2));
        i += 3;
        break;
      case CLIP:
        paths.clip(at(i + 1), at(i + 2), at(i + 3), at(i + 4));
        i += 5;
        break;
      case UNCLIP:
        paths.unclip();
        i += 1;
        break;
      default:
        throw new Error(`no drawing command ${at(i)}`);
    }
  }
}
