import { useRef } from "react";
import { Button } from "../ui/Button.tsx";

/** Asks for the file of a trace. */
export function TraceButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>Choose file</Button>
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
