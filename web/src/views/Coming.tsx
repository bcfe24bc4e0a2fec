import "./Coming.css";

/** The place of a part that fills the page between its bars, while its script is on its way. */
export function Coming({ what }: { readonly what: string }) {
  return (
    <main className="explore coming fills" aria-busy="true">
      <p role="status">Fetching {what} …</p>
    </main>
  );
}
