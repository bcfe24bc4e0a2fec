import { useRef } from "react";
import { useStore } from "zustand";
import { useScenario, useSession } from "../../panels/context.tsx";
import { originOf } from "../../scenario/store.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Icon, Logo } from "../../ui/Icon.tsx";
import { hasViewsOnTop, useFrame } from "../../ui/media.ts";
import { onDemand } from "../../ui/onDemand.tsx";
import { toggleTheme, useTheme } from "../../ui/theme.ts";
import { action } from "../../workbench/actions.ts";
import { pageStore } from "../../workbench/pageStore.ts";
import { PresetMenu } from "../../workbench/scenarios/PresetMenu.tsx";
import { useCurrentView } from "../../workbench/view/viewContext.tsx";
import { Warnings } from "../notices/Warnings.tsx";
import type { SharePopoverProps } from "../share/SharePopover.tsx";
import { MoreMenu } from "./MoreMenu.tsx";
import { ViewSwitch } from "./ViewSwitch.tsx";
import "./TopBar.css";

const SharePopover = onDemand<SharePopoverProps>(() => import("../share/SharePopover.tsx"));

const closeShare = () => pageStore.setState({ share: null });
const closeScenarios = () => pageStore.setState({ scenarios: false });

/** Name of the scenario with the menu of presets, undo and redo, theme, help, share. */
export function TopBar() {
  const session = useSession();
  const scenario = useScenario();
  const frame = useFrame();
  const theme = useTheme();
  const phone = frame === "phone";
  /** Narrower bars hide the word of the brand, and have search, theme and help in a menu. */
  const wide = frame === "desk";
  const { isWithoutRun = false, isOfScenario = !isWithoutRun } = useCurrentView();
  const origin = useStore(session.store, originOf);
  const canUndo = useStore(session.store, (state) => state.history.past.length > 0);
  const canRedo = useStore(session.store, (state) => state.history.future.length > 0);
  const scenarios = useStore(pageStore, (page) => page.scenarios);
  const share = useStore(pageStore, (page) => page.share);
  const title = useRef<HTMLButtonElement>(null);
  const shareButton = useRef<HTMLButtonElement>(null);
  return (
    <header className="topbar">
      <h1 className="brand">
        <Logo />
        <span className={wide ? undefined : "visually-hidden"}>QoScope</span>
      </h1>
      {isOfScenario && (
        <>
          <button
            ref={title}
            type="button"
            className="scenario-title"
            aria-haspopup="dialog"
            aria-expanded={scenarios}
            title={`Find a scenario (${action("scenarios").shown})`}
            onClick={() => pageStore.setState({ scenarios: !scenarios })}
          >
            <span>{scenario.name}</span>
            <Icon name="down" />
          </button>
          {scenario !== origin && !phone && <span className="chip">edited</span>}
          <Warnings />
        </>
      )}
      <PresetMenu open={scenarios} onClose={closeScenarios} anchor={title} />
      <span className="spring" />
      {hasViewsOnTop(frame) && <ViewSwitch />}
      <span className="spring" />
      {isOfScenario && (
        <>
          <IconButton
            icon="undo"
            label="Undo"
            shortcut={action("undo").shown}
            disabled={!canUndo}
            onClick={session.undo}
          />
          <IconButton
            icon="redo"
            label="Redo"
            shortcut={action("redo").shown}
            disabled={!canRedo}
            onClick={session.redo}
          />
        </>
      )}
      {wide && (
        <>
          <span className="rule" />
          <IconButton
            icon="search"
            label="Find anything"
            shortcut={action("palette").shown}
            onClick={() => pageStore.setState({ palette: true })}
          />
          <IconButton
            icon={theme === "dark" ? "sun" : "moon"}
            label={theme === "dark" ? "Light theme" : "Dark theme"}
            onClick={toggleTheme}
          />
          <IconButton
            icon="help"
            label="Shortcuts and help"
            shortcut="?"
            onClick={() => pageStore.setState({ shortcuts: true })}
          />
        </>
      )}
      {phone ? (
        <button
          ref={shareButton}
          type="button"
          className="icon-button"
          aria-label="Share"
          onClick={() => pageStore.setState({ share: share ? null : "link" })}
        >
          <Icon name="share" />
        </button>
      ) : (
        <Button
          ref={shareButton}
          look="primary"
          icon="share"
          aria-expanded={share !== null}
          onClick={() => pageStore.setState({ share: share ? null : "link" })}
        >
          Share
        </Button>
      )}
      {!wide && <MoreMenu />}
      <SharePopover open={share !== null} onClose={closeShare} anchor={shareButton} />
    </header>
  );
}
