import { useId, useState } from "react";
import { useStore } from "zustand";
import { fixed } from "../../../charts/drawing/format.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import type { Lesson } from "../../../workbench/lesson/lesson.ts";
import type { LessonProgress } from "../../../workbench/lesson/progress.ts";
import { QR_LIMIT, QrCode } from "../../../workbench/QrCode.tsx";
import { saveText } from "../../../workbench/save.ts";
import { answersFragment, answersOf, fileNameOf, STUDENT_LIMIT } from "./answersFile.ts";
import { nameStudent, studentStore } from "./student.ts";
import "./HandIn.css";

const PAGE = `${location.origin}${location.pathname}`;

interface HandInProps {
  readonly lesson: Lesson;
  readonly progress: LessonProgress;
}

/** How a student hands her answers in: as a file, a link, or a code for the teacher's camera. */
export default function HandIn({ lesson, progress }: HandInProps) {
  const { name } = useStore(studentStore);
  const [said, setSaid] = useState("");
  const [code, setCode] = useState<string | null>(null);
  const id = useId();
  const made = () => answersOf(lesson, progress, name, new Date());
  const link = () => `${PAGE}${answersFragment(made())}`;
  const count = Object.keys(progress.answers).length + Object.keys(progress.challenges).length;
  return (
    <section className="hand-in" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>Hand in your answers</h3>
      <p className="note">
        They are in this browser and nowhere else. They leave it when you save them, copy the link, or show
        the code; then your teacher has your name, your answers and what happened in your runs.
      </p>
      <div className="hand-in-name">
        <label htmlFor={`${id}-name`}>Your name</label>
        <TextField
          id={`${id}-name`}
          value={name}
          maxLength={STUDENT_LIMIT}
          autoComplete="name"
          onChange={(event) => {
            studentStore.setState({ name: event.target.value });
            setCode(null);
          }}
          onBlur={(event) => nameStudent(event.target.value)}
        />
      </div>
      <div className="button-row">
        <Button
          icon="download"
          onClick={() => {
            const answers = made();
            saveText(`${JSON.stringify(answers, null, 2)}\n`, fileNameOf(answers));
            setSaid(`Saved as ${fileNameOf(answers)}.`);
          }}
        >
          Save file
        </Button>
        <Button
          icon="copy"
          onClick={async () => {
            await navigator.clipboard.writeText(link());
            setSaid("Copied. Paste the link where your teacher asks for it.");
          }}
        >
          Copy link
        </Button>
        <Button aria-expanded={code !== null} onClick={() => setCode(code === null ? link() : null)}>
          QR code
        </Button>
      </div>
      {code !== null &&
        (code.length <= QR_LIMIT ? (
          <QrCode text={code} label="QR code of the link to your answers" />
        ) : (
          <p className="note">
            Your answers have {fixed(code.length, 0)} characters, a QR code holds {fixed(QR_LIMIT, 0)}: save
            the file instead.
          </p>
        ))}
      <p className="note" role="status">
        {said || (count === 0 ? "You have not answered anything yet." : "")}
      </p>
    </section>
  );
}
