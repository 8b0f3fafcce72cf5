import layout from '#src/ui/page.module.css';
import { Button, Group, Title } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Answer, Quiz } from '#contract/entities/content.ts';
import { outcomeWords, writtenCounts } from '#contract/rules/answer-words.ts';
import { triesLeft } from '#contract/rules/completion.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { isAnswered, partsToAnswer } from '#contract/rules/grade-answer.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/attempt.module.css';
import { QuestionInput, QuestionPicture } from '#src/ui/question-input.tsx';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { focusHeading } from '#src/lib/focus-heading.ts';
import { countOf } from '#src/lib/format.ts';
import { saveAnswer, submitQuiz } from '#src/offline/kinds/attempt/commands.ts';
import { NotSaved } from '#src/offline/outbox/commit.ts';
import { IconAlert, IconCheck, IconClock } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import topicLook from '#src/screens/block-view.module.css';

/** The longest time before typed text is saved. */
const typingPauseMs = 400;

/** A quiz. Each answer is saved immediately; each try is handed in once and marked by the server. */
export const QuizView = ({ view, quiz, onDone }: { view: AttemptView; quiz: Quiz; onDone: () => void }) => {
  const db = usePersonDb();
  const tries = view.submissions.filter((s) => s.quiz_id === quiz.id).sort((a, b) => a.try_no - b.try_no);
  const last = tries.at(-1);
  const [again, setAgain] = useState(0);
  // Answers of the next try: it has been begun, and the result of the last one is no longer what this page is about.
  const running = last !== undefined && [...view.answers.keys()].some((key) => key.startsWith(`${quiz.id}:${last.try_no + 1}:`));
  const showing = last && again < last.try_no && !running ? last : null;
  const tryNo = showing ? showing.try_no : tries.length + 1;
  const questions = useMemo(() => drawQuestions(quiz, view.attempt.shown_as ?? view.attempt.id, tryNo), [quiz, view.attempt, tryNo]);
  const [typed, setTyped] = useState<Record<string, Answer>>({});
  const [asked, setAsked] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const timers = useRef(new Map<string, { timer: ReturnType<typeof setTimeout>; save: () => void }>());
  const passed = tries.some((t) => t.graded?.passed);
  const left = triesLeft(quiz, tries);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new try starts empty
  useEffect(() => {
    setTyped({});
    setAsked(false);
  }, [tryNo]);
  useEffect(
    () => () => {
      for (const { timer, save } of timers.current.values()) {
        clearTimeout(timer);
        save();
      }
      timers.current.clear();
    },
    [],
  );

  const answerOf = (id: string) => typed[id] ?? view.answers.get(`${quiz.id}:${tryNo}:${id}`);
  const store = async (questionId: string, prompt: string, answer: Answer) => {
    try {
      await saveAnswer(db, view.attempt, { quiz_id: quiz.id, try_no: tryNo, question_id: questionId }, answer, `Answered “${prompt}”`);
      setFailed(null);
    } catch (error) {
      setFailed(
        error instanceof NotSaved && error.reason === 'full'
          ? 'This device is full. Your answer is still shown but not saved. Remove a course you do not need, then answer again.'
          : 'Your answer is still shown but could not be saved. Please try again.',
      );
    }
  };
  const change = (questionId: string, prompt: string, answer: Answer) => {
    setTyped((t) => ({ ...t, [questionId]: answer }));
    const pending = timers.current.get(questionId);
    if (pending) clearTimeout(pending.timer);
    const save = () => {
      timers.current.delete(questionId);
      void store(questionId, prompt, answer);
    };
    if (answer.kind === 'free_text' || answer.kind === 'fill_gap') timers.current.set(questionId, { timer: setTimeout(save, typingPauseMs), save });
    else save();
  };
  const open = questions.filter((q) => q.kind !== 'order' && !isAnswered(answerOf(q.id), partsToAnswer(q)));
  const handIn = async () => {
    if (open.length > 0 && !asked) {
      setAsked(true);
      document.getElementById(`question-${open[0]?.id}`)?.scrollIntoView({ block: 'center' });
      return;
    }
    for (const { timer } of timers.current.values()) clearTimeout(timer);
    timers.current.clear();
    const answers: Record<string, Answer> = {};
    for (const q of questions) {
      const answer = answerOf(q.id) ?? (q.kind === 'order' ? ({ kind: 'order', items: q.items.map((i) => i.id) } as const) : undefined);
      if (answer) answers[q.id] = answer;
    }
    try {
      await submitQuiz(db, view.attempt, quiz, tryNo, answers);
      window.scrollTo(0, 0);
    } catch (error) {
      notify(
        'error',
        error instanceof NotSaved && error.reason === 'full'
          ? 'This device is full. Nothing is lost: your answers are still here. Remove a course you do not need, then hand in again.'
          : 'This could not be saved on this device. Your answers are still here; please try again.',
      );
    }
  };

  const section = useRef<HTMLElement>(null);
  const shownTry = showing?.try_no ?? null;
  const before = useRef(shownTry);
  // The button that was pressed is gone once the answers are handed in, or another try begins.
  useEffect(() => {
    if (before.current !== shownTry) focusHeading(section.current);
    before.current = shownTry;
  }, [shownTry]);

  if (showing) {
    const graded = showing.graded;
    return (
      <section ref={section} className={classes.page} aria-label={quiz.title}>
        <Title order={1}>{quiz.title}</Title>
        {!graded && (
          <div className={classes.verdict} data-tone="warning" role="status">
            <IconClock size={32} />
            <div>
              <strong>Handed in and saved on this device.</strong>
              <p>It will be marked as soon as this device has a connection. You can continue in the meantime.</p>
            </div>
          </div>
        )}
        {graded && (
          <div className={classes.verdict} data-tone={graded.passed ? 'ok' : 'danger'} role="status">
            {graded.passed ? <IconCheck size={32} /> : <IconAlert size={32} />}
            <div>
              <strong>
                {graded.passed ? 'Passed' : 'Not passed yet'}: {graded.score} %
              </strong>
              <p>
                You need {quiz.pass_percent} %.
                {!graded.passed && left > 0 && Number.isFinite(left) ? ` You have ${countOf(left, 'try', 'tries')} left.` : ''}
                {!graded.passed && left <= 0 ? ' There are no tries left: ask your manager about taking the course again.' : ''}
              </p>
            </div>
          </div>
        )}
        {graded && (
          <ol className={classes.feedback}>
            {graded.outcomes.map((outcome) => {
              const q = quiz.questions.find((asked) => asked.id === outcome.question_id);
              return q ? (
                <li key={q.id}>
                  <strong>{q.kind === 'fill_gap' ? q.segments.map((s) => (typeof s === 'string' ? s : '…')).join('') : q.prompt}</strong>
                  <span className={classes.mark} data-tone={outcome.correct ? 'ok' : 'danger'}>
                    {outcome.correct ? <IconCheck size={18} /> : <IconAlert size={18} />} {outcomeWords(q, outcome.correct)}
                  </span>
                  <p>{outcome.feedback}</p>
                </li>
              ) : null;
            })}
          </ol>
        )}
        <Group mt="lg">
          {graded && !graded.passed && left > 0 && !view.attempt.closed && (
            <Button
              onClick={() => {
                setAgain(showing.try_no);
                window.scrollTo(0, 0);
              }}
            >
              Try again
            </Button>
          )}
          <Button variant={graded && !graded.passed && left > 0 ? 'default' : 'filled'} onClick={onDone}>
            Continue
          </Button>
        </Group>
      </section>
    );
  }
  return (
    <section ref={section} className={classes.page} aria-label={quiz.title}>
      <Title order={1}>{quiz.title}</Title>
      <p className={classes.intro}>
        {countOf(questions.length, 'question')}. You need {quiz.pass_percent} % to pass
        {Number.isFinite(left) ? ` and have ${countOf(left, 'try', 'tries')}` : ''}. Every answer is saved at once.
      </p>
      {failed && (
        <p className={topicLook.missing} role="alert">
          <IconAlert size={20} /> {failed}
        </p>
      )}
      <ol className={`${layout.list} ${classes.questions}`}>
        {questions.map((q, i) => (
          <li key={q.id} id={`question-${q.id}`} className={`app-card ${classes.question}`} data-open={(asked && open.includes(q)) || undefined}>
            <h2>
              <span className={classes.number}>
                {i + 1} of {questions.length}
              </span>
              {q.prompt}
            </h2>
            {q.picture && <QuestionPicture picture={q.picture} />}
            <QuestionInput
              question={q}
              answer={answerOf(q.id)}
              disabled={view.attempt.closed || passed}
              onChange={(answer) => change(q.id, q.prompt, answer)}
            />
            {q.kind === 'free_text' && <p className={layout.soft}>{writtenCounts(q)}</p>}
            {asked && open.includes(q) && (
              <p className={classes.open}>
                <IconAlert size={18} /> Not answered yet
              </p>
            )}
          </li>
        ))}
      </ol>
      {asked && open.length > 0 && <p role="alert">{countOf(open.length, 'question is', 'questions are')} not answered. You can still hand in.</p>}
      <Button size="lg" onClick={handIn} disabled={view.attempt.closed}>
        {asked && open.length > 0 ? 'Hand in anyway' : 'Hand in'}
      </Button>
    </section>
  );
};
