import { hostNames } from "../scenario/topology.ts";
import { hostGroups, namesIn } from "../scenario/workloads.ts";
import { useEffectiveScenario } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { TextRow } from "./TextRow.tsx";
import { useDraft } from "./useDraft.ts";

interface HostsFieldProps {
  /** Path of the field. */
  readonly path: string;
  readonly title: string;
  readonly names: readonly string[];
  /** One host and no more. */
  readonly single?: boolean;
  readonly onCommit: (names: readonly string[]) => void;
}

/** Hosts by name: typed between commas, each with completion, or picked by rack. */
export function HostsField({ path, title, names, single = false, onCommit }: HostsFieldProps) {
  const { shape } = useEffectiveScenario().topology;
  const hosts = hostNames(shape);
  const none = `${title} needs at least one host.`;
  const take = (typed: string) => {
    const next = namesIn(typed);
    const unknown = next.find((name) => !hosts.includes(name));
    if (unknown !== undefined) {
      return `No host is called “${unknown}”. Hosts are ${hosts[0]} to ${hosts.at(-1)}.`;
    }
    if (single && next.length !== 1) return `${title} is one host.`;
    if (next.length === 0) return none;
    if (next.join() !== names.join()) onCommit(next);
    return null;
  };
  const draft = useDraft({ text: names.join(", "), take });
  const pick = (name: string) => {
    const others = names.filter((other) => other !== name);
    const next = single ? [name] : others.length < names.length ? others : [...names, name];
    if (next.length === 0) return draft.restore(none);
    draft.restore();
    onCommit(next);
  };
  return (
    <TextRow path={path} title={title} draft={draft} completions={completions(draft.typed, hosts)}>
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
    </TextRow>
  );
}

/** Completions that are offered while a name is typed. */
const OFFERED = 20;

/** Texts that complete the last name: each is the whole text, so what stands before its comma is part of it. */
function completions(typed: string | null, hosts: readonly string[]): string[] {
  if (typed === null) return [];
  const last = typed.lastIndexOf(",") + 1;
  const before = typed.slice(0, last) + (last > 0 ? " " : "");
  const begun = typed.slice(last).trim();
  const fitting = hosts.filter((name) => name.startsWith(begun));
  return fitting.slice(0, OFFERED).map((name) => before + name);
}
