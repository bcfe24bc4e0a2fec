import { useStore } from "zustand";
import { formatGbps, formatPercent, formatQuality } from "../../charts/drawing/format.ts";
import { ClassLine } from "../../panels/ClassesPanel.tsx";
import {
  packetScale,
  useEffectiveScenario,
  useExplanation,
  useRun,
  useSession,
} from "../../panels/context.tsx";
import { rounded } from "../../panels/ParameterRow.tsx";
import { FieldLock, LockNote } from "../../panels/Settings.tsx";
import { useThresholdBand } from "../../panels/SettingsPanels.tsx";
import { touchedStore } from "../../panels/touched.ts";
import { hasNetwork } from "../../run/bottleneck.ts";
import { figure } from "../../run/read.ts";
import { presentShare, targetShare } from "../../run/shares.ts";
import { presentQuality } from "../../run/targets.ts";
import type { RunView } from "../../run/types.ts";
import { fieldAt, valueAt } from "../../scenario/schema.ts";
import { firstOf, pathsOf } from "../../scenario/transports.ts";
import { formatField, packetsToUs, shownUnit, stepped } from "../../scenario/units.ts";
import { IconButton } from "../../ui/Button.tsx";
import { classIdentity } from "../../ui/classes.ts";
import { MathSymbol } from "../../ui/MathSymbol.tsx";
import { Slider } from "../../ui/Slider.tsx";
import { pageStore } from "../pageStore.ts";
import "./Phone.css";

/** "48 % of 50 %", or the share alone where no target applies. */
function shareText(view: RunView, index: number): string {
  const share = formatPercent(presentShare(view, index));
  const target = targetShare(view, index);
  return Number.isFinite(target) ? `${share} of ${formatPercent(target)}` : share;
}

/**
 * Throughput of each class, large, above everything that scrolls, and its quality factor; where a device holds requests back, its
 * share and the one that it should have.
 */
export function ClassStrip() {
  const view = useRun((run) => run.view);
  useRun((run) => run.tick);
  return (
    <section className="class-strip" aria-label="Classes now">
      {view?.classes.map((item, i) => {
        const identity = classIdentity(item.kindIndex);
        return (
          <div key={item.name}>
            <b style={{ color: identity.label }} title={item.name}>
              <ClassLine identity={identity} /> <span>{item.name}</span>
            </b>
            <p>
              <span className="strip-value">{formatGbps(figure(view, i, "carriedGbps"))}</span>{" "}
              <span className="note">Gb/s</span>
            </p>
            <p className="note">
              {hasNetwork(view) && view.bottleneck.device === null ? (
                <>
                  <MathSymbol>Q</MathSymbol> {formatQuality(presentQuality(view, i))}
                </>
              ) : (
                shareText(view, i)
              )}
            </p>
          </div>
        );
      })}
    </section>
  );
}

const THRESHOLD = "switch.ecnThresholdPackets";
/** What stands there in place of K while a device limits throughput. */
const AT_DEVICES = ["storage.nvme.highWeight", "classes[0].ratio"];

/** The control touched last, within reach of the thumb; all others behind the button. */
export function PinnedControl() {
  const session = useSession();
  const shown = useEffectiveScenario();
  const band = useThresholdBand();
  const touched = useStore(touchedStore, (state) => state.path);
  const explanation = useExplanation();
  const isIdle = useRun((run) => run.view?.bottleneck.outOfReach != null);
  const usable = (candidate: string) =>
    fieldAt(firstOf(candidate), shown).slider !== undefined &&
    typeof valueAt(shown, firstOf(candidate)) === "number" &&
    explanation.of(firstOf(candidate))?.noEffect === undefined;
  const choices = isIdle && touched === THRESHOLD ? AT_DEVICES : [touched];
  const path = choices.find(usable) ?? THRESHOLD;
  const field = fieldAt(firstOf(path), shown);
  const value = Number(valueAt(shown, firstOf(path)));
  const unit = shownUnit(field.unit, value);
  const paths = pathsOf(path, shown);
  return (
    <section className="pinned" aria-label="Quick control">
      <div className="row-main">
        <span className="row-label">
          {field.title}
          {field.symbol && <MathSymbol>{field.symbol}</MathSymbol>}
        </span>
        <span className="pinned-value">
          <b>{formatField(value / unit.factor)}</b> {unit.unit}
          {path === THRESHOLD && ` = ${packetsToUs(value, packetScale(shown)).toPrecision(3)} µs`}
        </span>
        <IconButton
          icon="settings"
          label="All settings"
          onClick={() => pageStore.setState({ drawer: "classes" })}
        />
      </div>
      {field.slider && (
        <FieldLock paths={paths}>
          <Slider
            label={field.title}
            scale={field.slider}
            value={value}
            valueText={`${formatField(value)} ${field.unit ?? ""}`}
            band={path === THRESHOLD ? band : null}
            round={(next) => rounded(field, next)}
            step={(from, steps) =>
              stepped(from, steps, field.type === "integer", field.minimum, field.maximum)
            }
            onChange={(next) =>
              session.change(
                paths.map((item) => ({ path: item, value: next })),
                true,
              )
            }
          />
        </FieldLock>
      )}
      <LockNote />
    </section>
  );
}
