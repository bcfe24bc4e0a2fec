import { useId, useState } from "react";
import { hostNames } from "../scenario/topology.ts";
import { hostGroups, namesIn } from "../scenario/workloads.ts";
import { Icon } from "../ui/Icon.tsx";
import { useEffectiveScenario, useRun } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { hoverHint } from "./ParameterRow.tsx";

interface HostsFieldProps {
  /** Path of the field. */
  readonly path: string;
  readonly title: string;
  readonly names: readonly string[];
  /** One host and no more. */
  readonly single?: boolean;
  readonly onCommit: (names: readonly string[]) => void;
}

/** Names that are offered while one is typed. */
const OFFERED = 20;

/** Hosts by name: typed between commas, each with completion, or picked by rack. What is refused stays to be mended. */
export function HostsField({ path, title, names, single = false, onCommit }: HostsFieldProps) {
  const id = useId();
  const { shape } = useEffectiveScenario().topology;
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const refusal = useRun((run) => run.diagnostics.find((diagnostic) => diagnostic.path.startsWith(path)));
  const hosts = hostNames(shape);
  const restore = () => {
    setDraft(null);
    setFault(null);
  };
  const commit = () => {
    if (draft === null) return;
    const typed = namesIn(draft);
    const unknown = typed.find((name) => !hosts.includes(name));
    if (unknown !== undefined) {
      setFault(`No host is called “${unknown}”. Hosts are ${hosts[0]} to ${hosts.at(-1)}.`);
    } else if (typed.length === 0 || (single && typed.length > 1)) {
      setFault(single ? `${title} is one host.` : `${title} needs at least one host.`);
    } else {
      restore();
      if (typed.join() !== names.join()) onCommit(typed);
    }
  };
  const pick = (name: string) => {
    restore();
    if (single) return onCommit([name]);
    const next = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
    if (next.length > 0) onCommit(next);
    else setFault(`${title} needs at least one host.`);
  };
  // A list of completions completes the whole text: what stands before the last comma is part of each.
  const text = draft ?? names.join(", ");
  const last = text.lastIndexOf(",") + 1;
  const begun = text.slice(last).trim();
  const before = text.slice(0, last) + (last > 0 ? " " : "");
  const offered = draft === null ? [] : hosts.filter((name) => name.startsWith(begun)).slice(0, OFFERED);
  const sentence = fault ?? (refusal ? `${title} ${refusal.reason}. ${refusal.hint}` : null);
  return (
    <div className="row hosts-field" data-path={path}>
      <div className="row-main">
        <label className="row-label" htmlFor={id} {...hoverHint(path)}>
          {title}
        </label>
        <input
          id={id}
          className="text-field"
          value={text}
          list={`${id}-names`}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={sentence !== null}
          aria-describedby={sentence === null ? undefined : `${id}-fault`}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
            if (event.key !== "Escape" || (draft === null && fault === null)) return;
            event.stopPropagation();
            restore();
          }}
        />
        <datalist id={`${id}-names`}>
          {offered.map((name) => (
            <option key={name} value={before + name} />
          ))}
        </datalist>
      </div>
      {sentence && (
        <p className="diagnostic" id={`${id}-fault`} role="alert">
          <Icon name="warning" size={13} /> {sentence}
        </p>
      )}
      <Disclosure title={`Pick ${title.toLowerCase()} by rack`}>
        {hostGroups(shape).map((group) => (
          <fieldset className="host-group" key={group.name}>
            <legend>{group.name}</legend>
            {group.hosts.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={names.includes(name)}
                aria-label={`${title}: ${name}`}
                onClick={() => pick(name)}
              >
                {name}
              </button>
            ))}
          </fieldset>
        ))}
      </Disclosure>
    </div>
  );
}
