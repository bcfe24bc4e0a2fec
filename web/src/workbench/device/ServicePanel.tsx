import { ServiceShare } from "../../charts/device/ServiceShare.tsx";
import { formatDuration } from "../../charts/drawing/format.ts";
import { useExplanation, useRun } from "../../panels/context.tsx";
import { requestsLately } from "../../run/service.ts";
import type { RunView } from "../../run/types.ts";

/** Of the requests that were done lately, how many were of which class; against the weights. */
export function ServicePanel({ view, hasQueues }: { readonly view: RunView; readonly hasQueues: boolean }) {
  useRun((run) => run.tick);
  const explanation = useExplanation();
  const weights = hasQueues ? explanation.queues.classWeights : null;
  const { requests, us } = requestsLately(view);
  const blind = explanation.of("storage.nvme.highWeight")?.noEffect?.reason;
  const several = view.layout.devices.length > 1 ? ", all devices" : "";
  return (
    <section className="panel service" aria-labelledby="service-title">
      <header>
        <h2 id="service-title">
          Service share{" "}
          <span className="note">
            requests done, last {formatDuration(us, 2)}
            {several}
          </span>
        </h2>
      </header>
      <ServiceShare classes={view.classes} requests={requests} weights={weights} />
      <p className="note">
        {!hasQueues
          ? "No weights to compare with: a server of constant capacity has no NVMe queues, and the scheduler of tenants has weights of its own."
          : weights
            ? `Ticks: the weights ${weights.map((weight) => Number(weight.toFixed(2))).join(" : ")}`
            : `No weights to compare with${blind ? `: ${blind}` : ""}.`}
      </p>
    </section>
  );
}
