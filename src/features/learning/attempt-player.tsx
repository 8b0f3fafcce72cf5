import { ActionIcon, Button, Progress, Title } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Quiz, Topic } from '#contract/entities/content.ts';
import { useCan } from '#src/access/use-can.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/attempt.module.css';
import { BlockView } from '#src/features/learning/block-view.tsx';
import { QuizView } from '#src/features/learning/quiz-view.tsx';
import { ResultView } from '#src/features/learning/result-view.tsx';
import type { AttemptView, Saved } from '#src/features/learning/use-attempt.ts';
import { recordProgress } from '#src/offline/commands/attempt.ts';
import { IconAlert, IconCheck, IconChevronLeft, IconChevronRight, IconMenu, IconSend, IconTablet, IconText } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

type Step = { key: string; title: string; lesson: string; topic?: Topic; quiz?: Quiz; child: boolean };

const savedText: Record<Saved, { text: string; icon: typeof IconCheck }> = {
  saved: { text: 'Saved on this tablet', icon: IconTablet },
  sending: { text: 'Sending', icon: IconSend },
  received: { text: 'Received', icon: IconCheck },
  'needs-you': { text: 'Needs you', icon: IconAlert },
};

const stepsOf = (view: AttemptView): Step[] => [
  ...view.document.lessons.flatMap((l) =>
    l.topics.filter((t) => !t.hidden).map((topic) => ({ key: topic.id, title: topic.title, lesson: l.title, topic, child: topic.is_child })),
  ),
  ...view.document.quizzes.map((quiz) => ({ key: quiz.id, title: quiz.title, lesson: 'Quiz', quiz, child: false })),
];

/** Seconds that the page was in front of the person since the last note. */
const useSecondsInFront = () => {
  const since = useRef(performance.now());
  const kept = useRef(0);
  useEffect(() => {
    const change = () => {
      if (document.hidden) kept.current += performance.now() - since.current;
      since.current = performance.now();
    };
    document.addEventListener('visibilitychange', change);
    return () => document.removeEventListener('visibilitychange', change);
  }, []);
  return useCallback(() => {
    const now = performance.now();
    const total = kept.current + (document.hidden ? 0 : now - since.current);
    kept.current = 0;
    since.current = now;
    return total / 1000;
  }, []);
};

const sizes = [1, 1.15, 1.35] as const;

/** The course: contents at the side, one page at a time, back and next always at the thumb. */
export const AttemptPlayer = ({ view }: { view: AttemptView }) => {
  const db = usePersonDb();
  const adminNext = useCan(66);
  const steps = useMemo(() => stepsOf(view), [view]);
  const [query, setQuery] = useSearchParams();
  const [outline, setOutline] = useState(false);
  const [size, setSize] = useState(() => Number(localStorage.getItem('reading-size') ?? 0) % sizes.length);
  const seconds = useSecondsInFront();
  const doneKeys = useMemo(
    () =>
      new Set([
        ...[...view.progress.values()].filter((p) => p.state === 'completed').map((p) => p.topic_id),
        ...view.submissions.filter((s) => s.graded?.passed || s.graded === null).map((s) => s.quiz_id),
      ]),
    [view],
  );
  const required = steps.filter((s) => s.quiz || !s.topic?.skippable);
  const missing = required.filter((s) => !doneKeys.has(s.key)).map(({ key, title }) => ({ key, title }));

  const first = useRef<string | null>(null);
  if (first.current === null) {
    first.current = view.attempt.result
      ? 'result'
      : view.attempt.last_topic_id && steps.some((s) => s.key === view.attempt.last_topic_id) && !doneKeys.has(view.attempt.last_topic_id)
        ? view.attempt.last_topic_id
        : (steps.find((s) => !doneKeys.has(s.key) && (s.quiz || !s.topic?.skippable))?.key ?? 'result');
  }
  const current = query.get('step') ?? first.current;
  const index = steps.findIndex((s) => s.key === current);
  const step = index >= 0 ? steps[index] : undefined;
  const goTo = useCallback(
    (key: string) => {
      setOutline(false);
      setQuery({ step: key });
      window.scrollTo(0, 0);
    },
    [setQuery],
  );

  const { attempt } = view;
  const topic = step?.topic;
  const topicState = topic ? view.progress.get(topic.id)?.state : undefined;
  const note = useCallback(
    async (state: 'started' | 'completed', percent: number) => {
      if (!topic || attempt.closed) return;
      try {
        await recordProgress(db, attempt, topic, state, percent, seconds());
      } catch {
        notify('error', 'This could not be saved on the tablet. It may be full: remove a course that you do not need, then press Next again.');
        throw new Error('not saved');
      }
    },
    [db, attempt, topic, seconds],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each topic that is opened
  useEffect(() => {
    seconds();
    if (topic && (topicState === undefined || topicState === 'none')) void note('started', 0).catch(() => undefined);
  }, [topic?.id]);
  // What was read so far is noted when the person leaves the page in the middle of it.
  useEffect(() => {
    if (!topic || topicState === 'completed') return;
    const leave = () => {
      if (document.hidden) void note('started', readPercent()).catch(() => undefined);
    };
    document.addEventListener('visibilitychange', leave);
    return () => document.removeEventListener('visibilitychange', leave);
  }, [topic, topicState, note]);

  const next = async () => {
    if (topic && topicState !== 'completed') {
      try {
        await note('completed', 100);
      } catch {
        return;
      }
    }
    goTo(steps[index + 1]?.key ?? 'result');
  };
  const saved = savedText[view.saved];
  const SavedIcon = saved.icon;
  const lessons = [...new Set(steps.map((s) => s.lesson))];
  const canPass = !step?.quiz || doneKeys.has(step.key) || view.submissions.some((s) => s.quiz_id === step.key) || adminNext;

  return (
    <div className={classes.player} style={{ '--reading': sizes[size] } as React.CSSProperties}>
      <header className={classes.top}>
        <div className={classes.courseName}>
          <Link to="/" className={classes.back} aria-label="Back to my courses">
            <IconChevronLeft />
          </Link>
          <span>{view.document.title}</span>
        </div>
        <span className={classes.saved} data-state={view.saved} role="status" aria-live="polite">
          <SavedIcon size={18} />
          {saved.text}
        </span>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Larger or smaller text"
          onClick={() => {
            const to = (size + 1) % sizes.length;
            setSize(to);
            localStorage.setItem('reading-size', String(to));
          }}
        >
          <IconText />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.outlineButton}
          aria-label="Contents of the course"
          aria-expanded={outline}
          onClick={() => setOutline(!outline)}
        >
          <IconMenu />
        </ActionIcon>
        <Progress className={classes.courseProgress} value={view.percent} size="sm" aria-label={`Course progress ${view.percent} %`} />
      </header>
      <nav className={classes.outline} data-open={outline || undefined} aria-label="Contents of the course">
        {lessons.map((lesson) => (
          <section key={lesson}>
            <h2>{lesson}</h2>
            <ol>
              {steps
                .filter((s) => s.lesson === lesson)
                .map((s) => (
                  <li key={s.key}>
                    <button
                      type="button"
                      onClick={() => goTo(s.key)}
                      aria-current={s.key === current ? 'step' : undefined}
                      data-child={s.child || undefined}
                    >
                      <span className={classes.tick} data-done={doneKeys.has(s.key) || undefined}>
                        {doneKeys.has(s.key) && <IconCheck size={16} />}
                      </span>
                      <span>{s.title}</span>
                      {doneKeys.has(s.key) && <span className="visually-hidden">, done</span>}
                    </button>
                  </li>
                ))}
            </ol>
          </section>
        ))}
        <section>
          <h2>Result</h2>
          <ol>
            <li>
              <button type="button" onClick={() => goTo('result')} aria-current={current === 'result' ? 'step' : undefined}>
                <span className={classes.tick} data-done={attempt.result !== null || undefined}>
                  {attempt.result && <IconCheck size={16} />}
                </span>
                <span>{view.percent} % done</span>
              </button>
            </li>
          </ol>
        </section>
      </nav>
      <article className={classes.content}>
        {attempt.closed && (
          <p className={classes.missing} role="status">
            <IconAlert size={20} /> This try is closed: a newer one was started. You can look, but not change it. <Link to="/">Go to my courses</Link>
          </p>
        )}
        {topic && (
          <div className={classes.page}>
            <p className={classes.kicker}>{step?.lesson}</p>
            <Title order={1}>{topic.title}</Title>
            {topic.blocks.map((block, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a topic does not change its order
              <BlockView key={`${topic.id}:${i}`} block={block} />
            ))}
          </div>
        )}
        {step?.quiz && <QuizView key={step.key} view={view} quiz={step.quiz} onDone={() => void next()} />}
        {!step && <ResultView view={view} missing={missing} onGoTo={goTo} />}
      </article>
      {step && (
        <footer className={classes.bottom}>
          <Button
            variant="default"
            leftSection={<IconChevronLeft size={20} />}
            disabled={index <= 0}
            onClick={() => goTo(steps[index - 1]?.key ?? 'result')}
          >
            Back
          </Button>
          <span className={classes.place}>
            {index + 1} of {steps.length}
          </span>
          {topic?.skippable && topicState !== 'completed' && (
            <Button variant="subtle" onClick={() => goTo(steps[index + 1]?.key ?? 'result')}>
              Skip
            </Button>
          )}
          <Button rightSection={<IconChevronRight size={20} />} onClick={() => void next()} disabled={!canPass}>
            Next
          </Button>
        </footer>
      )}
    </div>
  );
};

/** How far the page has been scrolled, 0 to 99; reading to the end is not yet completing. */
const readPercent = () => {
  const height = document.documentElement.scrollHeight - innerHeight;
  return height <= 0 ? 0 : Math.min(99, Math.round((scrollY * 100) / height));
};
