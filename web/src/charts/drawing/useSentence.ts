import { useEffect, useRef, useState } from "react";
import { samplesUntilNow } from "../../run/read.ts";
import type { RunView } from "../../run/types.ts";

interface Sentenced {
  readonly title: string;
  sentence(sample: number): string;
}

/** The picture in words: anew at most every two seconds while data arrive, and once they stop. */
export function useSentence(run: RunView, model: Sentenced): string {
  const latest = useRef(model);
  latest.current = model;
  const [sentence, setSentence] = useState(`${model.title}: no samples yet.`);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = () => {
      timer = undefined;
      const last = samplesUntilNow(run) - 1;
      setSentence(last < 0 ? `${latest.current.title}: no samples yet.` : latest.current.sentence(last));
    };
    say();
    const stop = run.subscribe(() => {
      timer ??= setTimeout(say, 2000);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [run]);

  return sentence;
}
