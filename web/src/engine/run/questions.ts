import type { Journey } from "../../run/journey.ts";
import type { EngineClient } from "./client.ts";
import type { Reply, Wish } from "./protocol.ts";
import type { RunStore } from "./runState.ts";

/** A request that was followed; null where none is issued before the end of the run. */
export type Followed = Journey | null | "superseded";

/** Questions to the engine beside the run, which stays as it is. Another run, or the end of the engine, answers all of them. */
export class Questions {
  /** Who waits for a summary of the run that is on the page. */
  private readonly summing: ((json: string | null) => void)[] = [];
  /** Who waits for the request that is followed. */
  private following: ((followed: Followed) => void) | null = null;

  constructor(
    private readonly run: RunStore,
    private readonly client: Pick<EngineClient, "send">,
  ) {}

  /** What the engine sums up of the run so far, as JSON; null where that run ends before it has answered. */
  summary = (): Promise<string | null> => {
    if (!this.isAnswerable) return Promise.resolve(null);
    this.client.send({ kind: "summary", generation: this.run.getState().generation });
    return new Promise((resolve) => this.summing.push(resolve));
  };

  /**
   * Follows a request that is issued from where the run stands. Of several wishes the latest counts: the others are superseded,
   * as all are by another run.
   */
  follow = (wish: Wish): Promise<Followed> => {
    this.followed("superseded");
    if (!this.isAnswerable) return Promise.resolve("superseded");
    this.client.send({ kind: "follow", generation: this.run.getState().generation, wish });
    return new Promise((resolve) => {
      this.following = resolve;
    });
  };

  /** The engine has answered. */
  take(reply: Reply & { readonly kind: "summary" | "journey" }): void {
    if (reply.generation !== this.run.getState().generation) return;
    if (reply.kind === "summary") this.summed(reply.json);
    else this.followed(reply.journey);
  }

  /** The run that was asked about is gone. */
  drop(): void {
    this.summed(null);
    this.followed("superseded");
  }

  private get isAnswerable(): boolean {
    const { phase } = this.run.getState();
    return phase !== "stopped" && phase !== "loading";
  }

  private summed(json: string | null): void {
    for (const resolve of this.summing.splice(0)) resolve(json);
  }

  private followed(followed: Followed): void {
    this.following?.(followed);
    this.following = null;
  }
}
