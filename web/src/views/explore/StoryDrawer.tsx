import { choiceText } from "../../charts/registry.ts";
import StoryEditor from "../../panels/StoryEditor.tsx";
import { IconButton } from "../../ui/Button.tsx";
import Drawer from "../../ui/Drawer.tsx";
import { useFrame } from "../../ui/media.ts";
import { pageStore } from "../../workbench/pageStore.ts";
import { exploreView } from "../../workbench/state/exploreView.ts";
import { useViewState } from "../../workbench/view/viewContext.tsx";

const close = () => pageStore.setState({ story: false });

/** The story of the scenario as it is written, beside the page, which goes on. */
export default function StoryDrawer() {
  const frame = useFrame();
  const [{ charts }] = useViewState(exploreView);
  return (
    <Drawer open label="Story" onClose={close} className={`drawer-${frame} drawer-story`}>
      <header>
        <h2>Story</h2>
        <IconButton icon="close" label="Close story" onClick={close} />
      </header>
      <StoryEditor charts={charts.map(choiceText)} />
    </Drawer>
  );
}
