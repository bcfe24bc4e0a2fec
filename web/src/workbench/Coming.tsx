import "./Coming.css";

/** The place of a part that fills the page between its bars, while its script is on its way. */
export function Coming({ what }: { readonly what: string }) {
  return (
    <main className="explore coming fills" aria-busy="true">
      <p role="status">Fetching {what} …</p>
    </main>
  );
}

/** The same at one side of the page. */
export function ComingBeside({ what, className }: { readonly what: string; readonly className: string }) {
  return (
    <section className={`${className} coming`} aria-busy="true">
      <p role="status">Fetching {what} …</p>
    </section>
  );
}
