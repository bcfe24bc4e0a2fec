import { type ComponentProps, useState } from "react";
import { Button } from "../../ui/Button.tsx";

interface CopyButtonProps extends Pick<ComponentProps<typeof Button>, "look" | "children"> {
  readonly text: string;
}

/** Copies a text, and says so until it is another one. */
export function CopyButton({ text, children, ...rest }: CopyButtonProps) {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <Button icon="copy" onClick={copy} {...rest}>
      {copied === text ? "Copied" : children}
    </Button>
  );
}
