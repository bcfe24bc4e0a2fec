import type { Wish } from "../../engine/run/protocol.ts";
import { OPERATIONS } from "../../run/stages.ts";
import type { Field } from "../view/linkedState.ts";

/** Among how many requests the slowest may be looked for. */
export const WISHED_OF = [1, 20, 100, 1000] as const;

/** Classes that a scenario has at most. */
const CLASSES = 16;

/** Which request is followed: class, how many are looked at, reads or writes; in links a list of these three. */
export const wishField: Field<Wish | null> = {
  initial: null,
  write: (wish) => wish && [wish.class, wish.of, wish.operation],
  read(json) {
    if (json === null) return null;
    if (!Array.isArray(json) || json.length !== 3) return undefined;
    const [number, of, wanted] = json as unknown[];
    const operation = OPERATIONS.find((item) => item === wanted);
    const isClass = Number.isInteger(number) && Number(number) >= 0 && Number(number) < CLASSES;
    const known = WISHED_OF.find((item) => item === of);
    return isClass && operation && known ? { class: Number(number), of: known, operation } : undefined;
  },
};
