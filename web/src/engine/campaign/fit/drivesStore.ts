import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { createStore } from "zustand/vanilla";
import type { FitDrive } from "../../../generated/answers.d.ts";

/** A drive that this browser keeps. */
export interface KeptDrive {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly drive: FitDrive;
}

/** The drives of a person, latest first, and why they cannot be kept; null where they can. */
export interface DrivesState {
  readonly drives: readonly KeptDrive[];
  readonly fault: string | null;
}

interface DrivesSchema extends DBSchema {
  drives: { key: string; value: KeptDrive };
}

/** The drives that this browser keeps: presets of a person's own. What cannot be kept stays for as long as the page. */
export class Drives {
  readonly store = createStore<DrivesState>()(() => ({ drives: [], fault: null }));
  private opened: Promise<IDBPDatabase<DrivesSchema>> | null = null;

  constructor(private readonly database = "qoscope-drives") {}

  /** Reads what is kept. */
  async load(): Promise<void> {
    const kept = await this.tried((database) => database.getAll("drives"));
    if (!kept) return;
    const known = new Set(kept.map(({ id }) => id));
    this.store.setState(({ drives }) => ({
      drives: latestFirst([...kept, ...drives.filter(({ id }) => !known.has(id))]),
    }));
  }

  /** Keeps a drive, in the place of one of the same name. */
  async keep(drive: FitDrive, now: number = Date.now()): Promise<void> {
    const { drives } = this.store.getState();
    const id = drives.find(({ name }) => name === drive.name)?.id ?? crypto.randomUUID();
    const kept: KeptDrive = { id, name: drive.name, savedAt: now, drive };
    this.store.setState({ drives: latestFirst([kept, ...drives.filter((other) => other.id !== id)]) });
    await this.tried((database) => database.put("drives", kept));
  }

  async remove(id: string): Promise<void> {
    this.store.setState(({ drives }) => ({ drives: drives.filter((drive) => drive.id !== id) }));
    await this.tried((database) => database.delete("drives", id));
  }

  /** Does something with the database; where that cannot be done, tells why. */
  private async tried<T>(work: (database: IDBPDatabase<DrivesSchema>) => Promise<T>): Promise<T | undefined> {
    try {
      this.opened ??= openDB<DrivesSchema>(this.database, 1, {
        upgrade: (database) => void database.createObjectStore("drives", { keyPath: "id" }),
        // Another tab with a newer page may change what is kept; this one opens it anew with its next use.
        blocking: () => this.close(),
        terminated: () => this.close(),
      });
      const done = await work(await this.opened);
      this.store.setState({ fault: null });
      return done;
    } catch {
      this.close();
      this.store.setState({ fault: NOT_KEPT });
      return undefined;
    }
  }

  private close(): void {
    this.opened?.then(
      (database) => database.close(),
      () => {},
    );
    this.opened = null;
  }
}

const NOT_KEPT =
  "This browser keeps nothing for this page, or has no more room: drives are gone with this tab. Save them as files.";

const latestFirst = (drives: readonly KeptDrive[]): readonly KeptDrive[] =>
  drives.toSorted((one, other) => other.savedAt - one.savedAt);

/** The drives of this browser. */
export const drives = new Drives();
