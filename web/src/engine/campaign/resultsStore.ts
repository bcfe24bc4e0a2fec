import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { KeptResults } from "./campaignProtocol.ts";

/** Where the results of runs are kept, by the keys that the engine gives them. It never fails: what it cannot do it tells in `kept`. */
export interface ResultsStore {
  /** The summaries that are kept under these keys, as JSON. */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Keeps summaries; what was used least recently makes room. */
  put(summaries: ReadonlyMap<string, string>): Promise<void>;
  /** Notes that what is kept under these keys was of use. */
  use(keys: readonly string[]): Promise<void>;
  forget(): Promise<void>;
  kept(): Promise<KeptResults>;
}

/** What is kept at most: about 130,000 results of runs with three classes. */
const KEPT_LIMIT_BYTES = 250e6;

/** Room that is made beyond what is needed, so that it is not made with every result: a part of the limit. */
const SPARE = 0.05;

/** Uses within a day count as one: noting each of them would write more than the results themselves do. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Uses that are noted at a time: what is to be kept meanwhile waits no longer than for these. */
const USES = 500;

interface Use {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
}

interface Sum {
  readonly count: number;
  readonly bytes: number;
}

interface ResultsSchema extends DBSchema {
  /** Packed summaries, by key. */
  runs: { key: string; value: Uint8Array };
  /** When each was used last. */
  uses: { key: string; value: Use; indexes: { at: number } };
  /** What all of them sum up to. */
  sums: { key: "all"; value: Sum };
}

type Database = IDBPDatabase<ResultsSchema>;

const NONE: Sum = { count: 0, bytes: 0 };

/** The store of this browser. It is opened with its first use, and again should that have failed. */
export function browserResults(
  name = "qoscope-results",
  limitBytes: number = KEPT_LIMIT_BYTES,
  now: () => number = Date.now,
): ResultsStore {
  let opened: Promise<Database> | null = null;
  let fault: string | null = null;
  const close = () => {
    opened?.then(
      (database) => database.close(),
      () => {},
    );
    opened = null;
  };
  const database = (): Promise<Database> => {
    opened ??= openDB<ResultsSchema>(name, 1, {
      upgrade(database) {
        database.createObjectStore("runs");
        database.createObjectStore("uses").createIndex("at", "at");
        database.createObjectStore("sums");
      },
      // Another tab with a newer page may change what is kept; this one opens it anew with its next use.
      blocking: close,
      terminated: () => {
        opened = null;
      },
    });
    return opened;
  };
  /** Does something with the database; where that cannot be done, gives what stands for it, and tells why. */
  const tried = async <T>(work: (database: Database) => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work(await database());
    } catch (error) {
      if (opened) close();
      fault = faultOf(error);
      return otherwise;
    }
  };

  /** Deletes what was used least recently until the sum is within a bound. */
  const shrink = async (database: Database, boundBytes: number): Promise<void> => {
    const transaction = database.transaction(["runs", "uses", "sums"], "readwrite");
    const uses = transaction.objectStore("uses");
    let { count, bytes } = (await transaction.objectStore("sums").get("all")) ?? NONE;
    let cursor = bytes > boundBytes ? await uses.index("at").openCursor() : null;
    while (cursor && bytes > boundBytes) {
      void transaction.objectStore("runs").delete(cursor.primaryKey);
      count -= 1;
      bytes -= cursor.value.bytes;
      void cursor.delete();
      cursor = await cursor.continue();
    }
    void transaction.objectStore("sums").put({ count, bytes }, "all");
    await transaction.done;
  };

  const write = async (database: Database, packed: ReadonlyMap<string, Uint8Array>): Promise<void> => {
    const transaction = database.transaction(["runs", "uses", "sums"], "readwrite");
    const [runs, uses, sums] = [
      transaction.objectStore("runs"),
      transaction.objectStore("uses"),
      transaction.objectStore("sums"),
    ];
    const before = await Promise.all([...packed.keys()].map((key) => uses.get(key)));
    let { count, bytes } = (await sums.get("all")) ?? NONE;
    for (const [at, [key, value]] of [...packed].entries()) {
      void runs.put(value, key);
      void uses.put({ at: now(), bytes: value.length }, key);
      count += before[at] ? 0 : 1;
      bytes += value.length - (before[at]?.bytes ?? 0);
    }
    void sums.put({ count, bytes }, "all");
    await transaction.done;
    if (bytes > limitBytes) await shrink(database, limitBytes * (1 - SPARE));
  };

  return {
    get: (keys) =>
      tried(async (database) => {
        const runs = database.transaction("runs").store;
        const values = await Promise.all(keys.map((key) => runs.get(key)));
        const found = keys.flatMap((key, at) => {
          const value = values[at];
          return value ? [[key, strFromU8(inflateSync(value))] as const] : [];
        });
        return new Map(found);
      }, new Map()),
    put: (summaries) => {
      const packed = new Map([...summaries].map(([key, json]) => [key, deflateSync(strToU8(json))]));
      return tried(async (database) => {
        try {
          await write(database, packed);
        } catch (error) {
          // The browser may allow less than the limit: half of what there is makes room, once.
          if (!isFull(error)) throw error;
          const { bytes } = (await database.get("sums", "all")) ?? NONE;
          await shrink(database, bytes / 2);
          await write(database, packed);
        }
        fault = null;
      }, undefined);
    },
    use: (keys) =>
      tried(async (database) => {
        for (let from = 0; from < keys.length; from += USES) {
          const transaction = database.transaction("uses", "readwrite");
          const some = keys.slice(from, from + USES);
          const uses = await Promise.all(some.map((key) => transaction.store.get(key)));
          for (const [at, use] of uses.entries())
            if (use && now() - use.at > DAY_MS)
              void transaction.store.put({ ...use, at: now() }, some[at] as string);
          await transaction.done;
        }
      }, undefined),
    forget: () =>
      tried(async (database) => {
        const transaction = database.transaction(["runs", "uses", "sums"], "readwrite");
        for (const of of ["runs", "uses", "sums"] as const) void transaction.objectStore(of).clear();
        await transaction.done;
      }, undefined),
    async kept() {
      const sum = await tried(async (database) => (await database.get("sums", "all")) ?? NONE, NONE);
      return { ...sum, limitBytes, fault };
    },
  };
}

const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "QuotaExceededError";

/** Why results are not kept, in a sentence. */
function faultOf(error: unknown): string {
  if (isFull(error))
    return "This browser has no more room for this page: results are kept in this tab alone.";
  if (error instanceof DOMException && error.name === "VersionError")
    return "A newer QoScope keeps results here: reload the page. Until then they are kept in this tab alone.";
  return "This browser keeps nothing for this page, as in a private window: results are gone with this tab.";
}
