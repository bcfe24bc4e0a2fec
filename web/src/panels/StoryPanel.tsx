import { useStore } from "zustand";
import { fixed, formatCount, formatMilliseconds, formatPercent } from "../charts/drawing/format.ts";
import { claimsOf, type Remark, remarksOf, type StoryClaim } from "../run/claims.ts";
import { originOf } from "../scenario/store.ts";
import { type Try, triesOf } from "../scenario/story.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { useDisabled } from "../ui/lock.ts";
import { claimText } from "./claimText.ts";
import { useEffectiveScenario, useRun, useSession } from "./context.tsx";
import { FieldLock } from "./Settings.tsx";
import "./StoryPanel.css";

interface StoryPanelProps {
  /** For who is here for the first time: shows what is where. */
  readonly onTour?: (() => void) | undefined;
  /** Somebody knows what this is. */
  readonly onKnown: () => void;
  /** Opens the editor of the story; absent where it may not be changed. */
  readonly onEdit?: (() => void) | undefined;
  /** Begins a note at the present instant; absent where there may be none. */
  readonly onNote?: (() => void) | undefined;
}

/** What a scenario shows, what has come true of it in this run, and what to try: each try a button that acts at once. */
export function StoryPanel({ onTour, onKnown, onEdit, onNote }: StoryPanelProps) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const origin = useStore(session.store, originOf);
  const { story, description } = shown;
  const text = story?.text ?? description;
  const tries = triesOf(shown, origin);
  if (!text && !onTour && !onEdit && !onNote) return null;
  return (
    <section className="panel story" aria-label="What this shows">
      {onTour && (
        <div className="story-about">
          <p>
            <b>QoScope</b> simulates networked storage packet by packet: see who gets how much, who waits, and
            why.{" "}
            <Button look="link" onClick={onTour}>
              Show me around
            </Button>
          </p>
          <IconButton icon="close" label="Hide what QoScope is" onClick={onKnown} />
        </div>
      )}
      <header>
        {text && <h2>What this shows</h2>}
        {onEdit && (
          <Button look="link" onClick={onEdit}>
            {story ? "Edit story" : "Write a story"}
          </Button>
        )}
        {onNote && (
          <Button look="link" onClick={onNote}>
            Add note
          </Button>
        )}
      </header>
      {text && <p className="story-text">{text}</p>}
      <Claims claims={story?.claims ?? []} />
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
function TryButton({ item }: { readonly item: Try }) {
  return (
    <FieldLock paths={item.changes.map(({ path }) => path)}>
      <TrySwitch {...item} />
    </FieldLock>
  );
}

function TrySwitch({ label, on, changes }: Try) {
  const session = useSession();
  const { disabled, ...reason } = useDisabled(false);
  return (
    <Button
      className="try"
      aria-pressed={on}
      {...reason}
      onClick={() => {
        if (!disabled) session.change(changes);
      }}
    >
      {label}
    </Button>
  );
}

/** What the story claims, and whether it holds now; where it claims nothing, what can be said of any run. */
function Claims({ claims }: { readonly claims: readonly StoryClaim[] }) {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  if (!view) return null;
  const lines =
    claims.length > 0
      ? claimsOf(view, claims).map((claim) => ({ text: claimText(claim), holds: claim.holds }))
      : remarksOf(view).map((remark) => ({ text: remarkText(remark), holds: remark.holds }));
  if (lines.length === 0) return null;
  return (
    <ul className="claims" aria-label="What holds now">
      {lines.map(({ text, holds }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: claims stand in their order
        <li key={i} data-holds={holds}>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <circle cx="6" cy="6" r="4" />
          </svg>
          <span>
            <span className="visually-hidden">{holds ? "Holds: " : "Not now: "}</span>
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}

function remarkText(remark: Remark): string {
  switch (remark.id) {
    case "shares": {
      const band = `within ${fixed(100 * remark.band, 0)} % of their share`;
      return remark.holds
        ? `All classes ${band} since ${formatMilliseconds(remark.sinceUs, 1)} ms`
        : `All classes ${band}: not now`;
    }
    case "device":
      return `${remark.device} holds requests back: ${formatCount(remark.waiting, "command waits", "commands wait")} for it`;
    case "full":
      return `The bottleneck is full: ${formatPercent(remark.share)}`;
  }
}
