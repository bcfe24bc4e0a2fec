/** Claims to runs by their keys, so that windows of this browser that run the same study make no run twice. */
export interface Claims {
  /** Claims a run unless somebody else has it; says whether that went well. */
  take(key: string): Promise<boolean>;
  release(key: string): void;
  /** Once nobody else has it. */
  free(key: string, signal: AbortSignal): Promise<void>;
}

/** Claims as locks of the browser: they end with the window that holds them, however it ends. Where it has none, nobody else is known of. */
export function lockClaims(locks: LockManager | null = navigator.locks ?? null): Claims {
  if (!locks) return { take: async () => true, release() {}, free: async () => {} };
  const held = new Map<string, () => void>();
  const nameOf = (key: string) => `qoscope run ${key}`;
  return {
    take: (key) =>
      new Promise((resolve, reject) => {
        const hold = async (lock: Lock | null): Promise<void> => {
          resolve(lock !== null);
          if (lock) await new Promise<void>((end) => held.set(key, end));
        };
        locks.request(nameOf(key), { ifAvailable: true }, hold).catch(reject);
      }),
    release(key) {
      held.get(key)?.();
      held.delete(key);
    },
    async free(key, signal) {
      await locks.request(nameOf(key), { signal }, () => {});
    },
  };
}
