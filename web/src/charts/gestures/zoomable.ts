/** A point of an element from its top left corner, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How a part of an element is drawn: `k` times as large, then moved right and down by pixels. */
export interface Transform extends Point {
  readonly k: number;
}

/** Something of which gestures over an element show another part, larger or smaller. */
export interface Zoomable {
  /** The part of the element that is zoomed, by its corners. */
  readonly extent: [topLeft: [number, number], bottomRight: [number, number]];
  readonly transform: Transform;
  readonly maxScale: number;
  readonly show: (next: Transform) => void;
  /** The mouse moves it, too. */
  readonly movesByMouse?: boolean;
  /** Handles a key; false if it is for something else. */
  readonly byKey: (event: KeyboardEvent) => boolean;
  /** One finger, or the mouse, that comes down at a point is for something else. */
  readonly isTaken?: (at: Point) => boolean;
  /** A second finger came down: what the first began is over. */
  readonly onPinch?: () => void;
}
