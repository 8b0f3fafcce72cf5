import { Button, Title } from '@mantine/core';
import { Fragment, useCallback, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { H5pBlock, Quiz, Topic } from '#contract/entities/content.ts';
import { countedQuizzes, requiredTopics } from '#contract/rules/completion.ts';
import { activitiesOf, isActivityDone } from '#contract/rules/h5p-facts.ts';
import { useCan } from '#src/access/use-can.ts';
import classes from '#src/features/learning/attempt.module.css';
import topicLook from '#src/screens/block-view.module.css';
import { BlockView } from '#src/screens/block-view.tsx';
import { PlayerFrame, type PlayerStep } from '#src/features/learning/player-frame.tsx';
import { QuizView } from '#src/features/learning/quiz-view.tsx';
import { ResultView } from '#src/features/learning/result-view.tsx';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { useReading } from '#src/features/learning/use-reading.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { IconChevronLeft, IconChevronRight } from '#src/ui/icons.tsx';
import { LoadingState } from '#src/ui/states.tsx';

/** Loaded on demand, because most topics have no activity. */
const H5pActivity = loadedLater(() => import('#src/features/learning/h5p-activity.tsx').then((m) => m.H5pActivity));
const ActivityView = (props: { view: AttemptView; block: H5pBlock }) => (
  <H5pActivity {...props} meanwhile={<LoadingState rows={2} label="Loading the activity" />} />
);

/** Nor a practice question. */
const LaterQuestion = loadedLater(() => import('#src/features/learning/topic-question.tsx').then((m) => m.TopicQuestion));

type Step = PlayerStep & { lesson: string; topic?: Topic; quiz?: Quiz };

const stepsOf = ({ document }: AttemptView): Step[] => {
  const required = new Set([...requiredTopics(document), ...countedQuizzes(document)].map((part) => part.id));
  return [
    ...document.lessons.flatMap((l) =>
      l.topics
        .filter((t) => !t.hidden)
        .map((topic) => ({ key: topic.id, title: topic.title, lesson: l.title, topic, child: topic.is_child, optional: !required.has(topic.id) })),
    ),
    ...document.quizzes.map((quiz) => ({
      ...{ key: quiz.id, title: quiz.title, lesson: 'Quiz', quiz, child: false },
      optional: !required.has(quiz.id),
    })),
  ];
};

/** The activities of a topic that have not reached their goal. */
const openActivities = (view: AttemptView, topic: Topic) => activitiesOf(topic).filter((a) => !isActivityDone(a, view.h5p.get(a.item_id)));

/** Plays an e-learning course: contents at the side, one page at a time, Back and Next within reach of the thumb. */
export const AttemptPlayer = ({ view }: { view: AttemptView }) => {
  const adminNext = useCan('course.next_admin');
  const steps = useMemo(() => stepsOf(view), [view]);
  const [query, setQuery] = useSearchParams();
  const doneKeys = useMemo(
    () =>
      new Set([
        ...steps
          .filter((s) => s.topic && view.progress.get(s.key)?.state === 'completed' && openActivities(view, s.topic).length === 0)
          .map((s) => s.key),
        ...view.submissions.filter((s) => s.graded?.passed || s.graded === null).map((s) => s.quiz_id),
      ]),
    [view, steps],
  );
  const required = steps.filter((s) => !s.optional);
  const missing = required.filter((s) => !doneKeys.has(s.key)).map(({ key, title }) => ({ key, title }));

  const first = useRef<string | null>(null);
  if (first.current === null) {
    first.current = view.attempt.result
      ? 'result'
      : view.attempt.last_topic_id && steps.some((s) => s.key === view.attempt.last_topic_id) && !doneKeys.has(view.attempt.last_topic_id)
        ? view.attempt.last_topic_id
        : (required.find((s) => !doneKeys.has(s.key))?.key ?? 'result');
  }
  const current = query.get('step') ?? first.current;
  const index = steps.findIndex((s) => s.key === current);
  const step = index >= 0 ? steps[index] : undefined;
  const goTo = useCallback(
    (key: string) => {
      setQuery({ step: key });
      window.scrollTo(0, 0);
    },
    [setQuery],
  );

  const topic = step?.topic;
  const topicState = topic ? view.progress.get(topic.id)?.state : undefined;
  const note = useReading(view, topic);

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
  const lessons = [...new Set(steps.map((s) => s.lesson))];
  const canPass = step?.topic
    ? step.optional || adminNext || openActivities(view, step.topic).length === 0
    : !step?.quiz || step.optional || doneKeys.has(step.key) || view.submissions.some((s) => s.quiz_id === step.key) || adminNext;

  return (
    <PlayerFrame
      view={view}
      sections={lessons.map((lesson) => ({ title: lesson, steps: steps.filter((s) => s.lesson === lesson) }))}
      doneKeys={doneKeys}
      current={current}
      onGoTo={goTo}
      footer={
        step && (
          <>
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
            {step.optional && !doneKeys.has(step.key) && (
              <Button variant="subtle" onClick={() => goTo(steps[index + 1]?.key ?? 'result')}>
                Skip
              </Button>
            )}
            <Button rightSection={<IconChevronRight size={20} />} onClick={() => void next()} disabled={!canPass}>
              Next
            </Button>
          </>
        )
      }
    >
      {topic && (
        <div className={`${classes.page} ${topicLook.topic}`}>
          <p className={classes.kicker}>{step?.lesson}</p>
          <Title order={1}>{topic.title}</Title>
          {topic.blocks.map((block, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a topic does not change its order
            <Fragment key={`${topic.id}:${i}`}>
              {block.kind === 'h5p' ? (
                <ActivityView view={view} block={block} />
              ) : block.kind === 'question' ? (
                <LaterQuestion view={view} topic={topic.id} block={block} meanwhile={<LoadingState rows={2} label="Loading the question" />} />
              ) : (
                <BlockView block={block} />
              )}
            </Fragment>
          ))}
        </div>
      )}
      {step?.quiz && <QuizView key={step.key} view={view} quiz={step.quiz} onDone={() => void next()} />}
      {!step && <ResultView view={view} missing={missing} onGoTo={goTo} />}
    </PlayerFrame>
  );
};
