import type { Scenario } from "../scenario/types.ts";

/** Hands the scenario over as a file. */
export const save = (scenario: Scenario): void =>
  saveText(`${JSON.stringify(scenario, null, 2)}\n`, `${fileStem(scenario)}.json`);

/** What files of a scenario are called. */
export const fileStem = ({ name }: Scenario): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "scenario";

/** Hands JSON over as a file of a name. */
export const saveText = (json: string, name: string): void => saveFile(json, name, "application/json");

/** Hands a text of some kind over as a file of a name. */
export const saveFile = (text: string, name: string, type: string): void => saveBytes(text, name, type);

/** The same of bytes. */
export function saveBytes(content: BlobPart, name: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
