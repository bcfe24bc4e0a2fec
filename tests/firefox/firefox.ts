import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";

/**
 * Firefox as it is installed, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), which it speaks itself: no driver
 * stands between. Only what the tests need of it.
 */

/** How long a state is waited for. */
const PATIENCE_MS = 60_000;
/** How often it is looked for. */
const LOOK_MS = 50;

/** No pages, requests and questions of its own. */
const PREFERENCES = {
  "app.normandy.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.page": 0,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

/** Keys that have no character, as WebDriver names them. */
const KEYS: Readonly<Record<string, string>> = { ArrowUp: "\uE013" };

interface Message {
  readonly id?: number;
  readonly type: "success" | "error" | "event";
  readonly result?: unknown;
  readonly message?: string;
  readonly method?: string;
  readonly params?: {
    readonly level?: string;
    readonly text?: string;
    readonly source?: { context?: string };
  };
}

interface Answer {
  resolve(result: never): void;
  reject(reason: Error): void;
}

export class Firefox {
  readonly #asked = new Map<number, Answer>();
  readonly #faults = new Map<string, string[]>();
  #last = 0;

  private constructor(
    private readonly process: ChildProcess,
    private readonly profile: string,
    private readonly socket: WebSocket,
  ) {
    socket.on("message", (data) => this.#hear(JSON.parse(String(data)) as Message));
  }

  /** Starts it without windows and with a profile of its own. */
  static async start(executable: string): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), "qoscope-firefox-"));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${value});\n`);
    writeFileSync(join(profile, "user.js"), lines.join(""));
    const parameters = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
    const process = spawn(executable, parameters, { stdio: ["ignore", "ignore", "pipe"] });
    const socket = new WebSocket(`${await addressOf(process)}/session`);
    await once(socket, "open");
    const firefox = new Firefox(process, profile, socket);
    await firefox.ask("session.new", { capabilities: {} });
    await firefox.ask("session.subscribe", { events: ["log.entryAdded"] });
    return firefox;
  }

  /** Sends a command, and gives what it comes to. */
  ask<T>(method: string, params: object): Promise<T> {
    this.#last += 1;
    const id = this.#last;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  /** Opens a page in a tab of its own. */
  async open(url: string): Promise<Tab> {
    const { context } = await this.ask<{ context: string }>("browsingContext.create", { type: "tab" });
    const faults: string[] = [];
    this.#faults.set(context, faults);
    await this.ask("browsingContext.setViewport", { context, viewport: { width: 1440, height: 900 } });
    await this.ask("browsingContext.navigate", { context, url, wait: "complete" });
    return new Tab(this, context, faults);
  }

  async close(): Promise<void> {
    const gone = once(this.process, "exit");
    await this.ask("browser.close", {});
    await gone;
    this.socket.close();
    rmSync(this.profile, { recursive: true, force: true });
  }

  #hear({ id, type, result, message, method, params }: Message): void {
    if (method === "log.entryAdded" && params?.level === "error") {
      this.#faults.get(params.source?.context ?? "")?.push(params.text ?? "");
    }
    const answer = this.#asked.get(id ?? 0);
    if (!answer || id === undefined) return;
    this.#asked.delete(id);
    if (type === "success") answer.resolve(result as never);
    else answer.reject(new Error(message));
  }
}

/** A page that is shown. */
export class Tab {
  constructor(
    private readonly firefox: Firefox,
    private readonly context: string,
    /** Errors of the page and of its console, refusals of its policy among them; empty at the end of a good test. */
    readonly faults: readonly string[],
  ) {}

  /** What a function comes to in the page: it sees nothing but its parameters and the page. */
  async evaluate<T, P extends readonly string[]>(
    read: (...parameters: P) => T,
    ...parameters: P
  ): Promise<T> {
    type Evaluated =
      | { type: "success"; result: { value: string } }
      | { type: "exception"; exceptionDetails: { text: string } };
    const answer = await this.firefox.ask<Evaluated>("script.callFunction", {
      functionDeclaration: `(...parameters) => JSON.stringify((${read})(...parameters) ?? null)`,
      arguments: parameters.map((value) => ({ type: "string", value })),
      target: { context: this.context },
      awaitPromise: false,
    });
    if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
    return JSON.parse(answer.result.value) as T;
  }

  /** Waits until a function comes to something in the page that is not empty, and gives that. */
  async until<T, P extends readonly string[]>(
    read: (...parameters: P) => T | null | undefined | false,
    ...parameters: P
  ): Promise<T> {
    const end = performance.now() + PATIENCE_MS;
    while (performance.now() < end) {
      const found = await this.evaluate(read, ...parameters);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`never came true: ${read}`);
  }

  /** Presses the element with a role and a name, where it is. */
  async press(role: string, name: string): Promise<void> {
    const { context } = this;
    const { nodes } = await this.firefox.ask<{ nodes: { sharedId: string }[] }>(
      "browsingContext.locateNodes",
      {
        context,
        locator: { type: "accessibility", value: { role, name } },
      },
    );
    const [node] = nodes;
    if (!node || nodes.length > 1) throw new Error(`${nodes.length} of ${role} ${name}`);
    const origin = { type: "element", element: node };
    const actions = [
      { type: "pointerMove", x: 0, y: 0, origin },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await this.firefox.ask("input.performActions", {
      context,
      actions: [{ type: "pointer", id: "mouse", actions }],
    });
  }

  /** Presses a key. */
  async key(name: string): Promise<void> {
    const value = KEYS[name] ?? name;
    const actions = ["keyDown", "keyUp"].map((type) => ({ type, value }));
    const { context } = this;
    await this.firefox.ask("input.performActions", {
      context,
      actions: [{ type: "key", id: "keys", actions }],
    });
  }
}

/** Where a Firefox listens, as it says when it has started. */
function addressOf(process: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    process.stderr?.on("data", (data) => {
      said += data;
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? [];
      if (address) resolve(address);
    });
    process.on("error", reject);
    process.on("exit", () => reject(new Error(`Firefox has ended: ${said}`)));
  });
}
