import type { ReactNode } from "react";

const PATHS = {
  undo: <path d="M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H7" />,
  redo: <path d="m10.5 3 3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h3" />,
  moon: <path d="M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8Z" />,
  sun: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1" />
    </>
  ),
  help: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.2 6.3a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.2M8 11.2v.1" />
    </>
  ),
  share: <path d="M8 9.5V2.2M5.2 4.6 8 1.8l2.8 2.8M3 8.5v5h10v-5" />,
  down: <path d="m4 6.25 4 4 4-4" />,
  plus: <path d="M8 3v10M3 8h10" />,
  restart: <path d="M3.2 8a4.8 4.8 0 1 0 1.6-3.6M4.6 1.6v3h3" />,
  play: <path d="M5.2 3.2v9.6l7.6-4.8z" fill="currentColor" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth="2.4" />,
  step: (
    <>
      <path d="M4 3.5v9L10.5 8z" />
      <path d="M12.5 3.5v9" />
    </>
  ),
  stepBack: (
    <>
      <path d="M12 3.5v9L5.5 8z" />
      <path d="M3.5 3.5v9" />
    </>
  ),
  wholeRun: <path d="M2 3v10M14 3v10M4.5 8h7M6.5 5.8 4.3 8l2.2 2.2M9.5 5.8 11.7 8l-2.2 2.2" />,
  zoomIn: <path d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.2 10.2l3.3 3.3M5 7h4M7 5v4" />,
  zoomOut: <path d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.2 10.2l3.3 3.3M5 7h4" />,
  close: <path d="m3.5 3.5 9 9M12.5 3.5l-9 9" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </>
  ),
  download: <path d="M8 2v7.5M5.2 7 8 9.8 10.8 7M3 11v2.5h10V11" />,
  open: <path d="M2.5 12.5v-9h4l1.5 2h5.5v7z" />,
  warning: (
    <>
      <path d="M8 2.2 14.2 13H1.8z" />
      <path d="M8 6.3v3.2M8 11.3v.1" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 7.3v3.8M8 4.9V5" />
    </>
  ),
  more: <path d="M3.5 8h.1M8 8h.1M12.5 8h.1" strokeWidth="2.2" />,
  list: <path d="M6 4h8M6 8h8M6 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1" />,
  expand: <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />,
  shrink: <path d="M6 2.5V6H2.5M13.5 6H10V2.5M10 13.5V10h3.5M2.5 10H6v3.5" />,
  dice: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" rx="1.5" />
      <path d="M5.6 5.6h.1M10.4 5.6h.1M8 8h.1M5.6 10.4h.1M10.4 10.4h.1" strokeWidth="1.8" />
    </>
  ),
  settings: (
    <>
      <path d="M2 4.5h5.5M11 4.5h3M2 11.5h3M8.5 11.5H14" />
      <circle cx="9.25" cy="4.5" r="1.75" />
      <circle cx="6.75" cy="11.5" r="1.75" />
    </>
  ),
  classes: (
    <>
      <path d="M2 4h5M10.5 4H14M2 8h2M7.5 8H14M2 12h7M12.5 12H14" />
      <circle cx="8.75" cy="4" r="1.5" />
      <circle cx="5.75" cy="8" r="1.5" />
      <circle cx="10.75" cy="12" r="1.5" />
    </>
  ),
  network: (
    <>
      <rect x="5.5" y="2" width="5" height="3.5" rx="1" />
      <rect x="1.5" y="10.5" width="5" height="3.5" rx="1" />
      <rect x="9.5" y="10.5" width="5" height="3.5" rx="1" />
      <path d="M8 5.5V8M4 10.5V8h8v2.5" />
    </>
  ),
  storage: (
    <>
      <ellipse cx="8" cy="4" rx="5" ry="2" />
      <path d="M3 4v8c0 1.1 2.2 2 5 2s5-.9 5-2V4M3 8c0 1.1 2.2 2 5 2s5-.9 5-2" />
    </>
  ),
  back: <path d="m10 3.5-4.5 4.5 4.5 4.5" />,
  queue: <path d="M2.5 2.5v11h11M4.5 11l2.5-4.5 2 2.5 3.5-6" />,
  figures: (
    <path d="M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 13.5v-2M11.25 13.5V9M13.5 13.5v-3.5" />
  ),
  learn: <path d="M1.5 6 8 3l6.5 3L8 9zM4 7.5V11c1 1.2 2.5 1.8 4 1.8s3-.6 4-1.8V7.5M14.5 6v4" />,
  print: <path d="M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z" />,
  check: <path d="m3 8.5 3.5 3.5L13 4.5" />,
  lock: (
    <>
      <rect x="3.5" y="7" width="9" height="6.5" rx="1" />
      <path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />
    </>
  ),
  toEnd: (
    <>
      <path d="M2.5 3.5v9L8 8zM8 3.5v9L13 8z" />
      <path d="M13.8 3.5v9" />
    </>
  ),
  sweep: <path d="M2.5 2.5v11h11M5.5 11.5V8M8.5 9.5v-4M11.5 7V3.5M4.5 9.8h2M7.5 7.5h2M10.5 5.2h2" />,
  plan: <path d="M2.5 2.5v11h11M4.5 13.5l1-4h3l1-3.5h4" />,
  search: <path d="M2.5 7a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0M10.5 10.5l3 3" />,
  cursor: <path d="m4 2.5 8 5-3.5 1L6.5 12z" />,
  host: <path d="M2.5 3.5h11v7h-11zM6 13h4" />,
  switch: <path d="M2.5 5.5h11v5h-11zM5 8h.01M8 8h.01M11 8h.01" />,
  link: (
    <path d="M4 12 12 4M2.5 12a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0M10.5 4a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0" />
  ),
  fail: <path d="m3 13 3-3M10 6l3-3M6.5 6.5l3 3M9.5 6.5l-3 3" />,
  compare: <path d="M2.5 3h4.5v10H2.5zM9 3h4.5v10H9zM4.5 10V7M11.5 10V5" />,
  pin: <path d="M6 2.5h4L9.5 7l2.5 2.5H4L6.5 7zM8 9.5v4" />,
  transport: <path d="M2 5.5h10M9.5 3l2.5 2.5L9.5 8M14 10.5H4M6.5 8 4 10.5 6.5 13" />,
  rename: <path d="M3 13h2.5L13 5.5 10.5 3 3 10.5zM9 4.5 11.5 7" />,
  trash: <path d="M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 9h5.8l.6-9" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof PATHS;

/** A line icon of 16 px. Always beside words, or inside a control that has a name. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {PATHS[name]}
    </svg>
  );
}

/** The mark: three lines that join in one point. */
export function Logo() {
  return (
    <svg className="icon" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M1.5 4.5c6 0 6.5 5.5 11 5.5M1.5 10h11M1.5 15.5c6 0 6.5-5.5 11-5.5" strokeWidth="1.75" />
      <circle cx="15.75" cy="10" r="2.25" fill="currentColor" />
    </svg>
  );
}
