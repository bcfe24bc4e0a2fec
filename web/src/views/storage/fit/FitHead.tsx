import { Button } from "../../../ui/Button.tsx";
import { Icon } from "../../../ui/Icon.tsx";
import { exploreView } from "../../../workbench/state/exploreView.ts";
import { storageView } from "../../../workbench/state/storageView.ts";
import { useViewState, useViews } from "../../../workbench/view/viewContext.tsx";

/** Where one is: back to the network, or to the device. */
export function FitHead({ device }: { readonly device: string }) {
  const views = useViews();
  const [, change] = useViewState(storageView);
  return (
    <nav className="device-head" aria-label="Device">
      <Button look="link" className="device-back" onClick={() => views.show(exploreView)}>
        <Icon name="back" /> Fabric
      </Button>
      <span aria-hidden="true">/</span>
      <Button look="link" onClick={() => change({ fit: false })}>
        {device}
      </Button>
      <span aria-hidden="true">/</span>
      <b aria-current="page">Fit to measurements</b>
    </nav>
  );
}
