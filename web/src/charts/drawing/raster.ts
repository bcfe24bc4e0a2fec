import { type DisplayList, replay } from "./displayList.ts";
import type { RasterReply, RasterRequest } from "./raster.worker.ts";
import { holdDrawings } from "./scheduler.ts";

/** Turns display lists into the pixels of one canvas. */
export interface Raster {
  draw(list: DisplayList, width: number, height: number): void;
  /** The canvas is gone. */
  release(): void;
}

/** The drawing worker; null where there is none, or where it cannot be started. */
let worker: Promise<Worker | null> | undefined;
let canvases = 0;

function startWorker(): Promise<Worker | null> {
  if (typeof Worker === "undefined" || !("transferControlToOffscreen" in HTMLCanvasElement.prototype)) {
    return Promise.resolve(null);
  }
  return new Promise((resolve) => {
    const started = new Worker(new URL("./raster.worker.ts", import.meta.url), {
      type: "module",
      name: "qoscope drawing",
    });
    started.onmessage = ({ data }: MessageEvent<RasterReply>) => {
      if (data === "ready") resolve(started);
      else holdDrawings(false);
    };
    started.onerror = () => {
      holdDrawings(false);
      resolve(null);
    };
  });
}

/** Takes a canvas over: its pixels are made by the drawing worker, or here where there is none. */
export async function rasterOf(canvas: HTMLCanvasElement): Promise<Raster | null> {
  worker ??= startWorker();
  const drawing = await worker;
  return drawing ? remote(drawing, canvas) : local(canvas);
}

function remote(drawing: Worker, canvas: HTMLCanvasElement): Raster {
  const id = canvases++;
  const post = (request: RasterRequest, transfer: Transferable[] = []) =>
    drawing.postMessage(request, transfer);
  const offscreen = canvas.transferControlToOffscreen();
  post({ kind: "canvas", id, canvas: offscreen }, [offscreen]);
  return {
    draw(list, width, height) {
      holdDrawings(true);
      const ratio = window.devicePixelRatio || 1;
      post({ kind: "draw", id, list, width, height, ratio }, [list.commands.buffer]);
    },
    release: () => post({ kind: "release", id }),
  };
}

function local(canvas: HTMLCanvasElement): Raster | null {
  const context = canvas.getContext("2d");
  if (!context) return null;
  return {
    draw: (list, width, height) => replay(list, context, width, height, window.devicePixelRatio || 1),
    release: () => {},
  };
}
