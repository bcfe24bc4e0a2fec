import type { Tool } from "../../../topology/chosen.ts";
import type { IconName } from "../../../ui/Icon.tsx";

/** The tools of the sheet with their keys; where there is little room they have the short name. */
export const TOOLS: readonly {
  readonly tool: Tool;
  readonly name: string;
  readonly short: string;
  readonly key: string;
  readonly icon: IconName;
}[] = [
  { tool: "select", name: "Select and move", short: "Select", key: "V", icon: "cursor" },
  { tool: "host", name: "Add host", short: "Host", key: "H", icon: "host" },
  { tool: "storage", name: "Add storage server", short: "Storage", key: "D", icon: "storage" },
  { tool: "switch", name: "Add switch", short: "Switch", key: "S", icon: "switch" },
  { tool: "connect", name: "Connect", short: "Connect", key: "C", icon: "link" },
  { tool: "traffic", name: "Draw traffic", short: "Traffic", key: "W", icon: "transport" },
  { tool: "fail", name: "Fail or restore link", short: "Fail", key: "F", icon: "fail" },
];
