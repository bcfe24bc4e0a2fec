import { Fragment, type ReactNode } from "react";
import { useEffectiveScenario, useExplanation } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { Panel } from "./Panel.tsx";
import { ParameterRow } from "./ParameterRow.tsx";
import { PANELS, type PanelId, type Row } from "./settingRows.ts";

/** What stands in the place of a row, by its path, and what follows a block, by its name. */
export type Special = Readonly<Record<string, ReactNode>>;

/** The rows of a panel. */
export function PanelRows({
  rows,
  special = {},
}: {
  readonly rows: readonly Row[];
  readonly special?: Special;
}) {
  const row = (path: string) => (
    <Fragment key={path}>{special[path] ?? <ParameterRow path={path} />}</Fragment>
  );
  return rows.map((item) => {
    if (typeof item === "string") return row(item);
    if ("block" in item) {
      return (
        <Fragment key={item.block}>
          <div className={item.block}>{item.rows.map(row)}</div>
          {special[item.block]}
        </Fragment>
      );
    }
    return (
      <Disclosure key={item.title} title={item.title}>
        {item.rows.map(row)}
      </Disclosure>
    );
  });
}

interface SettingsPanelProps {
  readonly id: PanelId;
  readonly note?: ReactNode;
  /** A button beside the title. */
  readonly action?: ReactNode;
  readonly special?: Special;
  /** Below the rows. */
  readonly children?: ReactNode;
}

/** A panel with the rows that are listed for it. */
export function SettingsPanel({ id, note, action, special, children }: SettingsPanelProps) {
  const { title, rows } = PANELS[id];
  return (
    <Panel id={id} title={title} note={note} action={action}>
      <PanelRows rows={rows(useEffectiveScenario(), useExplanation())} {...(special && { special })} />
      {children}
    </Panel>
  );
}
