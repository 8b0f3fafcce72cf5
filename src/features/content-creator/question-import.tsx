import { Button, Checkbox } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { partLimits } from '#contract/entities/authored-parts.ts';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { type FoundQuestion, type QuestionFile, questionFileLimits, type TakenQuestions } from '#contract/entities/question-file.ts';
import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { upload } from '#src/api/upload.ts';
import { ChooseFile, type OnItsWay } from '#src/features/content-creator/choose-file.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { kindWords } from '#src/screens/authoring/question-draft.ts';
import { countOf, formatMegabytes } from '#src/lib/format.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconAlert } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';

const accept = '.gift,.txt,.xml,.zip,.imscc,text/plain,text/xml,application/xml,application/zip';
const answersWords: Partial<Record<AuthoredQuestion['kind'], [one: string, many: string]>> = {
  match: ['pair', 'pairs'],
  order: ['thing to put in order', 'things to put in order'],
  fill_gap: ['gap', 'gaps'],
};
const aboutOf = ({ question, answers, pictures }: FoundQuestion) => {
  if (!question) return 'Not taken';
  const [one, many] = answersWords[question.kind] ?? ['answer', 'answers'];
  return [
    kindWords[question.kind].label,
    ...(answers > 0 && question.kind !== 'true_false' ? [countOf(answers, one, many)] : []),
    ...(pictures > 0 ? [countOf(pictures, 'picture')] : []),
  ].join(' · ');
};
/** Why a file could not be read, or its pictures not imported. */
const failureOf = (answer: Exclude<Result<unknown>, { kind: 'ok' }>) =>
  answer.kind === 'refused' ? (answer.error.errors?.file?.[0] ?? answer.error.errors?.questions?.[0] ?? sentenceOf(answer)) : sentenceOf(answer);

const Line = ({ found, taken, onToggle }: { found: FoundQuestion; taken: boolean; onToggle: () => void }) => {
  const about = useId();
  return (
    <li className={`${layout.stack} ${layout.tight} ${classes.foundLine}`} data-taken={found.question !== null || undefined}>
      {found.question ? (
        <Checkbox label={found.text} checked={taken} onChange={onToggle} aria-describedby={about} />
      ) : (
        <strong className={classes.foundText}>{found.text || 'A question without a text'}</strong>
      )}
      <div id={about} className={`${layout.stack} ${layout.tight} ${classes.foundAbout}`}>
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
          <ul className={`${layout.soft} ${classes.foundNotes}`}>
            {found.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
};

/** Shows which pictures could not be used, before their questions are imported without them. */
const Left = ({ left }: { left: readonly string[] }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={`${layout.notice} ${classes.problems}`} data-tone="warning">
      <h3 ref={heading} tabIndex={-1} className={classes.kindTitle}>
        {countOf(left.length, 'picture')} could not be used
      </h3>
      <ul>
        {left.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
};

type Props = {
  /** How many more fit. */
  room: number;
  /** The label of the import button, for this many. */
  takes: (n: number) => string;
  busy?: boolean;
  onTake: (questions: AuthoredQuestion[], title: string) => void;
};

/** Chooses a file of questions and shows those found, before anything is saved; the ticked ones are imported. */
export const QuestionImport = ({ room, takes, busy = false, onTake }: Props) => {
  const [reading, setReading] = useState<OnItsWay | null>(null);
  const [failure, setFailure] = useState('');
  const [read, setRead] = useState<{ name: string; file: QuestionFile; source: File } | null>(null);
  const [notTaken, setNotTaken] = useState('');
  const [taken, setTaken] = useState<{ questions: AuthoredQuestion[]; left: string[] } | null>(null);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const control = useRef<AbortController | null>(null);
  const result = useRef<HTMLHeadingElement>(null);
  useEffect(() => () => control.current?.abort(), []);
  useEffect(() => {
    if (read) result.current?.focus();
  }, [read]);
  /** Uploads the file with progress; null if that was cancelled. */
  const sent = async <T,>(path: string, file: File, more: Record<string, string> = {}): Promise<Result<T> | null> => {
    const controller = new AbortController();
    control.current = controller;
    setReading({ name: file.name, part: 0 });
    const answer = await upload<T>(
      `${path}?${new URLSearchParams({ name: file.name.slice(-255), ...more }).toString()}`,
      file,
      (part) => !controller.signal.aborted && setReading({ name: file.name, part }),
      controller.signal,
    );
    setReading(null);
    return controller.signal.aborted ? null : answer;
  };
  const send = async (file: File | null) => {
    if (!file) return;
    setFailure('');
    setNotTaken('');
    setRead(null);
    setTaken(null);
    setLeft(new Set());
    if (file.size > questionFileLimits.bytes) {
      setFailure(`“${file.name}” is ${formatMegabytes(file.size)}; ${formatMegabytes(questionFileLimits.bytes)} is the most.`);
      return;
    }
    const answer = await sent<QuestionFile>('/questions/read', file);
    if (answer?.kind === 'ok') setRead({ name: file.name, file: answer.data, source: file });
    else if (answer) setFailure(failureOf(answer));
  };
  const questions = read?.file.questions ?? [];
  const possible = questions.filter((q) => q.question).length;
  const chosen = questions.flatMap(({ question, pictures }, index) => (question && !left.has(index) ? [{ index, question, pictures }] : []));
  const pictures = chosen.reduce((sum, q) => sum + q.pictures, 0);
  const title = read ? read.file.title || nameWithoutEnding(read.name) : '';
  const tooMany = chosen.length > room;
  /** Pictures are imported first, from the file: nothing was stored when it was read. */
  const take = async () => {
    if (!read) return;
    setNotTaken('');
    const withPictures = chosen.filter((q) => q.pictures > 0).map((q) => q.index);
    if (withPictures.length === 0) {
      onTake(
        chosen.map((q) => q.question),
        title,
      );
      return;
    }
    const answer = await sent<TakenQuestions>('/questions/take', read.source, { questions: withPictures.join(',') });
    if (answer?.kind !== 'ok') {
      if (answer) setNotTaken(failureOf(answer));
      return;
    }
    const whole = new Map(answer.data.questions.map((q) => [q.index, q.question]));
    const all = chosen.map((q) => whole.get(q.index) ?? q.question);
    if (answer.data.left.length === 0) onTake(all, title);
    else setTaken({ questions: all, left: [...new Set(answer.data.left)] });
  };
  const toggle = (index: number) =>
    setLeft((before) => {
      const next = new Set(before);
      if (!next.delete(index)) next.add(index);
      return next;
    });
  const refused = questions.length - possible;
  return (
    <div className={`${shapes.bare} ${layout.stack}`}>
      <ChooseFile
        about="From another program: GIFT (.gift, .txt), QTI 1.2, 2.1 or 2.2 (.xml, .zip), Moodle XML (.xml), or the questions of a Common Cartridge (.imscc). You see what was found, and how many pictures come along, before anything is added."
        accept={accept}
        choose="Choose a file"
        mostBytes={questionFileLimits.bytes}
        sending={reading}
        read={read !== null}
        failure={failure}
        onFile={(file) => void send(file)}
        onStop={() => control.current?.abort()}
      />
      {read && taken && (
        <>
          <Left left={taken.left} />
          <div className={layout.tools}>
            <Button loading={busy} onClick={() => onTake(taken.questions, title)}>
              {takes(taken.questions.length)} without {taken.left.length === 1 ? 'it' : 'them'}
            </Button>
            <Button variant="default" onClick={() => setTaken(null)}>
              Choose again
            </Button>
          </div>
        </>
      )}
      {read && !taken && (
        <>
          <div>
            <h3 ref={result} tabIndex={-1} className={classes.kindTitle}>
              {countOf(questions.length, 'question')} in “{read.name}”
            </h3>
            <div className={layout.tools}>
              {possible > 0 && <Badge tone="ok">{possible} can be taken</Badge>}
              {refused > 0 && <Badge tone="warning">{refused} cannot</Badge>}
              {pictures > 0 && (
                <Badge tone="plain">
                  {countOf(pictures, 'picture')} {pictures === 1 ? 'comes' : 'come'} along
                </Badge>
              )}
            </div>
          </div>
          {read.file.notes.map((note) => (
            <p key={note} className={shapes.muted}>
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
            <p className={layout.notice} data-tone="danger" role="alert">
              <IconAlert size={20} /> A quiz has room for {partLimits.questions} questions: choose {room} at most.
            </p>
          )}
          {notTaken && (
            <p className={layout.notice} data-tone="danger" role="alert">
              <IconAlert size={20} /> {notTaken}
            </p>
          )}
          <div className={`${layout.tools} ${classes.foundActions}`}>
            <Button disabled={chosen.length === 0 || tooMany} loading={busy || reading !== null} onClick={() => void take()}>
              {takes(chosen.length)}
            </Button>
          </div>
        </>
      )}
    </div>
  );
};

const nameWithoutEnding = (name: string): string => name.replace(/\.[a-z0-9]{1,5}$/i, '');
