import { useEffect, useEffectEvent, useRef } from "react";
import { withLink, withMoved, withNode, withTraffic } from "../../../scenario/drawing.ts";
import { NOTHING, onlyNode, type Tool } from "../../../topology/chosen.ts";
import { FabricEditor } from "../../../topology/FabricEditor.tsx";
import type { FabricDrawing } from "../../../topology/index.ts";
import { pageStore } from "../../../workbench/pageStore.ts";
import { reaches } from "../../../workbench/reaches.ts";
import { choose, chooseTool, editing, endEditing, useNetworkEdit } from "./editing.ts";
import { TOOLS } from "./tools.ts";
import "./network.css";

/** What edits the network, over its drawing. */
export default function NetworkEditor({ drawing }: { readonly drawing: FabricDrawing }) {
  const { tool, className, chosen, lineStart, cables, said, apply, cableAt, fail, remove } = useNetworkEdit();
  const { places } = drawing;
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => editing.setState({ places }), [places]);
  useEffect(() => {
    // What stands open there is of the settings.
    pageStore.setState({ drawer: null });
    if (pageStore.getState().focusesDrawing) sheet.current?.focus();
    pageStore.setState({ focusesDrawing: false });
    return endEditing;
  }, []);

  /** Keys of the tools, wherever the focus is: they go before those of the page, and into the drawing. */
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey, shiftKey, key, target } = event;
    if (ctrlKey || metaKey || altKey || shiftKey || !reaches({ id: "tool" }, target)) return;
    const pressed = key.toLowerCase();
    const wanted = TOOLS.find((item) => item.key.toLowerCase() === pressed);
    if (key === "Backspace" || key === "Delete") remove();
    else if (key === "Escape" && sheet.current?.contains(target as Node)) {
      chooseTool("select");
      choose(NOTHING);
    } else if (pressed === "f" && cables.length > 0) for (const cable of cables) fail(cable);
    else if (wanted) {
      chooseTool(wanted.tool);
      sheet.current?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    addEventListener("keydown", press, true);
    return () => removeEventListener("keydown", press, true);
  }, []);

  const add = (x: number, y: number) => {
    if (tool !== "host" && tool !== "storage" && tool !== "switch") return;
    apply(
      (drawn) => withNode(drawn, tool, x, y),
      ({ name }) => (name === undefined ? NOTHING : onlyNode(name)),
    );
  };
  return (
    <>
      <FabricEditor
        sheet={sheet}
        drawing={drawing}
        tool={tool}
        chosen={chosen}
        lineStart={lineStart}
        label="The network: arrows go from node to node, Enter does what the tool does, L walks along cables, Shift with arrows moves"
        onChoose={choose}
        onStartLine={(name) => editing.setState({ lineStart: name, said: "" })}
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
      />
      <p className="network-said" role="status">
        {said || hintOf(tool, className, lineStart)}
      </p>
    </>
  );
}

/** How the tool is used; empty for the one that selects. */
function hintOf(tool: Tool, className: string, lineStart: string | null): string {
  if (lineStart !== null) return `From ${lineStart}: go to the other end and press Enter.`;
  switch (tool) {
    case "select":
      return "";
    case "connect":
      return "Drag from one node to another, or press Enter at both.";
    case "traffic":
      return `Drag from a host to a server, or press Enter at both, to add or remove ${className} traffic.`;
    case "fail":
      return "Click a link to fail or restore it. Traffic reroutes at once.";
    default:
      return "Click an empty spot, or press Enter at a node. The new node joins the nearest switch.";
  }
}
