import { Button, NativeSelect, Radio, Textarea } from '@mantine/core';
import { Link } from 'react-router-dom';
import { answerFeedback } from '#contract/api/feedback.ts';
import { can } from '#contract/can.ts';
import { answerStates, type FeedbackKind, type FeedbackLine, type FeedbackState, needsWords } from '#contract/entities/feedback.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { feedbackKindWords, feedbackStates, placeWords, problemWords } from '#src/lib/feedback-words.ts';
import { formatDay, formatMoment } from '#src/lib/format.ts';
import { contentOne, isAuthored } from '#src/screens/authoring/content-words.ts';
import classes from '#src/screens/authoring/feedback.module.css';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { Badge } from '#src/ui/badge.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';

const dialog = 'answer-feedback';

/** The editor of the part concerned; null if it belongs to another organisation. */
const editorOf = ({ content, place }: FeedbackLine): string | null => {
  if (!content.editable) return null;
  if (content.designed) return pathTo('content-designer-by-id', { id: content.id });
  if (place?.part?.kind === 'topic') return pathTo('content-creator-topics-update-by-id', { id: place.part.id });
  if (place?.part?.kind === 'quiz') return pathTo('content-creator-quizzes-update-by-id', { id: place.part.id });
  return isAuthored(content.type) ? contentOne(content.type, content.id) : null;
};

/** A delay between writing and arrival from which feedback counts as written offline. */
const lateMs = 5 * 60_000;
const whenWords = ({ at, received_at }: FeedbackLine): string =>
  Date.parse(received_at) - Date.parse(at) > lateMs
    ? `written without a connection on ${formatMoment(at)}, received on ${formatMoment(received_at)}`
    : formatMoment(at);

const choices: Record<FeedbackKind, Partial<Record<FeedbackState, string>>> = {
  rating: {},
  question: { answered: 'Answer it', closed: 'Close it without an answer, with a reason' },
  problem: { looked_at: 'It is being looked at', mended: 'It is mended', no_fault: 'It is not a fault' },
};

const AnswerForm = ({ item, onChange }: { item: FeedbackLine; onChange: (item: FeedbackLine) => void }) => {
  const { version } = item.content;
  const offered = answerStates[item.kind];
  const fields = useForm({
    schema: answerFeedback.body,
    begin: { state: (item.state === 'looked_at' ? 'mended' : offered[0]) as FeedbackState, message: '', mended_in: String(version) },
    toInput: ({ state, message, mended_in }) => ({ state, message, mended_in: state === 'mended' ? Number(mended_in) : null, rev: item.rev }),
    save: (body) => call('POST /learner-feedback/{id}/answers', { params: { id: item.id }, body }, { quiet: true }),
    success: `${item.person.name} is told in a message.`,
    onSaved: (saved) => {
      closeModal(dialog);
      onChange(saved);
    },
    draft: `answer:${item.id}`,
  });
  const { field, values } = fields;
  return (
    <Form form={fields} label="Answer" save="Send">
      <FormSection>
        {item.message && <blockquote className={classes.quote}>{item.message}</blockquote>}
        {offered.length > 1 && (
          <Radio.Group label="What becomes of it" {...field('state')}>
            {offered.map((state) => (
              <Radio key={state} value={state} label={choices[item.kind][state]} mt="xs" />
            ))}
          </Radio.Group>
        )}
        {values.state === 'mended' && (
          <NativeSelect
            label="Mended in"
            {...field('mended_in')}
            data={[
              ...(version > 0 ? [{ value: String(version), label: `Version ${version}, which is taken now` }] : []),
              { value: String(version + 1), label: `Version ${version + 1}, which is not published yet` },
            ]}
          />
        )}
        <Textarea
          label={needsWords(values.state) ? `Your words to ${item.person.name}` : `Your words to ${item.person.name} (optional)`}
          description="They read it in their messages and at the course, without a connection too."
          required={needsWords(values.state)}
          rows={4}
          {...field('message')}
        />
      </FormSection>
    </Form>
  );
};

/** The dialog in which an author answers, one per page. `onClosed` is also called if nothing was sent. */
export const AnswerDialog = ({ onChange }: { onChange: () => void }) => (
  <RegisteredModal<FeedbackLine> name={dialog} title="Answer" scrollable onBeforeClose={onChange}>
    {(item) => <AnswerForm item={item} onChange={onChange} />}
  </RegisteredModal>
);

/** One piece of feedback on a content, for its authors. `of`: it is listed with others’, so name the content. */
export const FeedbackItem = ({ item, named = false }: { item: FeedbackLine; named?: boolean }) => {
  const user = useSession();
  const { kind, state, rating, what, message, place, version, person, content, answers } = item;
  const { words, tone } = feedbackStates[state];
  const editor = editorOf(item);
  return (
    <article className={`app-card ${layout.stack} ${layout.tight} ${classes.item}`} aria-label={`${feedbackKindWords[kind]} of ${person.name}`}>
      <header className={layout.line}>
        <strong>
          {feedbackKindWords[kind]}
          {rating === null ? '' : `, ${rating} of 5`}
        </strong>
        {state !== 'received' && <Badge tone={tone}>{words}</Badge>}
      </header>
      <p className={classes.about}>
        {person.name} · {whenWords(item)}
        {version === null ? '' : ` · version ${version}`}
      </p>
      {named && <p className={classes.about}>{content.title}</p>}
      {place && <p className={classes.about}>{placeWords(place)}</p>}
      {what && <p>{problemWords[what]}</p>}
      {message && <p className={shapes.text}>{message}</p>}
      {answers.map((a) => (
        <div key={a.id} className={`${layout.stack} ${layout.tight} ${classes.answer}`}>
          <p>
            <strong>{a.by?.name}</strong> · {feedbackStates[a.state].words}
            {a.mended_in === null ? '' : ` in version ${a.mended_in}`} · {formatDay(a.at)}
          </p>
          {a.message && <p className={shapes.text}>{a.message}</p>}
        </div>
      ))}
      <div className={layout.tools}>
        {can(user, 'content.update') && (
          <Button variant={state === 'open' ? 'filled' : 'default'} onClick={() => openModal(dialog, item)}>
            {answers.length > 0 ? 'Answer again' : 'Answer'}
          </Button>
        )}
        {editor && kind === 'problem' && (
          <Button variant="default" component={Link} to={editor}>
            Open where it is
          </Button>
        )}
      </div>
    </article>
  );
};
