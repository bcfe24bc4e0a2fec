import { expose } from "comlink";

/** For tests: workers that answer by these functions, in this thread, through the messages of Comlink. */
export function testWorker(api: object) {
  const state = {
    /** Names of the functions that were called. */
    asked: [] as string[],
    ended: false,
    /** Ends with an error outside of a call; an empty one is of a script that cannot be fetched. */
    fail: (_message: string): void => {},
  };
  const noted = new Proxy(api, {
    get(functions, name) {
      state.asked.push(String(name));
      return Reflect.get(functions, name);
    },
  });
  const create = () => {
    const { port1, port2 } = new MessageChannel();
    expose(noted, port1);
    state.ended = false;
    const worker = {
      onerror: null as ((event: { message: string; preventDefault(): void }) => void) | null,
      postMessage: port2.postMessage.bind(port2),
      addEventListener: port2.addEventListener.bind(port2),
      removeEventListener: port2.removeEventListener.bind(port2),
      start: port2.start.bind(port2),
      terminate() {
        state.ended = true;
        port1.close();
        port2.close();
      },
    };
    state.fail = (message) => worker.onerror?.({ message, preventDefault() {} });
    return worker as unknown as Worker;
  };
  return { worker: state, create };
}
