import type { SettingRow } from "../panels/settingRows.ts";
import { pageStore } from "./pageStore.ts";
import { exploreView } from "./state/exploreView.ts";
import { storageView } from "./state/storageView.ts";
import type { Views } from "./view/views.ts";

/** Where a row of the settings is: in Explore, or with the settings of a device. */
export interface Place extends Pick<SettingRow, "path" | "panel" | "classIndex"> {
  /** Place of a device whose settings have it. */
  readonly device?: number;
}

/** Shows a row of the settings, whatever is in its way, and gives its field the focus. */
export function jumpTo({ path, panel, classIndex, device }: Place, views: Views): void {
  if (device !== undefined) {
    views.show(storageView);
    views.change(storageView, { device: device === 0 ? null : device });
  } else {
    views.show(exploreView);
    views.change(exploreView, { edit: false, ...(classIndex !== undefined && { class: classIndex }) });
  }
  if (!matchMedia("(width >= 1280px)").matches) pageStore.setState({ drawer: panel });
  focusOnceThere(`[data-path="${path}"]`);
}

/** A view whose code comes over the network may take this long. */
const PATIENCE_MS = 5000;
/** What opens around the field takes the focus for itself at first: it has it once it has kept it for some frames. */
const FRAMES_KEPT = 4;

/** Gives the field the focus when it is there, unless the person has gone on to something else. */
function focusOnceThere(row: string): void {
  const untilMs = performance.now() + PATIENCE_MS;
  const next = new AbortController();
  const options = { capture: true, passive: true, signal: next.signal };
  for (const type of ["keydown", "pointerdown"]) addEventListener(type, () => next.abort(), options);
  let kept = 0;
  const look = () => {
    if (next.signal.aborted) return;
    const field = document.querySelector<HTMLElement>(
      `.sidebar ${row} :is(input, select, [role=switch], button)`,
    );
    const has = field !== null && field === document.activeElement;
    if (field && !has) {
      for (let fold = field.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
        fold.open = true;
      field.focus();
      field.scrollIntoView({ block: "center" });
    }
    kept = has ? kept + 1 : 0;
    if (kept > FRAMES_KEPT || performance.now() > untilMs) next.abort();
    else requestAnimationFrame(look);
  };
  look();
}
