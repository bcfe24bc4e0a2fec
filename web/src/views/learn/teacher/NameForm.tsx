import { type FormEvent, useId, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { STUDENT_LIMIT } from "./answersFile.ts";
import { nameStudent } from "./student.ts";
import "./NameForm.css";

/** Asks for a name where a link gives each student runs of her own: the name is their seed. */
export default function NameForm() {
  const [text, setText] = useState("");
  const id = useId();
  const go = (event: FormEvent) => {
    event.preventDefault();
    nameStudent(text);
  };
  return (
    <main className="name-form">
      <form onSubmit={go}>
        <h2>What is your name?</h2>
        <p>
          In this lesson everybody has runs of her own: your name is the seed of yours. The same name gives
          the same runs again.
        </p>
        <label htmlFor={id}>Name</label>
        <TextField
          id={id}
          value={text}
          maxLength={STUDENT_LIMIT}
          autoComplete="name"
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          type="submit"
          look="primary"
          aria-disabled={text.trim() === ""}
          title={text.trim() === "" ? "Type a name first" : undefined}
        >
          Begin
        </Button>
        <p className="note">It stays in this browser until you hand your answers in.</p>
      </form>
    </main>
  );
}
