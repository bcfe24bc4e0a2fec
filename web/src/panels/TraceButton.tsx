import { useRef } from "react";
import { Button } from "../ui/Button.tsx";

interface TraceButtonProps {
  readonly label?: string;
  readonly onFile: (file: File) => void;
}

/** Asks for the file of a trace. */
export function TraceButton({ label = "Choose file", onFile }: TraceButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{label}</Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File of the trace"
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}
