import { useRef } from "react";
import { useStore } from "zustand";
import {
  type NetworkFormat,
  networkFile,
  reasonsOf,
  withNetworkOf,
} from "../../../engine/files/networkFiles.ts";
import { useScenario, useSession } from "../../../panels/context.tsx";
import { emptySheet } from "../../../scenario/emptySheet.ts";
import { Button } from "../../../ui/Button.tsx";
import { pageStore } from "../../../workbench/pageStore.ts";
import { saveFile } from "../../../workbench/save.ts";

/** Names of files that are written. */
const FILE_NAMES: Readonly<Record<NetworkFormat, string>> = {
  edges: "network.edges.txt",
  hpcc: "topology.txt",
};

/** The first of some sentences, and how many more there are. */
const first = ([sentence = "", ...more]: readonly string[]): string =>
  more.length > 0 ? `${sentence} And ${more.length} more.` : sentence;

/** The network from a file and into one, and a sheet to begin with. */
export function NetworkFiles() {
  const session = useSession();
  const scenario = useScenario();
  const fault = useStore(pageStore, (page) => page.topologyFault);
  const file = useRef<HTMLInputElement>(null);
  const say = (topologyFault: string) => pageStore.setState({ topologyFault });
  const read = async (chosen: File | undefined) => {
    if (!chosen) return;
    const before = session.scenario;
    try {
      const found = await withNetworkOf(scenario, chosen);
      // The user may have edited the scenario while the file was read.
      if (session.scenario !== before)
        return say(`The scenario changed while ${chosen.name} was read. Import it again.`);
      say(found.summary);
      session.edit(found.scenario);
    } catch (error) {
      say(`${chosen.name}, ${first(reasonsOf(error))}`);
    }
  };
  const write = (format: NetworkFormat) =>
    networkFile(scenario, format).then(
      (text) => saveFile(text, FILE_NAMES[format], "text/plain"),
      (error) => say(first(reasonsOf(error))),
    );
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
        <Button icon="download" onClick={() => void write("edges")}>
          Edge list
        </Button>
        <Button icon="download" onClick={() => void write("hpcc")}>
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
      {fault && (
        <p className="row-note" role="alert">
          {fault}
        </p>
      )}
    </section>
  );
}
