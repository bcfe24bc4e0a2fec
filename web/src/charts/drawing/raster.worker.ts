/// <reference lib="webworker" />

import { type DisplayList, replay } from "./displayList.ts";

/**
 * The worker that turns display lists into pixels, so that long dashed lines do not hold up the page. Of the drawings
 * that wait for one canvas only the latest is done.
 */

export type RasterRequest =
  | { readonly kind: "canvas"; readonly id: number; readonly canvas: OffscreenCanvas }
  | { readonly kind: "release"; readonly id: number }
  | {
      readonly kind: "draw";
      readonly id: number;
      readonly list: DisplayList;
      /** Size in CSS pixels, and device pixels in one of them. */
      readonly width: number;
      readonly height: number;
      readonly ratio: number;
    };

/** "ready" once, then "drawn" whenever nothing waits any more. */
export type RasterReply = "ready" | "drawn";

type Drawing = RasterRequest & { kind: "draw" };

const contexts = new Map<number, OffscreenCanvasRenderingContext2D>();
const waiting = new Map<number, Drawing>();

function drawAll(): void {
  for (const [id, { list, width, height, ratio }] of waiting) {
    const context = contexts.get(id);
    if (context) replay(list, context, width, height, ratio);
  }
  waiting.clear();
  self.postMessage("drawn" satisfies RasterReply);
}

self.onmessage = ({ data }: MessageEvent<RasterRequest>) => {
  if (data.kind === "canvas") {
    const context = data.canvas.getContext("2d");
    if (context) contexts.set(data.id, context);
  } else if (data.kind === "release") {
    contexts.delete(data.id);
    waiting.delete(data.id);
  } else {
    if (waiting.size === 0) requestAnimationFrame(drawAll);
    waiting.set(data.id, data);
  }
};

self.postMessage("ready" satisfies RasterReply);
