import { type KeyboardEvent, useEffect, useState } from "react";
import type { FabricViewProps, NoteMark } from "../charts/types.ts";
import type { RunView } from "../run/types.ts";
import { TabList, TabPanel, Tabs } from "../ui/Tabs.tsx";
import { type FabricTable, linkTable, nodeTable, pathTable } from "./fabricTable.ts";
import "./FabricTables.css";
import "../charts/time/TimeTable.css";

const TABLES: Record<
  FabricTable["name"],
  (run: RunView, pauses?: boolean, notes?: readonly NoteMark[]) => FabricTable
> = {
  Nodes: nodeTable,
  Links: linkTable,
  Paths: pathTable,
};
type Name = FabricTable["name"];
const NAMES = Object.keys(TABLES) as Name[];
const PAGE = 100;

/** Text twin of the fabric: nodes, links and paths, filtered by name, a hundred rows at a time. */
export default function FabricTables({
  run,
  height,
  pauses,
  notes = [],
  chosenNote = null,
  onToggleTables,
  onSelectNode,
  isSelectable = () => true,
  onSelectLink,
}: FabricViewProps) {
  const [name, setName] = useState<Name>("Links");
  const [filter, setFilter] = useState("");
  const [page, setPage] = useState(0);
  const [, again] = useState(0);
  // Utilisation changes with every frame; a table for reading changes every two seconds.
  useEffect(() => {
    const timer = setInterval(() => again((count) => count + 1), 2000);
    return () => clearInterval(timer);
  }, []);

  const table = TABLES[name](run, pauses, notes);
  const node = notes.find(({ number }) => number === chosenNote)?.node;
  const chosen = name === "Nodes" ? run.layout.graph.nodes.findIndex((item) => item.name === node) : -1;
  const wanted = filter.trim().toLowerCase();
  const rows = wanted
    ? table.rows.filter((row) => row.cells.some((cell) => cell.toLowerCase().includes(wanted)))
    : table.rows;
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  const shown = rows.slice(Math.min(page, pages - 1) * PAGE, (Math.min(page, pages - 1) + 1) * PAGE);

  const show = (next: Name) => {
    setName(next);
    setPage(0);
  };
  const key = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "t" && event.key !== "T" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onToggleTables?.();
  };
  const select = name === "Nodes" ? onSelectNode : name === "Links" ? onSelectLink : undefined;

  return (
    <section className="fabric-tables" style={{ height }} aria-label="Fabric, tables" onKeyDown={key}>
      <Tabs value={name} onChange={show}>
        <div className="fabric-tables-head">
          <TabList label="Fabric tables" tabs={NAMES} takesFocus />
          <label>
            Filter{" "}
            <input
              type="search"
              value={filter}
              onChange={(event) => {
                setFilter(event.target.value);
                setPage(0);
              }}
            />
          </label>
          <span className="fabric-count">
            {rows.length === table.rows.length ? rows.length : `${rows.length} of ${table.rows.length}`}
          </span>
          {pages > 1 && (
            <span>
              <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
                Previous
              </button>{" "}
              {Math.min(page, pages - 1) + 1} of {pages}{" "}
              <button type="button" disabled={page >= pages - 1} onClick={() => setPage(page + 1)}>
                Next
              </button>
            </span>
          )}
        </div>
        <TabPanel value={name} className="chart-table fabric-table">
          <table>
            <thead>
              <tr>
                {table.headers.map((header) => (
                  <th key={header} scope="col">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.index} aria-current={row.index === chosen || undefined}>
                  {row.cells.map((cell, i) =>
                    i === 0 ? (
                      <th key={table.headers[i]} scope="row">
                        {select && (name !== "Nodes" || isSelectable(row.index)) ? (
                          <button type="button" className="fabric-row" onClick={() => select(row.index)}>
                            {cell}
                          </button>
                        ) : (
                          cell
                        )}
                      </th>
                    ) : (
                      <td key={table.headers[i]}>{cell}</td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </TabPanel>
      </Tabs>
    </section>
  );
}
