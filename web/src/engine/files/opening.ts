import { FORMAT_VERSION } from "../../generated/limits.ts";
import type { LinkedView } from "../../scenario/codec.ts";
import type { Diagnostic, Scenario } from "../../scenario/types.ts";
import { TimeLimitExceeded, Unfetched } from "../rpc/errors.ts";
import { withEngine } from "../rpc/module.ts";
import { callOnce, connect } from "../rpc/workerClient.ts";
import type { OpeningApi } from "./openingWorker.ts";

/** A scenario from outside: the fragment of a link, or a file. Nothing of it has been looked at. */
export type Source =
  | { readonly kind: "link"; readonly fragment: string }
  | { readonly kind: "file"; readonly file: File };

/** Why a scenario from outside was not opened. */
export interface Refusal {
  /** `newer`: a newer page could open it. `unfetched`: what looks at it did not come. */
  readonly kind: "newer" | "broken" | "invalid" | "unfetched";
  readonly title: string;
  readonly sentence: string;
  /** What the engine has against it. */
  readonly diagnostics: readonly Diagnostic[];
  /** What a link held, to be mended by hand. */
  readonly json?: string;
}

/** What became of a source: a scenario that the engine accepts, with what a link says of the view, or a refusal. */
export type Verdict =
  | { readonly kind: "accepted"; readonly scenario: Scenario; readonly view?: LinkedView }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Longest time a check may take. What is within the limits takes far less. */
const LIMIT_MS = 10_000;

/**
 * Has a scenario from outside checked by a worker of its own, which ends with the check: whatever it holds, it can neither
 * block the page nor touch the run.
 */
export async function checkSource(
  source: Source,
  createWorker: () => Worker = () =>
    withEngine(
      new Worker(new URL("./openingWorker.ts", import.meta.url), { type: "module", name: "qoscope opening" }),
    ),
): Promise<Verdict> {
  try {
    return await callOnce(connect<OpeningApi>(createWorker()), (api) => api.check(source), LIMIT_MS);
  } catch (error) {
    const of = (sentence: string, kind: Refusal["kind"] = "broken"): Verdict => ({
      kind: "refused",
      refusal: refusal(kind, sentence, source),
    });
    if (error instanceof Unfetched)
      return of("The engine that checks it could not be fetched. Try again.", "unfetched");
    if (error instanceof TimeLimitExceeded) return of(error.message);
    return of("The engine failed while it laid the scenario out. Make it smaller.");
  }
}

/** What the engine does with a text: `validate` lists what is wrong, `migrated` brings what is right to its own version. */
export type Reader = Readonly<Record<"validate" | "migrated", (json: string) => string>>;

/** What the engine says of a text, for the page: the scenario, parsed only once it is accepted, or what is wrong. */
export function judge(json: string, source: Source, engine: Reader): Verdict {
  const found = JSON.parse(engine.validate(json)) as Diagnostic[];
  const diagnostics = found.filter(({ severity }) => severity !== "warning");
  if (diagnostics.length === 0) {
    return { kind: "accepted", scenario: JSON.parse(engine.migrated(json)) as Scenario };
  }
  if (isNewer(json, diagnostics)) {
    const sentence = "It was made with a newer QoScope. Reload the page to get the new version.";
    return { kind: "refused", refusal: refusal("newer", sentence, source) };
  }
  return refusedBy(diagnostics, source, json);
}

/** The refusal of a scenario for its errors; `json` is its text, if it can be mended by hand. */
export function refusedBy(
  diagnostics: readonly Diagnostic[],
  source: Source,
  json?: string,
): Extract<Verdict, { readonly kind: "refused" }> {
  const sentence =
    diagnostics.length === 1 ? "An error keeps it from running." : "These errors keep it from running.";
  return {
    kind: "refused",
    refusal: {
      ...refusal("invalid", sentence, source),
      diagnostics,
      ...(source.kind === "link" && json !== undefined && { json }),
    },
  };
}

/** Whether the version is the only error, and a later one than the engine reads. */
function isNewer(json: string, diagnostics: readonly Diagnostic[]): boolean {
  if (diagnostics.length !== 1 || diagnostics[0]?.path !== "version") return false;
  const { version } = JSON.parse(json) as { version?: unknown };
  return Number.isInteger(version) && (version as number) > FORMAT_VERSION;
}

/** A refusal of a whole source. */
export function refusal(kind: Refusal["kind"], sentence: string, source: Source): Refusal {
  const name = source.kind === "link" ? "The link" : `“${source.file.name.slice(0, 80)}”`;
  return { kind, title: `${name} was not opened`, sentence, diagnostics: [] };
}
