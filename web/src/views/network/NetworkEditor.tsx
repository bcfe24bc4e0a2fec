import { type KeyboardEvent, useEffect } from "react";
import { withLink, withMoved, withNode, withTraffic } from "../../scenario/drawing.ts";
import { NOTHING, onlyNode, type Tool } from "../../topology/chosen.ts";
import { FabricEditor } from "../../topology/FabricEditor.tsx";
import type { FabricDrawing } from "../../topology/index.ts";
import { pageStore } from "../actions.ts";
import { choose, editing, endEditing, useNetworkEdit } from "./editing.ts";
import { TOOLS } from "./tools.ts";
import "./network.css";

/** What edits the network, over its drawing. */
export default function NetworkEditor({ drawing }: { readonly drawing: FabricDrawing }) {
  const { tool, className, chosen, cables, said, apply, cableAt, fail, remove } = useNetworkEdit();
  const { places } = drawing;
  useEffect(() => editing.setState({ places }), [places]);
  useEffect(() => {
    // What stands open there is of the settings.
    pageStore.setState({ drawer: null });
    return endEditing;
  }, []);

  const add = (x: number, y: number) => {
    if (tool !== "host" && tool !== "storage" && tool !== "switch") return;
    apply(
      (drawn) => withNode(drawn, tool, x, y),
      ({ name }) => (name === undefined ? NOTHING : onlyNode(name)),
    );
  };
  const key = (event: KeyboardEvent): boolean => {
    const pressed = event.key.toLowerCase();
    const wanted = TOOLS.find((item) => item.key.toLowerCase() === pressed);
    if (event.key === "Backspace" || event.key === "Delete") remove();
    else if (event.key === "Escape") editing.setState({ chosen: NOTHING, tool: "select" });
    else if (pressed === "f" && cables.length > 0) for (const cable of cables) fail(cable);
    else if (wanted) editing.setState({ tool: wanted.tool });
    else return false;
    return true;
  };
  const text = said || hintOf(tool, className);
  return (
    <>
      <FabricEditor
        drawing={drawing}
        tool={tool}
        chosen={chosen}
        label="The network: arrows go from node to node, Enter chooses, L walks along cables, Shift with arrows moves"
        onChoose={choose}
        onAdd={add}
        onMove={(names, dx, dy) => apply((drawn) => ({ scenario: withMoved(drawn, names, dx, dy) }), chosen)}
        onDraw={(from, to) =>
          apply((drawn) =>
            tool === "traffic" ? withTraffic(drawn, className, from, to) : withLink(drawn, from, to),
          )
        }
        onFail={(place) => {
          const cable = cableAt(place);
          if (cable) fail(cable);
        }}
        onKey={key}
      />
      <p className="network-said" role="status">
        {text}
      </p>
    </>
  );
}

/** What the chosen tool does, in a line; nothing of the one that everybody knows. */
function hintOf(tool: Tool, className: string): string {
  switch (tool) {
    case "select":
      return "";
    case "connect":
      return "Drag from one node to another.";
    case "traffic":
      return `Drag from a host to a server: ${className} sends there, or no longer.`;
    case "fail":
      return "Click a cable: it fails, or is mended. Traffic goes round it at once.";
    default:
      return "Click on the sheet. What is added is linked to the nearest switch.";
  }
}
