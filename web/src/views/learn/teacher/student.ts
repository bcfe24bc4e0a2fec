import { createStore } from "zustand/vanilla";
import { STUDENT_LIMIT } from "./answersFile.ts";

/** The seed of links that ask each student's name: her name gives the seed. */
export const BY_NAME = "name";

const KEY = "qoscope.student";

/** What the person who learns here calls herself; empty while she has not said. */
export const studentStore = createStore<{ readonly name: string }>()(() => ({ name: kept() }));

function kept(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // A browser that keeps nothing asks each time.
  }
}

/** Takes a name, and keeps it in this browser. */
export function nameStudent(text: string): void {
  const name = text.trim().replace(/\s+/g, " ").slice(0, STUDENT_LIMIT);
  studentStore.setState({ name });
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // As above.
  }
}

/** The seed of a link as it is for a student: the name where it asks for one; null while she has not said hers. */
export const seedFor = (seed: string, name: string): string | null =>
  seed === BY_NAME ? name || null : seed;
