import type { History } from "../../scenario/history.ts";
import type { Step } from "../../scenario/store.ts";
import type { FieldChange } from "./protocol.ts";

/** What the engine was sent and has not answered. It answers in the order in which it was asked. */
export type Sent =
  | { readonly kind: "changes"; readonly changes: readonly FieldChange[] }
  /** What the scenario tells its readers, and the history in which it does. */
  | { readonly kind: "annotation"; readonly history: History<Step> };

/** Something that waits for what came before it. */
export type Turn =
  | { readonly kind: "changes"; readonly changes: readonly FieldChange[]; readonly act: () => void }
  | { readonly kind: "edit" | "undo" | "travel"; readonly act: () => void };

/**
 * What is under way between a person's hand and the engine. Live changes are recorded when the engine has answered them. What
 * would end their run (an edit, undo, a way back in time) waits until then, and so does all that comes after it: nothing is lost,
 * and nothing overtakes.
 */
export class Flight {
  private sent: Sent[] = [];
  /** Changes for the instant that a run is going to, each an action of its own. */
  private unsent: (readonly FieldChange[])[] = [];
  private turns: Turn[] = [];

  /** Acts now, or when everything before it has been answered. */
  inTurn(turn: Turn): void {
    this.turns.push(turn);
    this.proceed();
  }

  /** Lets act what need not wait any longer. */
  proceed(): void {
    while (this.isAnswered) {
      const next = this.turns.shift();
      if (!next) return;
      next.act();
    }
  }

  /** Nothing waits: what is sent now keeps its place. */
  get isFree(): boolean {
    return this.turns.length === 0;
  }

  get hasAnnotations(): boolean {
    return this.sent.some(({ kind }) => kind === "annotation");
  }

  /** Something is under way that will be the last step of the history. */
  get hasChanges(): boolean {
    const isChange = ({ kind }: Sent | Turn) => kind === "changes" || kind === "edit";
    return this.unsent.length > 0 || this.sent.some(isChange) || this.turns.some(isChange);
  }

  send(sent: Sent): void {
    this.sent.push(sent);
  }

  /** Keeps changes until the run is where they are to be made. */
  keep(changes: readonly FieldChange[]): void {
    this.unsent.push(changes);
  }

  get keeps(): boolean {
    return this.unsent.length > 0;
  }

  /** Hands over what was kept: the run is there. */
  release(): readonly (readonly FieldChange[])[] {
    return this.unsent.splice(0);
  }

  /** The engine has done what was sent first. */
  done(): Sent | undefined {
    return this.sent.shift();
  }

  /** The engine has refused what was sent first: if that was to be undone, there is nothing to undo. */
  refused(): Sent | undefined {
    if (this.undosAhead.length >= this.sent.length + this.unsent.length) this.dropUndos(1);
    return this.sent.shift();
  }

  /** An undo that waits last is taken back. Returns whether there was one. */
  takeBackUndo(): boolean {
    const isUndo = this.turns.at(-1)?.kind === "undo";
    if (isUndo) this.turns.pop();
    return isUndo;
  }

  /** The engine is gone with what it was sent; undoing that is done. What else waits goes on without it. */
  lost(): void {
    this.dropUndos(this.sent.length + this.unsent.length);
    this.sent = [];
    this.unsent = [];
    this.proceed();
  }

  /** What an engine that is silent was sent is kept for the one that takes its place. */
  keepSent(): void {
    const sent = this.sent.splice(0);
    this.unsent.push(...sent.flatMap((item) => (item.kind === "changes" ? [item.changes] : [])));
  }

  /** Another scenario takes the place of the one that all this was for. */
  leave(): void {
    this.sent = [];
    this.unsent = [];
    this.turns = [];
  }

  /** Values that are under way, by path: the latest of each. */
  get pending(): Record<string, unknown> {
    const changes = [...this.sent, ...this.unsent.map((item) => ({ changes: item })), ...this.turns];
    const all = changes.flatMap((item) => ("changes" in item ? item.changes : []));
    return Object.fromEntries(all.map(({ path, value }) => [path, value]));
  }

  private get isAnswered(): boolean {
    return this.sent.length === 0 && this.unsent.length === 0;
  }

  /** Undos of what is on its way: those before any other change. */
  private get undosAhead(): readonly Turn[] {
    const end = this.turns.findIndex(({ kind }) => kind === "changes" || kind === "edit");
    return this.turns.slice(0, end < 0 ? undefined : end).filter(({ kind }) => kind === "undo");
  }

  private dropUndos(count: number): void {
    const dropped = new Set(this.undosAhead.slice(0, count));
    this.turns = this.turns.filter((turn) => !dropped.has(turn));
  }
}
