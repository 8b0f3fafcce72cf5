import { Button, Checkbox } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { partLimits } from '#contract/entities/authored-parts.ts';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { type FoundQuestion, type QuestionFile, questionFileLimits } from '#contract/entities/question-file.ts';
import { sentenceOf } from '#src/api/call.ts';
import { upload } from '#src/api/upload.ts';
import { ChooseFile, type OnItsWay } from '#src/features/content-creator/choose-file.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { kindWords } from '#src/screens/authoring/question-draft.ts';
import { countOf, formatMegabytes } from '#src/lib/format.ts';
import { Badge } from '#src/ui/badge.tsx';
import formClasses from '#src/ui/form.module.css';
import { IconAlert } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

const accept = '.gift,.txt,.xml,.zip,.imscc,text/plain,text/xml,application/xml,application/zip';
const answersWords: Partial<Record<AuthoredQuestion['kind'], [one: string, many: string]>> = {
  match: ['pair', 'pairs'],
  order: ['thing to put in order', 'things to put in order'],
  fill_gap: ['gap', 'gaps'],
};
const aboutOf = ({ question, answers }: FoundQuestion) => {
  if (!question) return 'Not taken';
  const { label } = kindWords[question.kind];
  const [one, many] = answersWords[question.kind] ?? ['answer', 'answers'];
  return answers > 0 && question.kind !== 'true_false' ? `${label} · ${countOf(answers, one, many)}` : label;
};

const Line = ({ found, taken, onToggle }: { found: FoundQuestion; taken: boolean; onToggle: () => void }) => {
  const about = useId();
  return (
    <li className={classes.foundLine} data-taken={found.question !== null || undefined}>
      {found.question ? (
        <Checkbox label={found.text} checked={taken} onChange={onToggle} aria-describedby={about} />
      ) : (
        <strong className={classes.foundText}>{found.text || 'A question without a text'}</strong>
      )}
      <div id={about} className={classes.foundAbout}>
        <small className={layout.soft}>
          {found.place[0]?.toUpperCase()}
          {found.place.slice(1)} · {aboutOf(found)}
        </small>
        {found.why && (
          <p className={classes.foundWhy}>
            <IconAlert size={18} /> {found.why}
          </p>
        )}
        {found.notes.length > 0 && (
          <ul className={classes.foundNotes}>
            {found.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
};

type Props = {
  /** How many more there is room for. */
  room: number;
  /** What the button is called that takes them, for so many. */
  takes: (n: number) => string;
  busy?: boolean;
  onTake: (questions: AuthoredQuestion[], title: string) => void;
};

/** Chooses a file of questions and shows what was found in it, before anything is written; those that are ticked are taken. */
export const QuestionImport = ({ room, takes, busy = false, onTake }: Props) => {
  const [reading, setReading] = useState<OnItsWay | null>(null);
  const [failure, setFailure] = useState('');
  const [read, setRead] = useState<{ name: string; file: QuestionFile } | null>(null);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const control = useRef<AbortController | null>(null);
  const result = useRef<HTMLHeadingElement>(null);
  useEffect(() => () => control.current?.abort(), []);
  useEffect(() => {
    if (read) result.current?.focus();
  }, [read]);
  const send = async (file: File | null) => {
    if (!file) return;
    setFailure('');
    setRead(null);
    setLeft(new Set());
    if (file.size > questionFileLimits.bytes) {
      setFailure(`“${file.name}” is ${formatMegabytes(file.size)}; ${formatMegabytes(questionFileLimits.bytes)} is the most.`);
      return;
    }
    const mine = new AbortController();
    control.current = mine;
    setReading({ name: file.name, part: 0 });
    const answer = await upload<QuestionFile>(
      `/questions/read?name=${encodeURIComponent(file.name.slice(-255))}`,
      file,
      (part) => !mine.signal.aborted && setReading({ name: file.name, part }),
      mine.signal,
    );
    setReading(null);
    if (mine.signal.aborted) return;
    if (answer.kind === 'ok') setRead({ name: file.name, file: answer.data });
    else setFailure(answer.kind === 'refused' ? (answer.error.errors?.file?.[0] ?? sentenceOf(answer)) : sentenceOf(answer));
  };
  const questions = read?.file.questions ?? [];
  const possible = questions.filter((q) => q.question).length;
  const chosen = questions.flatMap((q, i) => (q.question && !left.has(i) ? [q.question] : []));
  const tooMany = chosen.length > room;
  const toggle = (index: number) =>
    setLeft((before) => {
      const next = new Set(before);
      if (!next.delete(index)) next.add(index);
      return next;
    });
  const refused = questions.length - possible;
  return (
    <div className={classes.parts}>
      <ChooseFile
        about="From another program: GIFT (.gift, .txt), QTI 1.2, 2.1 or 2.2 (.xml, .zip), Moodle XML (.xml), or the questions of a Common Cartridge (.imscc). You see what was found before anything is added."
        accept={accept}
        choose="Choose a file"
        mostBytes={questionFileLimits.bytes}
        sending={reading}
        read={read !== null}
        failure={failure}
        onFile={(file) => void send(file)}
        onStop={() => control.current?.abort()}
      />
      {read && (
        <>
          <div>
            <h3 ref={result} tabIndex={-1} className={classes.kindTitle}>
              {countOf(questions.length, 'question')} in “{read.name}”
            </h3>
            <div className={classes.row}>
              {possible > 0 && <Badge tone="ok">{possible} can be taken</Badge>}
              {refused > 0 && <Badge tone="warning">{refused} cannot</Badge>}
            </div>
          </div>
          {read.file.notes.map((note) => (
            <p key={note} className={classes.note}>
              {note}
            </p>
          ))}
          {possible > 1 && (
            <Checkbox
              label={`Take all ${possible}`}
              checked={chosen.length === possible}
              indeterminate={chosen.length > 0 && chosen.length < possible}
              onChange={() => setLeft(chosen.length === possible ? new Set(questions.keys()) : new Set())}
            />
          )}
          <ul className={layout.list}>
            {questions.map((found, i) => (
              <Line key={found.place} found={found} taken={!left.has(i)} onToggle={() => toggle(i)} />
            ))}
          </ul>
          {tooMany && (
            <p className={classes.problems} role="alert">
              <IconAlert size={20} /> A quiz has room for {partLimits.questions} questions: choose {room} at most.
            </p>
          )}
          <div className={`${formClasses.actions} ${classes.foundActions}`}>
            <Button
              disabled={chosen.length === 0 || tooMany}
              loading={busy}
              onClick={() => onTake(chosen, read.file.title || nameWithoutEnding(read.name))}
            >
              {takes(chosen.length)}
            </Button>
          </div>
        </>
      )}
    </div>
  );
};

const nameWithoutEnding = (name: string): string => name.replace(/\.[a-z0-9]{1,5}$/i, '');
