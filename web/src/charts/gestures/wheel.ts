/** Height of a line, in which some browsers count. */
const LINE = 16;
/** Pixels of one event that count: a wheel with notches must not leap. */
const NOTCH = 40;

/** What a turn of the wheel is for; for the page to scroll by, if neither. */
export interface Turn {
  /** It is for zooming: with Ctrl or Command, which is also what a touchpad sends for a pinch. */
  readonly zooms: boolean;
  /** How much more it then shows. */
  readonly widening: number;
  /** It is for going sideways, by `sideways` pixels: with Shift, or a touchpad that goes more across than down. */
  readonly pans: boolean;
  readonly sideways: number;
}

/** What an event of the wheel is for. */
export function turnOf(event: WheelEvent): Turn {
  const scale = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
  const [across, down] = [event.deltaX * scale, event.deltaY * scale];
  const zooms = event.ctrlKey || event.metaKey;
  return {
    zooms,
    widening: Math.exp(Math.max(-NOTCH, Math.min(NOTCH, down)) / 100),
    pans: !zooms && (event.shiftKey || Math.abs(across) > Math.abs(down)),
    sideways: across || down,
  };
}
