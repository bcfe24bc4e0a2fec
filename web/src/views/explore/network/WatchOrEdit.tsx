import { useSession } from "../../../panels/context.tsx";
import type { Frame } from "../../../ui/media.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { exploreView } from "../../../workbench/state/exploreView.ts";
import { useShown, useViewState } from "../../../workbench/view/viewContext.tsx";

/** Whether the network is edited: it is only where there are settings that may be changed, and room. */
export function useIsEditing(frame: Frame): boolean {
  const [{ edit }] = useViewState(exploreView);
  const { settings, fabric } = useShown();
  const { locked } = useSession();
  return edit && frame !== "phone" && settings && fabric && !locked;
}

/** Whether the fabric is watched or drawn. */
export function WatchOrEdit() {
  const [{ edit }, change] = useViewState(exploreView);
  return (
    <Segmented
      label="Watch or edit"
      value={edit ? "edit" : "watch"}
      options={[
        { value: "watch", title: "Watch" },
        { value: "edit", title: "Edit" },
      ]}
      onChange={(next) => change({ edit: next === "edit" })}
    />
  );
}
