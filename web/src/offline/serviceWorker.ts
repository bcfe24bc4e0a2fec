/**
 * Keeps the files of one build of the page, and answers for them: the page opens without a network, and always with files
 * that belong together. Nothing else is kept or answered. A new build is fetched whole beside the old one, and takes its
 * place when the person says so or no window shows the old one.
 */

/** Events of a service worker last until their work is done. */
interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface RequestEvent extends LastingEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** What is used here of the global scope of a service worker, which the types of pages do not have. */
interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LastingEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: RequestEvent) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

/** The files of this build, by path, with the digests of their bytes; the build writes it. The page itself is `./`. */
declare const __BUILD__: { readonly version: string; readonly files: Readonly<Record<string, string>> };

const worker = self as unknown as Scope;
const { version, files } = __BUILD__;
const { scope } = worker.registration;

/** Other folders of the same host may hold the page too: each has caches of its own. */
const ours = `qoscope ${scope} `;
const present = `${ours}${version}`;

const addressOf = (file: string): string => new URL(file, scope).href;

/** The names of these change with their content. */
const isImmutable = (file: string): boolean => file.startsWith("assets/");

worker.addEventListener("install", (event) => event.waitUntil(keepAll()));
worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));
worker.addEventListener("message", ({ data }) => {
  if (data === "take over") void worker.skipWaiting();
});
worker.addEventListener("fetch", (event) => {
  const file = fileOf(event.request);
  if (file !== null) event.respondWith(answer(file, event.request));
});

/** Fetches every file, or takes it over from the build before. Bytes that are not of this build are refused, and all with them. */
async function keepAll(): Promise<void> {
  const cache = await caches.open(present);
  const keep = async ([file, integrity]: readonly [string, string]) => {
    const address = addressOf(file);
    const kept = isImmutable(file) ? await caches.match(address) : undefined;
    const freshness = isImmutable(file) ? "default" : "no-cache";
    const response = kept ?? (await fetch(address, { integrity, cache: freshness, redirect: "error" }));
    await cache.put(address, response);
  };
  await Promise.all(Object.entries(files).map(keep));
}

/** Removes the builds before and answers for the windows that are open. */
async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(ours) && name !== present);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** The file that a request is for; null where it is none of this build. */
function fileOf({ method, mode, url }: Request): string | null {
  if (method !== "GET" || !url.startsWith(scope)) return null;
  const [path = ""] = url.slice(scope.length).split(/[?#]/, 1);
  const file = mode === "navigate" && (path === "" || path === "index.html") ? "./" : path;
  return Object.hasOwn(files, file) ? file : null;
}

/** The file as it was kept; from the network where the browser has dropped it. */
async function answer(file: string, request: Request): Promise<Response> {
  const cache = await caches.open(present);
  return (await cache.match(addressOf(file))) ?? fetch(request);
}
