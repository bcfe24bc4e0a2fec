/** A run that this browser keeps: enough to have the same result again, and to tell it from others. */
export interface SavedRun {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  /** The scenario as JSON. Nothing reads it before the engine has checked it. */
  readonly scenario: string;
  /** The state of the view as links have it: JSON, empty where it was as at first. */
  readonly view: string;
  readonly seed: number;
  readonly engineVersion: string;
  /** Of all results, where the run had come to its end. */
  readonly digest: string | null;
}

/** What is kept: the runs, latest first, and how many entries are none. */
export interface Kept {
  readonly runs: readonly SavedRun[];
  readonly broken: readonly IDBValidKey[];
}

/** Where runs are kept, by their ids. What comes out may be anything: other versions of the page write there, too. */
export interface Shelf {
  entries(): Promise<readonly (readonly [key: IDBValidKey, value: unknown])[]>;
  put(run: SavedRun): Promise<void>;
  remove(key: IDBValidKey): Promise<void>;
}

/** Why something could not be kept, or found, in a sentence. */
class SavedFault extends Error {}

/** Longest name. */
export const NAME_LIMIT = 120;

export async function keptOn(shelf: Shelf): Promise<Kept> {
  const entries = await told("The saved runs could not be read", shelf.entries());
  const read = entries.map(([key, value]) => ({ key, run: runFrom(value) }));
  const runs = read.flatMap(({ run }) => run ?? []);
  return {
    runs: runs.toSorted((a, b) => b.savedAt - a.savedAt),
    broken: read.flatMap(({ key, run }) => (run ? [] : [key])),
  };
}

/** Keeps a run, in the place of one with its id. */
export const keepOn = (shelf: Shelf, run: SavedRun): Promise<void> =>
  told(`“${run.name}” was not saved`, shelf.put(run));

export const removeFrom = (shelf: Shelf, key: IDBValidKey): Promise<void> =>
  told("It was not deleted", shelf.remove(key));

/** A run from a value of any origin; null where it is none. */
export function runFrom(value: unknown): SavedRun | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, name, savedAt, scenario, view, seed, engineVersion, digest } = value as Record<string, unknown>;
  const texts = [id, name, scenario, view, engineVersion];
  const isRun =
    texts.every((text) => typeof text === "string") &&
    Number.isFinite(savedAt) &&
    Number.isFinite(seed) &&
    (digest === null || typeof digest === "string");
  if (!isRun) return null;
  return { id, name, savedAt, scenario, view, seed, engineVersion, digest } as SavedRun;
}

/** The same promise; where it is broken, with a sentence of what that means. */
async function told<T>(what: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new SavedFault(`${what}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError")
    return "this browser has no more room for this page. Delete a saved run.";
  if (name === "VersionError") return "a newer QoScope has saved runs here. Reload the page.";
  if (["SecurityError", "InvalidStateError", "TypeError"].includes(name))
    return "this browser keeps nothing for this page, as in a private window.";
  return `the browser says ${error instanceof Error && error.message ? error.message : "nothing more"}`;
}

const DATABASE = "qoscope";
const STORE = "runs";

/** The shelf of this browser. It is opened with its first use, and again should that have failed. */
export function browserShelf(): Shelf {
  let opened: Promise<IDBDatabase> | null = null;
  const database = () => {
    opened ??= openDatabase().catch((error) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  const store = async (mode: IDBTransactionMode) =>
    (await database()).transaction(STORE, mode).objectStore(STORE);
  return {
    async entries() {
      const runs = await store("readonly");
      const [keys, values] = await Promise.all([answer(runs.getAllKeys()), answer(runs.getAll())]);
      return keys.map((key, i) => [key, values[i]] as const);
    },
    put: async (run) => written((await store("readwrite")).put(run)),
    remove: async (key) => written((await store("readwrite")).delete(key)),
  };
}

async function openDatabase(): Promise<IDBDatabase> {
  // A browser that keeps nothing may not even have it.
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
  const database = await answer(request);
  // Another tab with a newer page may change what is kept; this one opens it anew with its next use.
  database.onversionchange = () => database.close();
  return database;
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Whole writing: a quota is noticed at the end of the transaction. */
function written({ transaction }: IDBRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!transaction) return resolve();
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
