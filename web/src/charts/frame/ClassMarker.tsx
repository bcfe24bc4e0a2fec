import { classIdentity } from "../../ui/classes.ts";
import { markerPath } from "../drawing/plot.ts";
import { SvgSurface } from "../drawing/surface.ts";

const paths = new Map<string, string>();

/** Path of a marker around (6, 6), made by the same code that draws charts. */
function pathOf(kind: Parameters<typeof markerPath>[1]): string {
  let path = paths.get(kind);
  if (path === undefined) {
    const surface = new SvgSurface({ font: "", symbolFont: "" });
    surface.begin();
    markerPath(surface, kind, 6, 6, 3.2);
    path = surface.currentPath;
    paths.set(kind, path);
  }
  return path;
}

interface MarkerFormProps {
  readonly kindIndex: number;
  /** Another colour than that of the class. */
  readonly colour?: string;
}

/** The form of a class's marker within a picture of 12 by 12. */
export function MarkerForm({ kindIndex, colour }: MarkerFormProps) {
  const { marker, mark: own } = classIdentity(kindIndex);
  const mark = colour ?? own;
  const outline = marker === "cross" || marker.startsWith("half");
  return (
    <path
      d={pathOf(marker)}
      fill={outline ? "none" : mark}
      stroke={outline ? mark : "none"}
      strokeWidth={outline ? 1.6 : 0}
    />
  );
}

/** A class's marker beside its name. */
export function ClassMarker({ kindIndex }: { readonly kindIndex: number }) {
  return (
    <svg className="class-marker" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <MarkerForm kindIndex={kindIndex} />
    </svg>
  );
}
