import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ActionIcon, Button, Checkbox, NumberInput } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Content } from '#contract/entities/authored-content.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { AddPart } from '#src/features/content-creator/add-part.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { OrderList } from '#src/screens/authoring/order-list.tsx';
import { bodyOf, usePartActions } from '#src/features/content-creator/part-actions.ts';
import { TopicFlags } from '#src/features/content-creator/topic-flags.tsx';
import { countOf } from '#src/lib/format.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useUnsaved } from '#src/screens/unsaved.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconBook, IconClose, IconHelp } from '#src/ui/icons.tsx';
import { Section } from '#src/ui/section.tsx';
import { EmptyState } from '#src/ui/states.tsx';

type Props = { content: Content; onChange: (content: Content) => void };
type Lesson = Content['lessons'][number];
type Quiz = Content['quizzes'][number];
const titleOf = ({ title }: { title: string }) => title;

/** Reorders, adds and removes the topics of a lesson, without leaving the content. */
const LessonTopics = ({ lesson, content, onChange }: Props & { lesson: Lesson }) => {
  const topics = usePartActions(
    async (change) => {
      const answer = await call('POST /lessons/{lessonId}/topics', { params: { lessonId: lesson.id }, body: bodyOf(change, 'topic_id') });
      return answer.kind === 'ok' ? call('GET /content/{id}', { params: { id: content.id } }) : answer;
    },
    { add: texts.topicAdded, remove: texts.topicRemoved, order: texts.topicReordered },
    onChange,
  );
  return (
    <>
      {lesson.topics.length > 0 && (
        <OrderList
          label={`Topics of ${lesson.title} in their order`}
          items={topics.ordered(lesson.topics)}
          nameOf={titleOf}
          onMove={(items) => topics.order(items.map(({ id }) => id))}
        >
          {(topic) => (
            <div className={`${layout.line} ${classes.partHead}`} data-child={topic.is_child || undefined}>
              <Link to={pathTo('content-creator-topics-update-by-id', { id: topic.id })} className={classes.partTitle}>
                {topic.title}
              </Link>
              <TopicFlags topic={topic} />
              <ActionIcon variant="subtle" aria-label={`Remove “${topic.title}” from this lesson`} onClick={() => topics.remove(topic.id)}>
                <IconClose size={20} />
              </ActionIcon>
            </div>
          )}
        </OrderList>
      )}
      <AddPart kind="topics" to={lesson.id} present={lesson.topics.map(({ id }) => id)} busy={topics.busy} onAdd={topics.add} />
    </>
  );
};

/** Whether a lesson or quiz is required to complete the content. */
const Counts = ({ content, part, onChange }: Props & { part: { id: string; title: string } }) => {
  const counts = !content.uncounted.includes(part.id);
  const action = useAction(
    async () => {
      const uncounted = counts ? [...content.uncounted, part.id] : content.uncounted.filter((id) => id !== part.id);
      const answer = await call('PATCH /content/{id}', { params: { id: content.id }, body: { rev: content.rev, uncounted } });
      if (answer.kind !== 'refused' || answer.error.code !== 'rev_mismatch') return answer;
      onChange(answer.error.current as Content);
      return { kind: 'failed' as const, errors: { whole: 'This was changed in the meantime. What you see now is how it is: choose again.' } };
    },
    { success: texts.successfullyUpdated, onDone: onChange },
  );
  return (
    <Checkbox
      label="Needed to complete it"
      aria-label={`Needed to complete it: ${part.title}`}
      checked={counts}
      disabled={action.busy}
      onChange={() => void action.run()}
    />
  );
};

const LessonRow = ({ lesson, content, onChange, onRemove }: Props & { lesson: Lesson; onRemove: () => void }) => {
  const [changing, setChanging] = useState(false);
  const change = changing ? 'Done' : lesson.topics.length > 0 ? 'Change its topics' : 'Add what people read';
  return (
    <>
      <div className={`${layout.line} ${classes.partHead}`}>
        <Link to={pathTo('content-creator-lessons-update-by-id', { id: lesson.id })} className={classes.partTitle}>
          {lesson.title}
        </Link>
        {!lesson.published && <Badge tone="warning">Draft</Badge>}
        <ActionIcon variant="subtle" aria-label={`Remove “${lesson.title}” from this e-learning`} onClick={onRemove}>
          <IconClose size={20} />
        </ActionIcon>
      </div>
      {changing ? (
        <LessonTopics lesson={lesson} content={content} onChange={onChange} />
      ) : lesson.topics.length > 0 ? (
        <ol className={`${layout.stack} ${layout.tight} ${classes.topics}`} aria-label={`Topics of ${lesson.title}`}>
          {lesson.topics.map((topic) => (
            <li key={topic.id} data-child={topic.is_child || undefined}>
              <Link to={pathTo('content-creator-topics-update-by-id', { id: topic.id })}>{topic.title}</Link>
              <TopicFlags topic={topic} />
            </li>
          ))}
        </ol>
      ) : (
        <p className={shapes.muted}>No topics yet.</p>
      )}
      {lesson.published && <Counts content={content} part={lesson} onChange={onChange} />}
      {lesson.editable && (
        <Button
          variant="subtle"
          className={classes.changeTopics}
          aria-label={`${change}: ${lesson.title}`}
          aria-expanded={changing}
          onClick={() => setChanging(!changing)}
        >
          {change}
        </Button>
      )}
    </>
  );
};

const QuizRow = ({ quiz, content, onChange, onRemove }: Props & { quiz: Quiz; onRemove: () => void }) => {
  const [quantity, setQuantity] = useState<string | number>(quiz.question_qty);
  const [problem, setProblem] = useState<string | null>(null);
  const change = useAction(
    async (question_qty: number) => {
      const answer = await call('POST /quizzes/{quizId}/content/{contentId}', {
        params: { quizId: quiz.id, contentId: content.id },
        body: { question_qty },
      });
      return answer.kind === 'ok' ? call('GET /content/{id}', { params: { id: content.id } }) : answer;
    },
    {
      success: texts.successfullyUpdated,
      onDone: (saved) => {
        setProblem(null);
        onChange(saved);
      },
      onFailed: (errors) => setProblem(errors.question_qty ?? 'This number is not saved yet.'),
    },
  );
  const { question_qty: drawn, question_count: all } = quiz;
  const wanted = Math.min(Number(quantity), all);
  useUnsaved(useId(), wanted !== drawn);
  // Like the box below, it is saved by itself: when the field is left, or with Enter.
  const save = () => {
    if (wanted !== drawn) void change.run(wanted);
  };
  return (
    <>
      <div className={`${layout.line} ${classes.partHead}`}>
        <Link to={pathTo('content-creator-quizzes-update-by-id', { id: quiz.id })} className={classes.partTitle}>
          {quiz.title}
        </Link>
        {!quiz.published && <Badge tone="warning">Draft</Badge>}
        <ActionIcon variant="subtle" aria-label={`Remove “${quiz.title}” from this e-learning`} onClick={onRemove}>
          <IconClose size={20} />
        </ActionIcon>
      </div>
      {all === 0 ? (
        <p className={shapes.muted}>
          No questions yet. <Link to={pathTo('content-creator-quizzes-update-by-id', { id: quiz.id })}>Write them</Link>
        </p>
      ) : (
        <div className={`${layout.line} ${classes.quantity}`}>
          <span>{drawn > 0 && drawn < all ? `Asks ${drawn} of ${countOf(all, 'question')}` : `Asks all of its ${countOf(all, 'question')}`}</span>
          <NumberInput
            label={
              <>
                Questions asked <span className="visually-hidden">by “{quiz.title}”</span>
              </>
            }
            description="0: all of them."
            min={0}
            max={all}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            value={quantity}
            onChange={setQuantity}
            onBlur={save}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save();
            }}
            readOnly={change.busy}
            error={problem}
          />
          {problem && (
            <Button variant="default" loading={change.busy} onClick={save}>
              Try again
            </Button>
          )}
        </div>
      )}
      {quiz.published && <Counts content={content} part={quiz} onChange={onChange} />}
    </>
  );
};

/** The structure of an e-learning content: its lessons with their topics, and its quizzes, in order. */
export const Structure = ({ content, onChange }: Props) => {
  const params = { contentId: content.id };
  const lessons = usePartActions(
    (change) =>
      call('POST /content/{contentId}/lessons', {
        params,
        body: bodyOf(change, 'lesson_id'),
      }),
    { add: texts.lessonAdded, remove: texts.lessonRemoved, order: texts.lessonReordered },
    onChange,
  );
  const quizzes = usePartActions(
    (change) =>
      call('POST /content/{contentId}/quizzes', {
        params,
        body: bodyOf(change, 'quiz_id'),
      }),
    { add: texts.quizAdded, remove: texts.quizRemoved, order: texts.quizReordered },
    onChange,
  );
  return (
    <>
      <Section title="When it is complete">
        <p className={classes.completion}>{content.complete_when}</p>
        <p className={shapes.muted}>
          Choose at each lesson and quiz whether it counts. Pass mark and tries are the quiz’s own; a topic that can be skipped says so itself. What
          you change counts for people who begin after you have published it.
        </p>
      </Section>
      <Section title="Lessons">
        {content.lessons.length === 0 ? (
          <EmptyState icon={<IconBook size={36} />} title="No lessons yet">
            A lesson holds topics: the pages that people read. Begin with one.
          </EmptyState>
        ) : (
          <OrderList
            label="Lessons in their order"
            items={lessons.ordered(content.lessons)}
            nameOf={titleOf}
            onMove={(items) => lessons.order(items.map(({ id }) => id))}
          >
            {(lesson) => <LessonRow lesson={lesson} content={content} onChange={onChange} onRemove={() => lessons.remove(lesson.id)} />}
          </OrderList>
        )}
        <AddPart kind="lessons" to={content.id} present={content.lessons.map(({ id }) => id)} busy={lessons.busy} onAdd={lessons.add} />
      </Section>
      <Section title="Quizzes">
        {content.quizzes.length === 0 ? (
          <EmptyState icon={<IconHelp size={36} />} title="No quiz yet">
            A quiz at the end shows what people have understood. Without one the course is completed by reading it.
          </EmptyState>
        ) : (
          <OrderList
            label="Quizzes in their order"
            items={quizzes.ordered(content.quizzes)}
            nameOf={titleOf}
            onMove={(items) => quizzes.order(items.map(({ id }) => id))}
          >
            {(quiz) => (
              <QuizRow
                key={`${quiz.id} ${quiz.question_qty}`}
                quiz={quiz}
                content={content}
                onChange={onChange}
                onRemove={() => quizzes.remove(quiz.id)}
              />
            )}
          </OrderList>
        )}
        <AddPart kind="quizzes" to={content.id} present={content.quizzes.map(({ id }) => id)} busy={quizzes.busy} onAdd={quizzes.add} />
      </Section>
    </>
  );
};
