import { useStore } from "zustand";
import { fixed, formatMilliseconds, formatPercent } from "../charts/format.ts";
import { type Claim, claimsOf } from "../run/claims.ts";
import { originOf } from "../scenario/store.ts";
import { type Try, triesOf } from "../scenario/story.ts";
import { Button } from "../ui/Button.tsx";
import { useInert } from "../ui/lock.ts";
import { useEffectiveScenario, useRun, useSession } from "./context.tsx";
import "./StoryPanel.css";

interface StoryPanelProps {
  /** Shows what is where; absent where somebody knows. */
  readonly onTour?: (() => void) | undefined;
}

/** What a scenario shows, what has come true of it in this run, and what to try: each try a button that acts at once. */
export function StoryPanel({ onTour }: StoryPanelProps) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const origin = useStore(session.store, originOf);
  const { story, description } = shown;
  const text = story?.text ?? description;
  const tries = triesOf(shown, origin);
  if (!text) return null;
  return (
    <section className="panel story" aria-labelledby="story-title">
      <header>
        <h2 id="story-title">What this shows</h2>
        {onTour && (
          <Button look="link" onClick={onTour}>
            Show me around
          </Button>
        )}
      </header>
      <p className="story-text">{text}</p>
      <Claims />
      {tries.length > 0 && (
        <fieldset className="tries" aria-label="What to try">
          {tries.map((item) => (
            <TryButton key={item.label} item={item} />
          ))}
        </fieldset>
      )}
    </section>
  );
}

/** A try: pressed while its values are in force; pressed again, what was there before is back. */
function TryButton({ item: { label, on, changes } }: { readonly item: Try }) {
  const session = useSession();
  const { inert, ...reason } = useInert(false);
  return (
    <Button
      className="try"
      aria-pressed={on}
      {...reason}
      onClick={() => {
        if (!inert) session.change(changes);
      }}
    >
      {label}
    </Button>
  );
}

/** What may come true, and whether it has. */
function Claims() {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  const claims = view ? claimsOf(view) : [];
  if (claims.length === 0) return null;
  return (
    <ul className="claims" aria-label="What holds now">
      {claims.map((claim) => (
        <li key={claim.id} data-holds={claim.holds}>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <circle cx="6" cy="6" r="4" />
          </svg>
          <span>
            <span className="visually-hidden">{claim.holds ? "Holds: " : "Not now: "}</span>
            {claimText(claim)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function claimText(claim: Claim): string {
  switch (claim.id) {
    case "shares": {
      const band = `within ${fixed(100 * claim.band, 0)} % of their share`;
      return claim.holds
        ? `All classes ${band} since ${formatMilliseconds(claim.sinceUs, 1)} ms`
        : `All classes ${band}: not yet`;
    }
    case "deadlines":
      return claim.holds
        ? "Every class keeps 99 % of its deadlines"
        : `${claim.worst} misses ${formatPercent(claim.missed)} of its deadlines`;
    case "device":
      return `${claim.device} is full and holds requests back`;
    case "full":
      return claim.holds
        ? `The bottleneck is full: ${formatPercent(claim.share)}`
        : `The bottleneck is not full: ${formatPercent(claim.share)}`;
    case "lossless":
      return claim.holds
        ? "Nothing is lost or sent again"
        : `${formatPercent(claim.part)} of the packets are sent again`;
  }
}
