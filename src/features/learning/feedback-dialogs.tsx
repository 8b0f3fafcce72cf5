import { NativeSelect, Radio, Textarea } from '@mantine/core';
import { useEffect } from 'react';
import { QuestionFields, ProblemFields } from '#contract/commands/feedback-commands.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { problemKinds } from '#contract/entities/feedback.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { placeChoice } from '#contract/rules/feedback-place.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { OwnFeedback } from '#src/features/learning/own-feedback.tsx';
import { type SayDialog, sayDialogs } from '#src/features/learning/say-dialogs.ts';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { problemWords } from '#src/lib/feedback-words.ts';
import { askAboutContent, reportProblem } from '#src/offline/kinds/feedback/commands.ts';
import { savedHere, savedWords } from '#src/screens/saved-here.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';

const Named = () => (
  <p className={layout.soft}>The people who look after courses in your organisation see your name, and can answer you here and in your messages.</p>
);

const Question = ({ document }: { document: ContentDocument }) => {
  const db = usePersonDb();
  const fields = useForm({
    schema: QuestionFields,
    begin: { message: '' },
    toInput: (values) => values,
    save: (values) => savedHere(() => askAboutContent(db, document, values)),
    success: savedWords,
    draft: `question:${document.id}`,
    onSaved: () => fields.restart({ message: '' }),
  });
  return (
    <>
      <Form form={fields} label="Ask a question" save="Ask">
        <FormSection>
          <Textarea label="Your question" required rows={4} maxLength={2000} data-autofocus {...fields.field('message')} />
          <Named />
        </FormSection>
      </Form>
      <OwnFeedback content={document.id} />
    </>
  );
};

/** The questions and activities of a part that can be named: of a quiz, this person's questions in their order. */
const itemsHere = ({ document, attempt, submissions }: AttemptView, part: string) => {
  const place = placeChoice(document, part);
  const quiz = document.quizzes.find((q) => q.id === part);
  if (!place || !quiz) return place?.items ?? [];
  const tries = submissions.filter((s) => s.quiz_id === part).length;
  const ids = [tries + 1, tries].flatMap((tryNo) => (tryNo > 0 ? drawQuestions(quiz, attempt.shown_as ?? attempt.id, tryNo).map((q) => q.id) : []));
  return [...new Set(ids)].flatMap((id) => place.items.find((i) => i.id === id) ?? []);
};

const Problem = ({ view, part }: { view: AttemptView; part: string }) => {
  const db = usePersonDb();
  const { document } = view;
  const place = placeChoice(document, part);
  const items = itemsHere(view, part);
  const fields = useForm({
    schema: ProblemFields,
    begin: { what: '', message: '', item: '' },
    toInput: ({ what, message }) => ({ what: what as (typeof problemKinds)[number], message }),
    save: (values, _changed, { item }) => savedHere(() => reportProblem(db, document, { ...values, part: place ? part : null, item: item || null })),
    success: savedWords,
    draft: `problem:${document.id}:${part}`,
    onSaved: () => closeModal(sayDialogs.problem),
  });
  const { field } = fields;
  return (
    <Form form={fields} label="Report a problem" save="Report">
      <FormSection>
        <p style={{ margin: 0 }}>
          About {place ? `“${place.part.title}” in ` : ''}“{document.title}”.
        </p>
        {place && items.length > 0 && (
          <NativeSelect
            label="Where is it?"
            {...field('item')}
            data={[
              { value: '', label: place.part.kind === 'quiz' ? 'The whole quiz' : 'The page' },
              ...items.map(({ id, kind, title }) => ({
                value: id,
                label: `${kind === 'question' ? 'Question' : 'Activity'}: ${title}`,
              })),
            ]}
          />
        )}
        <Radio.Group label="What is wrong?" required {...field('what')}>
          {problemKinds.map((kind) => (
            <Radio key={kind} value={kind} label={problemWords[kind]} mt="xs" />
          ))}
        </Radio.Group>
        <Textarea label="In your words (optional)" rows={3} maxLength={2000} {...field('message')} />
        <Named />
      </FormSection>
    </Form>
  );
};

type Props = {
  view: AttemptView;
  /** The person's place in the content. */
  part: string;
  /** The dialog to open once this has loaded. */
  first: SayDialog;
};
/** The dialogs in which a learner gives feedback on the present page. */
export const FeedbackDialogs = ({ view, part, first }: Props) => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once, when it has loaded
  useEffect(() => openModal(sayDialogs[first]), []);
  return (
    <>
      <RegisteredModal name={sayDialogs.problem} title="Report a problem" scrollable>
        {() => <Problem key={part} view={view} part={part} />}
      </RegisteredModal>
      <RegisteredModal name={sayDialogs.question} title="Ask about this course" scrollable>
        {() => <Question document={view.document} />}
      </RegisteredModal>
    </>
  );
};
