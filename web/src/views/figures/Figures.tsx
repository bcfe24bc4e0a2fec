import { useEffect, useRef } from "react";
import { Guarded } from "../../workbench/Guarded.tsx";
import { figuresView } from "../../workbench/state/figuresView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";
import { FiguresReport } from "./FiguresReport.tsx";
import { FIGURE_FILES } from "./figureFiles.ts";
import { OpenedFigure } from "./OpenedFigure.tsx";
import { Overview } from "./Overview.tsx";
import "./Figures.css";

/** Published figures beside what our runs give. */
export default function Figures() {
  const [{ figure: id }, change] = useViewState(figuresView);
  const figure = FIGURE_FILES.find((item) => item.id === id);
  const box = useRef<HTMLElement>(null);
  const last = useRef(id);
  // Whoever closes a figure is back at its card.
  useEffect(() => {
    const before = last.current;
    last.current = id;
    if (id !== "") box.current?.scrollTo({ top: 0 });
    else if (before !== "") {
      const card = box.current?.querySelector<HTMLElement>(`[data-figure="${CSS.escape(before)}"]`);
      card?.scrollIntoView({ block: "center" });
      card?.focus({ preventScroll: true });
    }
  }, [id]);
  const close = () => change({ figure: "" });
  return (
    <main className="figures" ref={box} data-opened={id || undefined}>
      <Guarded key={id} name="The figures" fills>
        {id === "" && <Overview />}
        {figure && <OpenedFigure figure={figure} onClose={close} />}
        {id !== "" && !figure && (
          <section className="figure-page">
            <h2>There is no figure “{id}”</h2>
            <p>The link may be of another version of the page.</p>
            <button type="button" className="button" onClick={close}>
              All figures
            </button>
          </section>
        )}
      </Guarded>
      {id === "" && <FiguresReport />}
    </main>
  );
}
