import { type ReactNode, useCallback, useEffect, useEffectEvent, useId, useState } from "react";
import { useStore } from "zustand";
import { fixed, formatPercent } from "../../../charts/drawing/format.ts";
import { Button } from "../../../ui/Button.tsx";
import { Select } from "../../../ui/Select.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { Toggle } from "../../../ui/Toggle.tsx";
import { aboutTime } from "../../../workbench/aboutTime.ts";
import { chooseLesson } from "../../../workbench/files/lessonFile.ts";
import type { Lesson } from "../../../workbench/lesson/lesson.ts";
import { plain } from "../../../workbench/lesson/Markup.tsx";
import { saveBytes } from "../../../workbench/save.ts";
import { learnView } from "../../../workbench/state/learnView.ts";
import { useViewState } from "../../../workbench/view/viewContext.tsx";
import { LESSONS, nameOf } from "../lessons.ts";
import { openPlay, seedNumber } from "../opening.ts";
import { LESSON_FILE, launchOf } from "../scorm/launch.ts";
import { VERSION_TITLES, VERSIONS, type Version } from "../scorm/manifest.ts";
import { PackageRefused, packageOf, packageSize } from "../scorm/package.ts";
import {
  type Chosen,
  type ClassLink,
  classFragment,
  FIRST_LINK,
  SEEDS,
  type SeedChoice,
  seedText,
  stateOf,
} from "./classLink.ts";
import { type KeyStep, LessonKeyRuns, unsolved } from "./lessonKey.ts";
import { type SheetKind, Sheets } from "./Sheets.tsx";
import "./TeacherColumn.css";

const PAGE = `${location.origin}${location.pathname}`;

/** What a teacher takes from the contents: a link for a class, what a room needs, what a course needs. */
export default function TeacherColumn() {
  const [chosen, setChosen] = useState<Chosen | null>(LESSONS[0] ? { lesson: LESSONS[0], own: "" } : null);
  const [link, setLink] = useState(FIRST_LINK);
  if (!chosen) return null;
  const take = (next: Chosen) => {
    setChosen(next);
    setLink((before) => ({ ...before, step: 1 }));
  };
  return (
    <aside className="teacher" aria-labelledby="teacher-title">
      <header>
        <h2 id="teacher-title">For teachers</h2>
        <p className="note">Everything is in the link or in a file. There is no account and no server.</p>
      </header>
      <LinkForClass chosen={chosen} link={link} onChoose={take} onChange={setLink} />
      <InTheRoom chosen={chosen} link={link} />
      <InACourse key={chosen.lesson.id} chosen={chosen} link={link} />
    </aside>
  );
}

interface PartProps {
  readonly chosen: Chosen;
  readonly link: ClassLink;
}

interface LinkProps extends PartProps {
  readonly onChoose: (chosen: Chosen) => void;
  readonly onChange: (link: ClassLink) => void;
}

/** The choice that stands for a lesson of one's own. */
const OWN = "own";

function LinkForClass({ chosen, link, onChoose, onChange }: LinkProps) {
  const id = useId();
  const [fault, setFault] = useState("");
  const [copied, setCopied] = useState(false);
  const fragment = classFragment(chosen, link);
  const steps = chosen.lesson.steps.length;
  const change = (part: Partial<ClassLink>) => {
    setCopied(false);
    onChange({ ...link, ...part });
  };
  const openOwn = async (own: string) => {
    try {
      const play = await openPlay(own);
      onChoose({ lesson: play.lesson, own });
      play.end();
      setFault("");
    } catch (error) {
      setFault(`The file is no lesson that can be taken: ${(error as Error).message}`);
    }
  };
  const options = [
    ...LESSONS.map((lesson) => ({ value: lesson.id, title: `${nameOf(lesson)} ${plain(lesson.title)}` })),
    ...(chosen.own === "" ? [] : [{ value: OWN, title: plain(chosen.lesson.title) }]),
  ];
  return (
    <section aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>Link for a class</h3>
      <div className="teacher-row">
        <label htmlFor={`${id}-lesson`}>Lesson</label>
        <Select
          id={`${id}-lesson`}
          value={chosen.own === "" ? chosen.lesson.id : OWN}
          options={options}
          onChange={(value) => {
            const lesson = LESSONS.find((one) => one.id === value);
            if (lesson) onChoose({ lesson, own: "" });
          }}
        />
      </div>
      <p className="teacher-own note">
        <Button look="link" onClick={() => chooseLesson((text) => void openOwn(text))}>
          Use a lesson of your own
        </Button>
        {fault && <span role="alert"> {fault}</span>}
      </p>
      <div className="teacher-row">
        <label htmlFor={`${id}-step`}>Begin at step</label>
        <span className="teacher-number">
          <WholeNumber
            id={`${id}-step`}
            value={link.step}
            min={1}
            max={steps}
            onChange={(step) => change({ step })}
          />
          <span className="note">of {steps}</span>
        </span>
      </div>
      <Switch
        title="Hide answers"
        note="Answers are locked in and kept, but what happened stays hidden until a student opens the lesson by a link without this."
        on={link.hide}
        onChange={(hide) => change({ hide })}
      />
      <Switch
        title="Lock controls"
        note="Only what a step asks for can be changed, and no step can be left out."
        on={link.lock}
        onChange={(lock) => change({ lock })}
      />
      <div className="teacher-row">
        <label htmlFor={`${id}-seed`}>Seed</label>
        <Select
          id={`${id}-seed`}
          value={link.seed}
          options={SEEDS}
          onChange={(seed) => change({ seed: seed as SeedChoice })}
        />
      </div>
      {link.seed === "fixed" && (
        <div className="teacher-row">
          <label htmlFor={`${id}-number`}>Number</label>
          <WholeNumber
            id={`${id}-number`}
            value={link.number}
            min={0}
            max={MAX_SEED}
            onChange={(number) => change({ number })}
          />
        </div>
      )}
      <p className="note">{SEED_NOTES[link.seed]}</p>
      <output className="teacher-link" aria-label="Link">
        {shortened(`${PAGE.replace(/^https?:\/\//, "")}${fragment}`)}
      </output>
      <div className="teacher-row">
        <Button
          look="primary"
          icon="copy"
          onClick={async () => {
            await navigator.clipboard.writeText(`${PAGE}${fragment}`);
            setCopied(true);
          }}
        >
          {copied ? "Copied" : "Copy link"}
        </Button>
        <span className="note">no student data in the link</span>
      </div>
    </section>
  );
}

/** Greatest seed that nine digits of a link say. */
const MAX_SEED = 999_999_999;

const SEED_NOTES: Readonly<Record<SeedChoice, string>> = {
  lesson: "Everybody sees the runs that the lesson was written with.",
  fixed:
    "Everybody sees the same runs, which are not those of the lesson: what it teaches holds in them too.",
  name: "A student types a name first, which gives the seed: same questions, own numbers.",
};

/** A link that has a lesson in it is long: its beginning says enough. */
const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 120)}…` : text);

interface SwitchProps {
  readonly title: string;
  readonly note: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

function Switch({ title, note, on, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div>
      <div className="teacher-row">
        <label htmlFor={id}>{title}</label>
        <Toggle id={id} on={on} describedBy={`${id}-note`} onChange={onChange} />
      </div>
      <p id={`${id}-note`} className="note">
        {note}
      </p>
    </div>
  );
}

interface WholeNumberProps {
  readonly id: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

/** A whole number within bounds; what is none of them is put right when the field is left. */
function WholeNumber({ id, value, min, max, onChange }: WholeNumberProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const read = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
  return (
    <span className="teacher-digits">
      <TextField
        id={id}
        inputMode="numeric"
        value={draft ?? String(value)}
        onChange={(event) => {
          setDraft(event.target.value);
          const next = read(event.target.value);
          if (next >= min && next <= max) onChange(next);
        }}
        onKeyDown={(event) => {
          const step = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          setDraft(null);
          onChange(Math.min(max, Math.max(min, value + step)));
        }}
        onBlur={() => {
          const next = read(draft ?? "");
          if (Number.isFinite(next)) onChange(Math.min(max, Math.max(min, next)));
          setDraft(null);
        }}
      />
    </span>
  );
}

interface OfferProps {
  readonly title: string;
  readonly note: ReactNode;
  readonly children: ReactNode;
}

/** Something that is there to be taken: what it is, and its button. */
const Offer = ({ title, note, children }: OfferProps) => (
  <div className="teacher-offer">
    <div>
      <span>{title}</span>
      <p className="note">{note}</p>
    </div>
    {children}
  </div>
);

/** What is being printed: its texts, or the runs that they wait for. */
type Printing =
  | { readonly kind: SheetKind; readonly steps: readonly KeyStep[]; readonly runs: null }
  | { readonly kind: SheetKind; readonly steps: null; readonly runs: LessonKeyRuns };

function InTheRoom({ chosen, link }: PartProps) {
  const [, change] = useViewState(learnView);
  const [printing, setPrinting] = useState<Printing | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => () => printing?.runs?.end(), [printing]);
  // A class whose runs differ from student to student has the lesson's own on paper.
  const seed = link.seed === "fixed" ? seedText(link) : "";
  const begin = async (kind: SheetKind) => {
    setFault("");
    try {
      const play = await openPlay(chosen.own === "" ? JSON.stringify(chosen.lesson) : chosen.own);
      const number = await seedNumber(seed);
      if (kind === "answers") setPrinting({ kind, steps: null, runs: new LessonKeyRuns(play, number) });
      else {
        setPrinting({ kind, steps: await unsolved(play, number), runs: null });
        play.end();
      }
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const over = useCallback(() => setPrinting(null), []);
  const sheet = {
    lesson: chosen.lesson,
    seed: seed === "" ? "under its own seed" : `under seed ${seed}`,
  };
  const button = (kind: SheetKind) =>
    printing?.kind === kind ? (
      <Button icon="close" onClick={over}>
        Cancel
      </Button>
    ) : (
      <Button icon="print" aria-label={`Print the ${SHEETS[kind]}`} onClick={() => void begin(kind)}>
        Print
      </Button>
    );
  const note = (kind: SheetKind, text: string) =>
    printing?.kind === kind && printing.runs ? <Progress runs={printing.runs} /> : text;
  return (
    <section aria-labelledby="teacher-room">
      <h3 id="teacher-room">In the room</h3>
      <Offer title="Projector" note="One question, one chart, keys only">
        <Button
          icon="expand"
          aria-label="Open the projector"
          onClick={() =>
            change({
              ...stateOf(chosen, link),
              seed: link.seed === "name" ? "" : seedText(link),
              projector: true,
            })
          }
        >
          Open
        </Button>
      </Offer>
      <Offer title="Handout" note={note("handout", "Questions, empty charts, room to write; A4")}>
        {button("handout")}
      </Offer>
      <Offer title="Answer sheet" note={note("answers", "Right answers, with values of runs made here")}>
        {button("answers")}
      </Offer>
      {fault && <p role="alert">{fault}</p>}
      {printing?.steps && <Sheets kind={printing.kind} steps={printing.steps} {...sheet} onPrinted={over} />}
      {printing?.runs && (
        <Solved
          runs={printing.runs}
          {...sheet}
          onPrinted={over}
          onFailed={(sentence) => {
            over();
            setFault(sentence);
          }}
        />
      )}
    </section>
  );
}

const SHEETS: Readonly<Record<SheetKind, string>> = { handout: "handout", answers: "answer sheet" };

function Progress({ runs }: { readonly runs: LessonKeyRuns }) {
  const { part, secondsLeft } = useStore(runs.store);
  return (
    <span role="status">
      <progress value={part} aria-label="Runs" /> Runs: {formatPercent(part)}
      {secondsLeft !== null && `, ${aboutTime(1000 * secondsLeft)} left`}
    </span>
  );
}

interface SolvedProps {
  readonly runs: LessonKeyRuns;
  readonly lesson: Lesson;
  readonly seed: string;
  readonly onPrinted: () => void;
  readonly onFailed: (sentence: string) => void;
}

/** The answer sheet, once its runs have been made. */
function Solved({ runs, lesson, seed, onPrinted, onFailed }: SolvedProps) {
  const { steps, failure } = useStore(runs.store);
  const fail = useEffectEvent(onFailed);
  useEffect(() => {
    if (failure !== null) fail(failure);
  }, [failure]);
  return steps && <Sheets kind="answers" {...{ lesson, steps, seed, onPrinted }} />;
}

function InACourse({ chosen, link }: PartProps) {
  const [, change] = useViewState(learnView);
  const [version, setVersion] = useState<Version>("1.2");
  const [pass, setPass] = useState("");
  const [size, setSize] = useState<number | null>(null);
  const [part, setPart] = useState<number | null>(null);
  const [said, setSaid] = useState("");
  const id = useId();
  useEffect(() => {
    packageSize().then(setSize, () => {}); // Where no package can be made, saving one says why.
  }, []);
  const percent = /^\d{1,3}$/.test(pass) && Number(pass) <= 100 ? Number(pass) : null;
  const save = async () => {
    setSaid("");
    setPart(0);
    try {
      const { lesson, own } = chosen;
      const archive = await packageOf(
        {
          version,
          id: lesson.id,
          title: plain(lesson.title),
          outcome: plain(lesson.outcome),
          launch: launchOf(version, chosen, link),
          passShare: percent === null ? null : percent / 100,
        },
        own === "" ? {} : { [LESSON_FILE]: own },
        (done, of) => setPart(done / of),
      );
      const name = `qoscope-${lesson.id}-scorm-${version}.zip`;
      saveBytes(archive, name, archive.type);
      setSaid(`Saved as ${name}, ${megabytes(archive.size)}.`);
    } catch (error) {
      setSaid(error instanceof PackageRefused ? error.message : `No package was made: ${String(error)}`);
    }
    setPart(null);
  };
  return (
    <section aria-labelledby="teacher-course">
      <h3 id="teacher-course">In a course</h3>
      <Offer title="Save for an LMS" note="Reports score and answers">
        <Button icon="download" aria-disabled={part !== null} onClick={() => part === null && void save()}>
          {part !== null ? formatPercent(part) : size === null ? "Save" : `Save, ${megabytes(size)}`}
        </Button>
      </Offer>
      <div className="teacher-row">
        <label htmlFor={`${id}-version`}>As</label>
        <Select
          id={`${id}-version`}
          value={version}
          options={VERSIONS.map((value) => ({ value, title: VERSION_TITLES[value] }))}
          onChange={(value) => setVersion(value as Version)}
        />
      </div>
      <div className="teacher-row">
        <label htmlFor={`${id}-pass`}>Passed from</label>
        <span className="teacher-number">
          <span className="teacher-digits">
            <TextField
              id={`${id}-pass`}
              inputMode="numeric"
              value={pass}
              aria-invalid={pass !== "" && percent === null}
              aria-describedby={`${id}-pass-note`}
              onChange={(event) => setPass(event.target.value.trim())}
            />
          </span>
          <span className="note">%</span>
        </span>
      </div>
      <p id={`${id}-pass-note`} className="note">
        {pass !== "" && percent === null
          ? "A share of the score is a whole number from 0 to 100."
          : percent === null
            ? "Empty: whoever finishes the lesson has completed it."
            : "Of right predictions and solved challenges."}
        {link.hide &&
          " Hidden answers are judged only once a link without it shows them: in an LMS they bring no score."}
      </p>
      <p className="note" role="status">
        {said}
      </p>
      <Offer title="Collect answers" note="Drop the students' answer files">
        <Button icon="list" onClick={() => change({ page: "class" })}>
          Open Class
        </Button>
      </Offer>
    </section>
  );
}

const megabytes = (bytes: number): string => `${fixed(bytes / 1e6, 1)} MB`;
