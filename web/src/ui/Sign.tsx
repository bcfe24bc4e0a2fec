/** A paper's symbol: serif italic, after the word it stands for. */
export function Sign({ children }: { readonly children: string }) {
  return <i className="sign">{children}</i>;
}
