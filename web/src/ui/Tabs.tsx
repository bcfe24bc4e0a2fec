import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import "./Tabs.css";

interface TabsProps<T extends string> {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly children: ReactNode;
}

/** What holds a list of tabs and the panel of the chosen one, wherever these stand inside it. */
export function Tabs<T extends string>({ value, onChange, children }: TabsProps<T>) {
  return (
    <Base.Root className="tabs" value={value} onValueChange={onChange}>
      {children}
    </Base.Root>
  );
}

interface TabListProps {
  readonly label: string;
  /** Values of the tabs, which are their titles. */
  readonly tabs: readonly string[];
  /** Takes the focus as it appears. */
  readonly takesFocus?: boolean;
}

/** The tabs; arrows choose. */
export function TabList({ label, tabs, takesFocus = false }: TabListProps) {
  const focus = (list: HTMLElement | null) =>
    list?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  return (
    <Base.List className="tab-list" aria-label={label} activateOnFocus {...(takesFocus && { ref: focus })}>
      {tabs.map((tab) => (
        <Base.Tab key={tab} value={tab}>
          {tab}
        </Base.Tab>
      ))}
    </Base.List>
  );
}

interface TabPanelProps {
  readonly value: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function TabPanel({ value, className = "", children }: TabPanelProps) {
  return (
    <Base.Panel value={value} className={className}>
      {children}
    </Base.Panel>
  );
}
