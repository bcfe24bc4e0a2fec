import { useMemo } from "react";
import { NoteButton } from "../charts/notes/NoteButton.tsx";
import type { NoteMark } from "../charts/types.ts";
import type { Graph } from "../run/types.ts";
import { useWidth } from "../ui/useWidth.ts";
import type { PlacedNode } from "./layout.ts";
import { cornerOf, notesByNode } from "./notes.ts";

interface FabricNotesProps {
  readonly graph: Graph;
  readonly height: number;
  readonly nodesAt: (width: number) => readonly PlacedNode[];
  readonly notes: readonly NoteMark[];
  /** Number of the note that is chosen. */
  readonly chosen: number | null;
  readonly onChoose: (number: number) => void;
}

/** Marks at the nodes that something is noted of, over the picture; the node of the chosen note is ringed. */
export function FabricNotes({ graph, height, nodesAt, notes, chosen, onChoose }: FabricNotesProps) {
  const [box, width] = useWidth();
  const noted = useMemo(() => notesByNode(graph, notes), [graph, notes]);
  const nodes = nodesAt(width);
  return (
    <div ref={box} className="fabric-notes">
      {[...noted].map(([node, list]) => {
        const place = nodes[node];
        const first = list[0];
        if (!place || !first) return null;
        const { x, y } = cornerOf(place);
        if (x < 0 || x > width || y < 0 || y > height) return null;
        const isChosen = list.some(({ number }) => number === chosen);
        const ring = {
          left: place.x - place.width / 2 - 5,
          top: place.y - place.height / 2 - 5,
          width: place.width + 10,
          height: place.height + 10,
        };
        return (
          <span key={node}>
            {isChosen && <span className="fabric-noted" style={ring} />}
            <NoteButton
              notes={list}
              side={x > width / 2 ? "left" : "right"}
              style={{ left: x, top: y }}
              below={y < height / 2}
              isChosen={isChosen}
              onChoose={() => onChoose(first.number)}
            />
          </span>
        );
      })}
    </div>
  );
}
