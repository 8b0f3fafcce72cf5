import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import type * as z from 'zod/mini';
import { Button, Checkbox, Menu, NumberInput, TextInput } from '@mantine/core';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { createQuiz } from '#contract/api/content-parts.ts';
import { partLimits } from '#contract/entities/authored-parts.ts';
import { questionKinds } from '#contract/entities/authored-question.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { type Authored, type AuthoredForm, type AuthoredPage, authoredPages } from '#src/features/content-creator/authored-pages.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { OrderList } from '#src/screens/authoring/order-list.tsx';
import { PublishedBadge } from '#src/screens/authoring/published-column.tsx';
import { bankDialog, QuestionBank } from '#src/features/content-creator/question-bank.tsx';
import {
  copyOf,
  draftOf,
  emptyQuestion,
  errorsWithin,
  inputOf,
  type Kind,
  kindWords,
  type QuestionDraft,
} from '#src/screens/authoring/question-draft.ts';
import { QuestionEditor } from '#src/screens/authoring/question-editor.tsx';
import { ImportIntoQuiz, importDialog } from '#src/features/content-creator/question-import-dialogs.tsx';
import { previewDialog, QuizPreview } from '#src/features/content-creator/quiz-preview.tsx';
import { ConflictSection } from '#src/screens/revised.tsx';
import { sidesOf } from '#src/screens/authoring/sides.ts';
import { QuizStatistics } from '#src/features/content-creator/quiz-statistics.tsx';
import { titlesOf } from '#src/screens/authoring/uses-words.ts';
import { TitleLinks } from '#src/features/content-creator/title-links.tsx';
import { countOf } from '#src/lib/format.ts';
import { DetailPage } from '#src/screens/detail-page.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { Badge } from '#src/ui/badge.tsx';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import formClasses from '#src/ui/form.module.css';
import { IconDown, IconHelp, IconUp } from '#src/ui/icons.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';
import { Section } from '#src/ui/section.tsx';
import { EmptyState } from '#src/ui/states.tsx';

type Quiz = Authored<'/quizzes'>;
/** Keeps the keys of saved questions, so that open ones stay open. */
const valuesOf = (quiz: Quiz | null, before: readonly QuestionDraft[] = []) => ({
  title: quiz?.title ?? '',
  published: quiz?.published ?? true,
  is_randomized: quiz?.is_randomized ?? false,
  pass_percent: (quiz?.pass_percent ?? 80) as number | string,
  max_tries: (quiz?.max_tries ?? 0) as number | string,
  questions: (quiz?.questions ?? []).map((q, i) => draftOf(q, before.length === quiz?.questions.length ? before[i]?.key : undefined)),
});
type Values = ReturnType<typeof valuesOf>;
const numberIn = (typed: number | string) => (typed === '' ? undefined : Number(typed));
const toInput = ({ questions, pass_percent, max_tries, ...typed }: Values) => ({
  ...{ ...typed, pass_percent: numberIn(pass_percent), max_tries: numberIn(max_tries) ?? 0 },
  questions: questions.map(inputOf) as z.input<typeof createQuiz.body>['questions'],
});
/** The differences between two versions of a quiz, without the keys of questions, which exist only on this page. */
const differing = (mine: Values, theirs: Quiz) => {
  const bare = (values: Values) => ({ ...values, questions: values.questions.map(inputOf) as { prompt: string }[] });
  return sidesOf(
    {
      ...{ title: ['Title'], published: ['Published'], is_randomized: ['Random order'], pass_percent: ['Pass mark'], max_tries: ['Tries'] },
      questions: ['Questions', (quizQuestions) => quizQuestions.map(({ prompt }, i) => `${i + 1}. ${prompt}`).join(' / ')],
    },
    bare(mine),
    bare(valuesOf(theirs)),
  );
};

type LineProps = {
  question: QuestionDraft;
  index: number;
  open: boolean;
  errors: Partial<Record<string, string>>;
  onToggle: (key: string) => void;
  onChange: (index: number, question: QuestionDraft, parted?: boolean) => void;
  onCopy: (index: number) => void;
  onDelete: (index: number) => void;
};
const sameErrors = (a: LineProps['errors'], b: LineProps['errors']) => JSON.stringify(a) === JSON.stringify(b);
const menuReturnsMs = 40;
/** One question: a line that expands to its editor. */
const QuestionLine = memo(
  ({ question, index, open, errors, onToggle, onChange, onCopy, onDelete }: LineProps) => {
    const body = useRef<HTMLDivElement>(null);
    const wrong = Object.keys(errors).length;
    const blank = question.prompt === '';
    // A new question is expanded.
    // biome-ignore lint/correctness/useExhaustiveDependencies: when it is expanded, not while it is edited
    useEffect(() => {
      if (!open || !blank) return;
      // A menu that closes first returns the focus to its button.
      const timer = setTimeout(() => body.current?.querySelector('textarea')?.focus(), menuReturnsMs);
      return () => clearTimeout(timer);
    }, [open]);
    return (
      <>
        <button type="button" className={`${shapes.press} ${classes.questionHead}`} aria-expanded={open} onClick={() => onToggle(question.key)}>
          <span>
            {index + 1}. {question.prompt || 'New question'}
            <small>{kindWords[question.kind].label}</small>
          </span>
          {wrong > 0 && <Badge tone="danger">{countOf(wrong, 'problem')}</Badge>}
          {open ? <IconUp size={20} /> : <IconDown size={20} />}
        </button>
        {open && (
          <div ref={body} data-part={`Question ${index + 1}`} className={layout.stack}>
            <QuestionEditor question={question} index={index} errors={errors} onChange={(next, parted) => onChange(index, next, parted)} />
            <div className={layout.tools}>
              <Button variant="default" onClick={() => onCopy(index)}>
                Duplicate question {index + 1}
              </Button>
              <DeleteButton label={`Delete question ${index + 1} …`} question="Delete it from this quiz?" onDelete={() => onDelete(index)} />
            </div>
          </div>
        )}
      </>
    );
  },
  (a, b) => a.question === b.question && a.index === b.index && a.open === b.open && sameErrors(a.errors, b.errors),
);

/** A quiz: its settings, and its questions, each of which expands to its editor. */
const QuizForm = ({ thing, save, success, onSaved, conflict, draft: kept, more }: AuthoredForm<'/quizzes'>) => {
  const fields = useForm({
    schema: createQuiz.body,
    begin: () => valuesOf(thing),
    toInput,
    save,
    success,
    inParts: ['questions'],
    draft: { name: `quiz-${thing?.id ?? 'new'}`, ...kept },
    onSaved: (saved) => {
      fields.goOn(valuesOf(saved, latest.current.questions));
      onSaved(saved);
    },
  });
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { field, checkbox, values, set, forget, errors } = fields;
  const { questions } = values;
  // Lines do not re-render while another one is edited: they call the current functions through a ref.
  const latest = useRef({ questions, values, set, forget });
  latest.current = { questions, values, set, forget };
  const show = useCallback((key: string, open?: boolean) => {
    setOpened((before) => {
      const next = new Set(before);
      if (open ?? !before.has(key)) next.add(key);
      else next.delete(key);
      return next;
    });
  }, []);
  const put = (next: QuestionDraft[]) => {
    latest.current.set('questions', next);
    latest.current.forget('questions');
  };
  const onChange = useCallback((index: number, question: QuestionDraft, parted = false) => {
    const { questions: all, set: setTo, forget: drop } = latest.current;
    const before = all[index];
    // Deleted or moved since, while its picture was uploading.
    if (before?.key !== question.key) return;
    setTo(
      'questions',
      all.map((q, i) => (i === index ? question : q)),
    );
    const start = `questions.${index}`;
    if (parted) drop(start);
    else
      for (const name of Object.keys(question) as (keyof QuestionDraft)[])
        if (before?.[name] !== question[name]) drop(`${start}.${name === 'text' ? 'segments' : name}`);
  }, []);
  const insert = (question: QuestionDraft, at = latest.current.questions.length) => {
    put(latest.current.questions.toSpliced(at, 0, question));
    show(question.key, true);
  };
  const reorder = useAction((ids: string[]) => call('POST /questions/changeOrder', { body: { quiz_id: thing?.id ?? '', questions: ids } }), {
    success: texts.questionReordered,
    onDone: (saved) => {
      // What was typed while saving stays.
      if (latest.current.questions.every((q, i) => q.id === saved.questions[i]?.id))
        fields.restart(valuesOf(saved, latest.current.questions), latest.current.values);
      onSaved(saved);
    },
  });
  const onMove = (next: QuestionDraft[]) => {
    const clean = !fields.dirty && thing !== null && next.every(({ id }) => id !== undefined);
    put(next);
    // If nothing else is unsaved, the order is saved immediately; otherwise with the rest.
    if (clean) void reorder.run(next.map(({ id }) => id as string));
  };
  const full = questions.length >= partLimits.questions;
  return (
    <>
      <Form
        form={{ ...fields, busy: fields.busy || reorder.busy }}
        beside={conflict ? null : more}
        save={conflict ? false : thing ? 'Save' : 'Save and continue'}
      >
        {conflict && <ConflictSection conflict={conflict} busy={fields.busy} sides={differing(values, conflict.theirs)} />}
        <FormSection title="The quiz" wide>
          <TextInput label="Title" required {...field('title')} />
          <div className={formClasses.pair}>
            <NumberInput
              label="Pass mark, in percent"
              description="Of the questions that are asked."
              min={0}
              max={100}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              required
              {...field('pass_percent')}
            />
            <NumberInput
              label="How many tries people have"
              description="0: as many as they like."
              min={0}
              max={100}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              {...field('max_tries')}
            />
          </div>
          <Checkbox label="Ask in random order" description="Answers are mixed as well." {...checkbox('is_randomized')} />
          <Checkbox
            label="Published"
            description="Contents that use it ask it when they are next published. They leave out a draft."
            {...checkbox('published')}
          />
        </FormSection>
        <FormSection title="Questions" wide data-field="questions">
          {questions.length === 0 ? (
            <EmptyState icon={<IconHelp size={36} />} title="No questions yet">
              Add one of seven kinds, or take some from your other quizzes or a file.
            </EmptyState>
          ) : (
            <OrderList
              label="Questions in their order"
              items={questions.map((q) => ({ ...q, id: q.key, draft: q }))}
              nameOf={({ prompt }, i) => prompt || `Question ${i + 1}`}
              onMove={(items) => onMove(items.map(({ draft }) => draft))}
              busy={reorder.busy}
            >
              {({ draft }, i) => {
                const wrong = errorsWithin(errors, i);
                return (
                  <QuestionLine
                    question={draft}
                    index={i}
                    open={opened.has(draft.key) || Object.keys(wrong).length > 0}
                    errors={wrong}
                    onToggle={show}
                    onChange={onChange}
                    onCopy={(at) => insert(copyOf(latest.current.questions[at] as QuestionDraft), at + 1)}
                    onDelete={(at) => put(latest.current.questions.toSpliced(at, 1))}
                  />
                );
              }}
            </OrderList>
          )}
          {errors.questions && (
            <p className={classes.wrong} role="alert">
              {errors.questions}
            </p>
          )}
          <div className={layout.tools}>
            <Menu position="bottom-start" withinPortal>
              <Menu.Target>
                <Button disabled={full}>Add a question</Button>
              </Menu.Target>
              <Menu.Dropdown>
                {questionKinds.map((kind: Kind) => (
                  <Menu.Item key={kind} onClick={() => insert(emptyQuestion(kind))}>
                    {kindWords[kind].label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
            <Button variant="default" disabled={full} onClick={() => openModal(bankDialog)}>
              From the question bank …
            </Button>
            <Button variant="default" disabled={full} onClick={() => openModal(importDialog)}>
              From a file …
            </Button>
            {questions.length > 0 && (
              <Button variant="default" onClick={() => openModal(previewDialog)}>
                As learners see it …
              </Button>
            )}
          </div>
        </FormSection>
      </Form>
      <QuestionBank quiz={thing?.id} onAdd={(question) => put([...latest.current.questions, copyOf(draftOf(question))])} />
      <ImportIntoQuiz
        room={partLimits.questions - questions.length}
        onTake={(taken) => put([...latest.current.questions, ...taken.map((q) => copyOf(draftOf(q)))])}
      />
      <QuizPreview title={values.title} is_randomized={values.is_randomized} pass_percent={Number(values.pass_percent) || 0} questions={questions} />
    </>
  );
};

/** A quiz: its form with its questions, where it is used, and its statistics. */
const QuizPage = ({ thing: quiz, form, others }: AuthoredPage<'/quizzes'>) => (
  <DetailPage
    title={quiz.title}
    note={others}
    badge={<PublishedBadge published={quiz.published} />}
    about={[quiz.entity.name, countOf(quiz.question_count, 'question')]}
    tabs={[
      {
        ...{ id: 'questions', label: 'Questions', content: form },
        aside: (
          <Section title="Asked in">
            {quiz.used_in.length > 0 ? (
              <>
                <TitleLinks things={quiz.used_in} to="content-creator-content-elearning-update-by-id" />
                <p className={shapes.muted}>They show a change when they are next published.</p>
              </>
            ) : (
              <p className={shapes.muted}>No e-learning asks it yet.</p>
            )}
          </Section>
        ),
      },
      { id: 'statistics', label: 'Statistics', content: <QuizStatistics id={quiz.id} /> },
    ]}
  />
);

export const { Create, Update } = authoredPages('/quizzes', {
  list: pathTo('content-creator-quizzes'),
  one: (id) => pathTo('content-creator-quizzes-update-by-id', { id }),
  needs: { add: 'content.create', change: 'content.update' },
  words: {
    ...{ add: 'Make a quiz', heading: 'Quiz', one: 'a quiz', name: 'quiz' },
    question: ({ used_in }) =>
      used_in.length > 0
        ? `It is asked in ${titlesOf(used_in)}: it will be removed there. Published versions keep it. Delete it?`
        : 'No e-learning asks it. Delete it with its questions?',
  },
  said: { created: texts.quizCreated, updated: texts.quizUpdated, deleted: texts.quizDeleted },
  changes: (fields) => fields,
  refusal: ({ editable, entity }) => (editable ? null : { why: `${entity.name} made this quiz, and only they can change it.` }),
  Form: QuizForm,
  Page: QuizPage,
});
