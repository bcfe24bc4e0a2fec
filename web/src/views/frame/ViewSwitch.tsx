import { Icon } from "../../ui/Icon.tsx";
import { useCurrentView, useViews } from "../../workbench/view/viewContext.tsx";
import "./ViewSwitch.css";

/** The views to choose from; nothing while there is but one. */
export function ViewSwitch() {
  const views = useViews();
  const current = useCurrentView();
  if (views.all.length < 2) return null;
  return (
    <nav className="view-switch" aria-label="Views">
      {views.all.map((view) => (
        <button
          key={view.id}
          type="button"
          aria-current={view === current ? "page" : undefined}
          onClick={() => views.show(view)}
        >
          <Icon name={view.icon} />
          <span>{view.title}</span>
        </button>
      ))}
    </nav>
  );
}
