import { VERSION } from "../../engine/rpc/version.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { GLOSSARY } from "../../ui/glossary.ts";
import { ACTIONS, CHART_KEYS } from "../../workbench/actions.ts";
import "./ShortcutSheet.css";

export interface ShortcutSheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Every key there is, and what the page shows. */
export default function ShortcutSheet({ open, onClose }: ShortcutSheetProps) {
  return (
    <Dialog open={open} title="Shortcuts and help" onClose={onClose} className="shortcut-sheet">
      <div className="shortcut-columns">
        <Keys title="Everywhere" keys={ACTIONS.filter(({ shown }) => shown !== "")} />
        <div>
          <Keys title="In a chart" keys={CHART_KEYS} />
          <Keys
            title="In a number field"
            keys={[
              { shown: "↑ ↓", name: "One step; with Shift ten" },
              { shown: "Enter", name: "Take the value" },
              { shown: "Esc", name: "Restore it" },
              { shown: "?", name: "What the setting is" },
            ]}
          />
        </div>
      </div>
      <p className="note">
        Fields take units: 16.8 µs (or us), 210 KB and 140 mean the same K. Drag a label to change its value.
        Rest on a name to read what it is, or tap it. Everything is simulated in this page; nothing is sent
        anywhere.
      </p>
      <details className="fold">
        <summary>Terms</summary>
        <dl className="glossary">
          {Object.values(GLOSSARY).map(({ term, sentence }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{sentence}</dd>
            </div>
          ))}
        </dl>
      </details>
      <p className="note">
        QoScope {VERSION}, under the Apache License 2.0.{" "}
        <a className="link" href="licences.txt" target="_blank" rel="noreferrer">
          What others made of it, and their licences
        </a>
      </p>
      <div className="button-row">
        <Button look="primary" data-autofocus onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Keys(props: {
  readonly title: string;
  readonly keys: readonly { readonly shown: string; readonly name: string }[];
}) {
  return (
    <section>
      <h3>{props.title}</h3>
      <dl className="keys">
        {props.keys.map(({ shown, name }) => (
          <div key={name}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
