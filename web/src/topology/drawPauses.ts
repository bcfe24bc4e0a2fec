import type { Surface } from "../charts/drawing/surface.ts";
import type { Theme } from "../charts/drawing/theme.ts";
import { deadlockCycle, paused, pausedLinks } from "../run/links.ts";
import type { RunView } from "../run/types.ts";
import { ends, type FabricLayout, leave } from "./layout.ts";

/** Width of the tape over a link that is held for a moment, and what a link held all the time has more. */
const THIN = 2;
const BROADER = 3.5;
const ARROW = 8;
/** Radius of the crossed circle on a deadlocked link. */
const CROSS = 5.5;
/** Stripes of the tape and the gaps between them. */
export const STRIPES = [2.5, 2.5];

/**
 * Links held by a pause frame: striped like a barrier, where a busy link is solid, and an arrow that points to the
 * sender that must wait. The longer a sender was held since the last reading, the broader the tape. Links that deadlock each
 * other have the hue and the crossed circle of what has failed; those of hosts that wait behind them have not.
 */
export function drawPauses(surface: Surface, theme: Theme, run: RunView, layout: FabricLayout): void {
  const scale = layout.collapsed ? 0.6 : 1;
  const stuck = new Set(deadlockCycle(run));
  for (const index of pausedLinks(run)) {
    const link = run.layout.graph.links[index];
    const line = link && ends(layout, link.from, link.to);
    if (!line) continue;
    const [sender, receiver] = line;
    const length = Math.hypot(receiver.x - sender.x, receiver.y - sender.y) || 1;
    const [ux, uy] = [(receiver.x - sender.x) / length, (receiver.y - sender.y) / length];
    const from = leave(sender, ux, uy) + 2;
    const to = length - leave(receiver, ux, uy) - 1;
    const arrow = Math.min(ARROW * scale, (to - from) / 2);
    if (arrow <= 0) continue;
    const at = (distance: number, aside = 0): [number, number] => [
      sender.x + ux * distance - uy * aside,
      sender.y + uy * distance + ux * aside,
    ];
    const colour = stuck.has(index) ? theme.danger : theme.ink;
    const width = (THIN + BROADER * Math.sqrt(Math.min(1, paused(run, index)))) * scale;
    const tape = () => {
      surface.begin();
      surface.moveTo(...at(from + arrow));
      surface.lineTo(...at(to));
    };
    tape();
    surface.stroke({ colour: theme.bg, width: width + 4 });
    surface.stroke({ colour, width: width + 2 });
    surface.stroke({ colour: theme.bg, width });
    surface.stroke({ colour, width, dash: STRIPES });
    surface.begin();
    surface.moveTo(...at(from));
    surface.lineTo(...at(from + arrow, arrow * 0.65));
    surface.lineTo(...at(from + arrow, -arrow * 0.65));
    surface.closePath();
    surface.stroke({ colour: theme.bg, width: 2.5, join: "round" });
    surface.fill(colour);
    if (stuck.has(index) && to - from > 5 * CROSS) drawCross(surface, theme, ...at((from + arrow + to) / 2));
  }
}

/** The sign of what has failed. */
function drawCross(surface: Surface, theme: Theme, x: number, y: number): void {
  surface.begin();
  surface.circle(x, y, CROSS);
  surface.fill(theme.bg);
  surface.stroke({ colour: theme.danger, width: 1.5 });
  const arm = CROSS * 0.42;
  surface.begin();
  surface.moveTo(x - arm, y - arm);
  surface.lineTo(x + arm, y + arm);
  surface.moveTo(x - arm, y + arm);
  surface.lineTo(x + arm, y - arm);
  surface.stroke({ colour: theme.danger, width: 1.5 });
}
