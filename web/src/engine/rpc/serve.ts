/// <reference lib="webworker" />

import { expose } from "comlink";
import { Unfetched } from "./errors.ts";
import { engineReady } from "./module.ts";

/** In a worker: answers calls of the page by these functions, once `init` has an instance of the engine. */
export function serve<Api extends object>(init: Parameters<typeof engineReady>[0], api: Api): void {
  const ready = engineReady(init).then(
    () => null,
    () => new Unfetched(),
  );
  const answered =
    (name: PropertyKey) =>
    async (...of: readonly unknown[]) => {
      const failure = await ready;
      if (failure) throw failure;
      return (api as Record<PropertyKey, (...of: readonly unknown[]) => unknown>)[name]?.(...of);
    };
  expose(new Proxy(api, { get: (_, name) => answered(name) }));
}
