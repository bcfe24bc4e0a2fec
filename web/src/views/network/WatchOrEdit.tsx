import { Segmented } from "../../ui/Segmented.tsx";
import { exploreView } from "../explore/exploreView.ts";
import { useViewState } from "../viewContext.tsx";

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
