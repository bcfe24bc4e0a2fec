import { type CatalogueField, DOCUMENT } from "./catalogue.ts";
import { getPath, setPath, setPaths } from "./path.ts";
import { differing } from "./sections.ts";
import type { Scenario } from "./types.ts";

/**
 * The fields that tell readers something and on which no result depends, by path: name, description, story, notes, and the evidence of
 * a drive.
 */
export const ANNOTATIONS: readonly string[] = annotationsOf(DOCUMENT, "");

function annotationsOf({ fields = [] }: CatalogueField, before: string): readonly string[] {
  return fields.flatMap((field) => {
    const path = `${before}${field.name}`;
    return field.annotation ? [path] : annotationsOf(field, `${path}.`);
  });
}

/** A scenario with what another one tells its readers. */
export const annotatedAs = (scenario: Scenario, other: Scenario): Scenario =>
  setPaths(
    scenario,
    ANNOTATIONS.map((path) => ({ path, value: getPath(other, path) })),
  );

/** Whether two scenarios differ in nothing but what they tell their readers: the run of one is that of the other. */
export function sameButAnnotations(one: Scenario, other: Scenario): boolean {
  const named = new Set(ANNOTATIONS.map((path) => path.split(".")[0] as string));
  const sections = differing(one, other);
  return (
    sections.every((name) => named.has(name)) &&
    differing(bare(one, sections), bare(other, sections)).length === 0
  );
}

/** Some sections of a scenario, without what they tell readers; an object that holds nothing else is left out. */
function bare(scenario: Scenario, sections: readonly string[]): object {
  const chosen = Object.fromEntries(sections.map((name) => [name, getPath(scenario, name)]));
  return ANNOTATIONS.filter((path) => getPath(chosen, path) !== undefined).reduce(removed, chosen);
}

/** Without the field at a path, and without the objects around it that held nothing else. */
function removed(document: object, path: string): object {
  const rest = setPath(document, path, undefined);
  const around = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  const isEmpty = around !== "" && Object.keys(getPath(rest, around) ?? {}).length === 0;
  return isEmpty ? removed(rest, around) : rest;
}
