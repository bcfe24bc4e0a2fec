import type { ExportStamp } from "../../../charts/types.ts";
import { useEffectiveScenario } from "../../../panels/context.tsx";
import type { RunView } from "../../../run/types.ts";
import { onlyCable, onlyNode } from "../../../topology/chosen.ts";
import { cablesOf, FabricView } from "../../../topology/index.ts";
import { exploreView } from "../../../workbench/state/exploreView.ts";
import { useViewState } from "../../../workbench/view/viewContext.tsx";
import { choose } from "./editing.ts";

interface NetworkTextProps {
  readonly view: RunView;
  readonly height: number;
  readonly stamp: ExportStamp;
}

/** The text twin of a network that is edited: what is chosen in it is chosen in the drawing above. */
export default function NetworkText({ view, height, stamp }: NetworkTextProps) {
  const { topology } = useEffectiveScenario();
  const [, change] = useViewState(exploreView);
  const { graph } = view.layout;
  return (
    <FabricView
      run={view}
      kind={topology.shape.kind}
      height={height}
      failed={topology.failedLinks ?? []}
      showTables
      onToggleTables={() => change({ tables: false })}
      onSelectNode={(node) => {
        const { name } = graph.nodes[node] ?? {};
        if (name !== undefined) choose(onlyNode(name));
      }}
      onSelectLink={(link) =>
        choose(onlyCable(cablesOf(graph).findIndex(({ there, back }) => there === link || back === link)))
      }
      stamp={stamp}
    />
  );
}
