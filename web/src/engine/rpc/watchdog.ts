/** Wall time between two pings. */
const PERIOD_MS = 375;

/**
 * Pings without an answer that make a worker silent. They are counted rather than timed, so that neither a page whose
 * own thread was busy nor a browser that slows its timers down mistakes its own pause for the worker's. From the last
 * answer it takes five periods at most, less than two seconds.
 */
const PINGS = 4;

/** The same for a worker that is still loading the engine. */
const PINGS_AT_START = 40;

/** Notices when a worker has stopped answering, and when it answers again. */
export class Watchdog {
  private timer: ReturnType<typeof setInterval> | undefined;
  private unanswered = 0;
  private limit = PINGS_AT_START;
  private quiet = false;

  constructor(
    private readonly ping: () => void,
    private readonly onChange: (silent: boolean) => void,
  ) {}

  get silent(): boolean {
    return this.quiet;
  }

  /** Watches a new worker. */
  start(): void {
    this.stop();
    this.timer = setInterval(() => this.tick(), PERIOD_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.unanswered = 0;
    this.limit = PINGS_AT_START;
    this.tell(false);
  }

  /** The worker has sent something, whatever it is. */
  heard(): void {
    this.unanswered = 0;
    this.limit = PINGS;
    this.tell(false);
  }

  private tick(): void {
    if (this.unanswered >= this.limit) this.tell(true);
    this.unanswered++;
    this.ping();
  }

  private tell(silent: boolean): void {
    if (silent === this.quiet) return;
    this.quiet = silent;
    this.onChange(silent);
  }
}
