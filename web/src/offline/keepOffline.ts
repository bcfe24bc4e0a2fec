import address from "./serviceWorker.ts?worker&url";
import { updateStore } from "./update.ts";

/**
 * Has the browser keep the page for use without a network, and tells when a new version of it is ready. It never reloads by
 * itself. Where a browser keeps nothing, or may not, the page works as before.
 */
export async function keepOffline(): Promise<void> {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  try {
    watch(await navigator.serviceWorker.register(address, { updateViaCache: "none" }));
  } catch (error) {
    console.warn("The page is not kept for use without a network.", error);
  }
}

function watch(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator;
  let asked = false;
  let controlled = serviceWorker.controller !== null;

  const reload = () => {
    asked = true;
    if (registration.waiting) registration.waiting.postMessage("take over");
    else location.reload();
  };
  const offer = () => updateStore.setState({ reload });

  // The first version that comes is the one that the page shows already.
  if (registration.waiting && registration.active) offer();
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed" && registration.active) offer();
    });
  });
  // Another window may have asked for the new version: this one still shows the old.
  serviceWorker.addEventListener("controllerchange", () => {
    if (asked) location.reload();
    else if (controlled) offer();
    controlled = true;
  });
}
