import { useRef } from "react";
import { useStore } from "zustand";
import { useScenario, useSession } from "../../panels/context.tsx";
import { drawnOf } from "../../scenario/drawing.ts";
import { emptySheet } from "../../scenario/emptySheet.ts";
import { valueAt } from "../../scenario/schema.ts";
import { readTopology, withNetwork, writeEdgeList, writeHpcc } from "../../scenario/topologyFiles.ts";
import { Button } from "../../ui/Button.tsx";
import { pageStore } from "../actions.ts";
import { saveFile } from "../share/save.ts";

/** The network from a file and into one, and a sheet to begin with. */
export function NetworkFiles() {
  const session = useSession();
  const scenario = useScenario();
  const fault = useStore(pageStore, (page) => page.topologyFault);
  const file = useRef<HTMLInputElement>(null);
  const say = (topologyFault: string) => pageStore.setState({ topologyFault });
  const read = async (chosen: File | undefined) => {
    if (!chosen) return;
    const found = readTopology(await chosen.text());
    if (!found.ok) return say(`${chosen.name}, line ${found.line}: ${found.sentence}`);
    say(found.notes.join(" "));
    session.edit(withNetwork(scenario, found.shape));
  };
  const drawn = drawnOf(scenario);
  const defaults = {
    linkGbps: Number(valueAt(scenario, "topology.linkGbps")),
    linkDelayUs: Number(valueAt(scenario, "topology.linkDelayUs")),
  };
  return (
    <section className="panel" aria-labelledby="network-files">
      <header>
        <h2 id="network-files">
          Files <span className="note">edge list, HPCC topology</span>
        </h2>
      </header>
      <div className="network-files">
        <Button icon="open" onClick={() => file.current?.click()}>
          Import
        </Button>
        <Button
          icon="download"
          aria-disabled={!drawn}
          onClick={() => drawn && saveFile(writeEdgeList(drawn, defaults), "network.edges.txt", "text/plain")}
        >
          Edge list
        </Button>
        <Button
          icon="download"
          aria-disabled={!drawn}
          onClick={() => drawn && saveFile(writeHpcc(drawn, defaults), "topology.txt", "text/plain")}
        >
          HPCC
        </Button>
        <Button onClick={() => session.edit(emptySheet(scenario))}>Empty sheet</Button>
        <input
          ref={file}
          type="file"
          aria-label="Topology file"
          accept=".txt,.csv,.edges,text/plain"
          hidden
          onChange={(event) => {
            void read(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
      {!drawn && (
        <p className="row-note">A network of a generator can be written once something of it was drawn.</p>
      )}
      {fault && (
        <p className="row-note" role="alert">
          {fault}
        </p>
      )}
    </section>
  );
}
