/** A paper's symbol: serif italic, after the word it stands for. What follows an underscore stands below the line. */
export function MathSymbol({ children }: { readonly children: string }) {
  const [letter, index] = children.split("_");
  return (
    <i className="sign">
      {letter}
      {index !== undefined && <sub>{index}</sub>}
    </i>
  );
}
