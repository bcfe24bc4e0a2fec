import { useScenario } from "../../panels/context.tsx";
import { NetworkPanel } from "../../panels/SettingsPanels.tsx";
import { unreachable } from "../../scenario/drawing.ts";
import type { Tool } from "../../topology/NetworkCanvas.tsx";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { Select } from "../../ui/Select.tsx";
import { NetworkFiles } from "./NetworkFiles.tsx";

/** The tools of the sheet with their keys. */
export const TOOLS: readonly {
  readonly tool: Tool;
  readonly name: string;
  readonly key: string;
  readonly icon: IconName;
}[] = [
  { tool: "select", name: "Select and move", key: "V", icon: "cursor" },
  { tool: "host", name: "Add host", key: "H", icon: "host" },
  { tool: "storage", name: "Add storage server", key: "D", icon: "storage" },
  { tool: "switch", name: "Add switch", key: "S", icon: "switch" },
  { tool: "connect", name: "Connect", key: "C", icon: "link" },
  { tool: "traffic", name: "Draw traffic", key: "W", icon: "transport" },
  { tool: "fail", name: "Fail or restore link", key: "F", icon: "fail" },
];

interface NetworkToolsProps {
  readonly tool: Tool;
  readonly onTool: (tool: Tool) => void;
  /** Place of the class whose traffic is drawn. */
  readonly traffic: number;
  readonly onTraffic: (place: number) => void;
  readonly onRemove: () => void;
  readonly hasChosen: boolean;
}

/** What one draws with, where the network comes from, and whether it holds together. */
export function NetworkTools(props: NetworkToolsProps) {
  const { tool, onTool, traffic, onTraffic, onRemove, hasChosen } = props;
  const scenario = useScenario();
  return (
    <section className="sidebar" aria-label="Tools">
      <section className="panel" aria-labelledby="draw-title">
        <header>
          <h2 id="draw-title">Draw</h2>
        </header>
        <div className="network-tools" role="toolbar" aria-label="Drawing tools" aria-orientation="vertical">
          {TOOLS.map((item) => (
            <button
              key={item.tool}
              type="button"
              aria-pressed={tool === item.tool}
              onClick={() => onTool(item.tool)}
            >
              <Icon name={item.icon} />
              {item.name}
              <kbd>{item.key}</kbd>
            </button>
          ))}
          <button type="button" aria-disabled={!hasChosen} onClick={() => hasChosen && onRemove()}>
            <Icon name="trash" />
            Remove
            <kbd>⌫</kbd>
          </button>
        </div>
        {tool === "traffic" && (
          <div className="row-main">
            <label className="row-label" htmlFor="traffic-class">
              Class that sends
            </label>
            <Select
              id="traffic-class"
              value={String(traffic)}
              options={scenario.classes.map(({ name }, place) => ({ value: String(place), title: name }))}
              onChange={(next) => onTraffic(Number(next))}
            />
          </div>
        )}
      </section>
      <NetworkPanel />
      <NetworkFiles />
      <Check />
    </section>
  );
}

/** Whether every host reaches every other one. */
function Check() {
  const scenario = useScenario();
  const lost = unreachable(scenario);
  return (
    <section className="panel" aria-labelledby="check-title">
      <header>
        <h2 id="check-title">Check</h2>
      </header>
      <p className="row-note">
        {lost.length === 0
          ? "Every host reaches every storage server."
          : `No path to ${lost.slice(0, 6).join(", ")}${lost.length > 6 ? ` and ${lost.length - 6} more` : ""}. Connect them.`}
      </p>
    </section>
  );
}
