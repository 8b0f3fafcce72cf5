import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ActionIcon, Button, Checkbox, NativeSelect, NumberInput, Radio, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import type { Picture } from '#contract/entities/content.ts';
import { questionKinds } from '#contract/entities/authored-question.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { gapSegments, withGap } from '#src/screens/authoring/gap-text.ts';
import { AddPicture, PictureFields } from '#src/screens/authoring/picture-field.tsx';
import { OrderList } from '#src/screens/authoring/order-list.tsx';
import { type Kind, kindWords, newId, type QuestionDraft, withText } from '#src/screens/authoring/question-draft.ts';
import { countOf } from '#src/lib/format.ts';
import { IconClose } from '#src/ui/icons.tsx';

const most = 20;
type Errors = Partial<Record<string, string>>;
type Props = {
  question: QuestionDraft;
  index: number;
  /** Its errors, by the path within it. */
  errors: Errors;
  /** `parted`: parts were added, removed or moved, so their errors no longer apply. */
  onChange: (question: QuestionDraft, parted?: boolean) => void;
};
type PartProps = Props & { at: (path: string) => { 'data-field': string; error: string | undefined } };

const Remove = ({ name, onClick, disabled }: { name: string; onClick: () => void; disabled: boolean }) => (
  <ActionIcon variant="subtle" aria-label={`Remove ${name}`} onClick={onClick} disabled={disabled}>
    <IconClose size={20} />
  </ActionIcon>
);
const Wrong = ({ field, children }: { field: string; children: ReactNode }) =>
  children && (
    <p className={classes.wrong} data-field={field} role="alert">
      {children}
    </p>
  );
const withChange = <T,>(list: readonly T[], index: number, change: Partial<T>): T[] =>
  list.map((item, i) => (i === index ? { ...item, ...change } : item));
const without = <T,>(list: readonly T[], index: number): T[] => list.filter((_, i) => i !== index);

const Options = (props: PartProps) => {
  const { question, index, errors, onChange, at } = props;
  const { options, kind } = question;
  const set = (to: QuestionDraft['options'], parted = false) => onChange({ ...question, options: to }, parted);
  const single = kind === 'single';
  // Text typed while a picture was uploading is kept.
  const latest = useRef(props);
  latest.current = props;
  const setPicture = (id: string, picture: Picture | undefined) => {
    const { question: current, onChange: change } = latest.current;
    change({ ...current, options: current.options.map((o) => (o.id === id ? { ...o, picture } : o)) });
  };
  return (
    <fieldset aria-label={`Answers of question ${index + 1}`} className={`${shapes.bare} ${layout.stack}`}>
      <p className={shapes.muted}>{single ? 'Mark the one that is right.' : 'Mark all that are right.'}</p>
      {options.map((option, i) => (
        <div key={option.id} className={`${layout.stack} ${classes.option}`}>
          <div className={classes.optionLine}>
            {single ? (
              <Radio
                aria-label={`Answer ${i + 1} is right`}
                size="md"
                name={`right-${question.key}`}
                checked={option.correct}
                onChange={() => set(options.map((o, n) => ({ ...o, correct: n === i })))}
              />
            ) : (
              <Checkbox
                aria-label={`Answer ${i + 1} is right`}
                size="md"
                checked={option.correct}
                onChange={(e) => set(withChange(options, i, { correct: e.currentTarget.checked }))}
              />
            )}
            <TextInput
              label={`Answer ${i + 1}`}
              value={option.text}
              onChange={(e) => set(withChange(options, i, { text: e.currentTarget.value }))}
              {...at(`options.${i}.text`)}
            />
            <div className={classes.optionActions}>
              {!option.picture && <AddPicture small name={`answer ${i + 1}`} onAdd={(picture) => setPicture(option.id, picture)} />}
              <Remove name={`answer ${i + 1}`} disabled={options.length <= 2} onClick={() => set(without(options, i), true)} />
            </div>
          </div>
          {option.picture && (
            <PictureFields
              name={`answer ${i + 1}`}
              picture={option.picture}
              error={errors[`options.${i}.picture`]}
              field={`questions.${index}.options.${i}.picture`}
              onChange={(picture) => setPicture(option.id, picture)}
            />
          )}
          <TextInput
            className={classes.optionFeedback}
            label={`Shown to people who choose answer ${i + 1}`}
            value={option.feedback}
            onChange={(e) => set(withChange(options, i, { feedback: e.currentTarget.value }))}
            {...at(`options.${i}.feedback`)}
          />
        </div>
      ))}
      <Wrong field={`questions.${index}.options`}>{errors.options}</Wrong>
      {options.length < most && (
        <Button
          variant="default"
          className={shapes.start}
          onClick={() => set([...options, { id: newId(), text: '', correct: false, feedback: '' }], true)}
        >
          Add an answer
        </Button>
      )}
    </fieldset>
  );
};

const TrueFalse = ({ question, index, errors, onChange }: PartProps) => (
  <Radio.Group
    label="The statement is"
    value={question.correct === null ? '' : String(question.correct)}
    error={errors.correct}
    data-field={`questions.${index}.correct`}
    onChange={(value) => onChange({ ...question, correct: value === 'true' })}
  >
    <div className={classes.truth}>
      <Radio value="true" label="True" size="md" />
      <Radio value="false" label="False" size="md" />
    </div>
  </Radio.Group>
);

const Pairs = ({ question, index, errors, onChange, at }: PartProps) => {
  const { pairs } = question;
  const set = (to: QuestionDraft['pairs'], parted = false) => onChange({ ...question, pairs: to }, parted);
  return (
    <fieldset aria-label={`Pairs of question ${index + 1}`} className={`${shapes.bare} ${layout.stack}`}>
      <p className={shapes.muted}>Learners see the right sides in another order.</p>
      {pairs.map((pair, i) => (
        <div key={pair.id} className={classes.pairLine}>
          <TextInput
            label={`Left side of pair ${i + 1}`}
            value={pair.left}
            onChange={(e) => set(withChange(pairs, i, { left: e.currentTarget.value }))}
            {...at(`pairs.${i}.left`)}
          />
          <TextInput
            label={`Right side of pair ${i + 1}`}
            value={pair.right}
            onChange={(e) => set(withChange(pairs, i, { right: e.currentTarget.value }))}
            {...at(`pairs.${i}.right`)}
          />
          <Remove name={`pair ${i + 1}`} disabled={pairs.length <= 2} onClick={() => set(without(pairs, i), true)} />
        </div>
      ))}
      <Wrong field={`questions.${index}.pairs`}>{errors.pairs}</Wrong>
      {pairs.length < most && (
        <Button variant="default" className={shapes.start} onClick={() => set([...pairs, { id: newId(), left: '', right: '' }], true)}>
          Add a pair
        </Button>
      )}
    </fieldset>
  );
};

const Items = ({ question, index, errors, onChange, at }: PartProps) => {
  const { items } = question;
  const set = (to: QuestionDraft['items'], parted = false) => onChange({ ...question, items: to }, parted);
  return (
    <fieldset aria-label={`Steps of question ${index + 1}`} className={`${shapes.bare} ${layout.stack}`}>
      <p className={shapes.muted}>Write them in their right order. Learners see them in another one.</p>
      <OrderList label="Steps in their right order" items={items} nameOf={(item, i) => item.text || `Step ${i + 1}`} onMove={(to) => set(to, true)}>
        {(item, i) => (
          <div className={classes.optionLine}>
            <TextInput
              label={`Step ${i + 1}`}
              value={item.text}
              onChange={(e) => set(withChange(items, i, { text: e.currentTarget.value }))}
              {...at(`items.${i}.text`)}
            />
            <Remove name={`step ${i + 1}`} disabled={items.length <= 2} onClick={() => set(without(items, i), true)} />
          </div>
        )}
      </OrderList>
      <Wrong field={`questions.${index}.items`}>{errors.items}</Wrong>
      {items.length < most && (
        <Button variant="default" className={shapes.start} onClick={() => set([...items, { id: newId(), text: '' }], true)}>
          Add a step
        </Button>
      )}
    </fieldset>
  );
};

const Gaps = ({ question, index, errors, onChange }: PartProps) => {
  const box = useRef<HTMLTextAreaElement>(null);
  const { text } = question;
  const set = (to: string) => onChange(withText(question, to));
  const gaps = gapSegments(text).flatMap((s) => (typeof s === 'string' ? [] : [s]));
  const wrong = Object.entries(errors).find(([path]) => path.startsWith('segments'))?.[1];
  return (
    <div className={`${shapes.bare} ${layout.stack}`}>
      <Textarea
        ref={box}
        label={`Text of question ${index + 1}`}
        description="Put what is missing in [brackets], or select it and press the button. What else is accepted follows a bar: [soap|liquid soap]."
        autosize
        minRows={3}
        value={text}
        error={wrong}
        data-field={`questions.${index}.segments`}
        onChange={(e) => set(e.currentTarget.value)}
      />
      <Button
        variant="default"
        className={shapes.start}
        // The selection stays where it is.
        onMouseDown={(e) => e.preventDefault()}
        onClick={() => {
          const field = box.current;
          if (field) set(withGap(text, field.selectionStart, field.selectionEnd));
          field?.focus();
        }}
      >
        Make the selection a gap
      </Button>
      {gaps.length > 0 && (
        <ol className={classes.gapList} aria-label="Gaps and what is accepted in them">
          {gaps.map(({ accepted }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap is identified by its position in the text
            <li key={i}>{accepted.length > 0 ? accepted.join(' or ') : 'Nothing is accepted yet'}</li>
          ))}
        </ol>
      )}
      <p className={shapes.muted}>Capital letters make no difference. {countOf(gaps.length, 'gap')}.</p>
    </div>
  );
};

const FreeText = ({ question, onChange, at }: PartProps) => (
  <NumberInput
    label="At least how many words"
    description="An answer that is long enough counts, whatever it says. 0: as few as they like. A model answer belongs in the explanation."
    min={0}
    max={1000}
    allowDecimal={false}
    allowNegative={false}
    hideControls
    value={question.min_words}
    onChange={(min_words) => onChange({ ...question, min_words })}
    {...at('min_words')}
  />
);

const parts: Record<Kind, (props: PartProps) => ReactNode> = {
  ...{ single: Options, multiple: Options, true_false: TrueFalse, match: Pairs, order: Items, fill_gap: Gaps, free_text: FreeText },
};

/** The editor of one question: the question, the parts of its kind, and its feedback. */
export const QuestionEditor = (props: Props) => {
  const { question, index, errors, onChange } = props;
  const fieldProps = (path: string) => ({ 'data-field': `questions.${index}.${path}`, error: errors[path] });
  const Parts = parts[question.kind];
  // Text typed while a picture was uploading is kept.
  const latest = useRef(props);
  latest.current = props;
  return (
    <div className={layout.stack}>
      <NativeSelect
        label={`Kind of question ${index + 1}`}
        description={kindWords[question.kind].about}
        value={question.kind}
        data={questionKinds.map((kind) => ({ value: kind, label: kindWords[kind].label }))}
        onChange={(e) => onChange({ ...question, kind: e.currentTarget.value as Kind }, true)}
      />
      <Textarea
        label={`Question ${index + 1}`}
        description={
          question.kind === 'true_false'
            ? 'The statement.'
            : question.kind === 'fill_gap'
              ? 'What to do, such as “Complete the sentence”.'
              : undefined
        }
        autosize
        minRows={1}
        required
        value={question.prompt}
        onChange={(e) => onChange({ ...question, prompt: e.currentTarget.value })}
        {...fieldProps('prompt')}
      />
      {question.picture ? (
        <PictureFields
          name={`question ${index + 1}`}
          picture={question.picture}
          error={errors.picture}
          field={`questions.${index}.picture`}
          onChange={(picture) => onChange({ ...question, picture })}
        />
      ) : (
        <AddPicture name={`question ${index + 1}`} onAdd={(picture) => latest.current.onChange({ ...latest.current.question, picture })} />
      )}
      <Parts {...props} at={fieldProps} />
      <Textarea
        label={`Explanation of question ${index + 1}`}
        description="Said after the try, whatever was answered."
        autosize
        minRows={1}
        value={question.feedback}
        onChange={(e) => onChange({ ...question, feedback: e.currentTarget.value })}
        {...fieldProps('feedback')}
      />
    </div>
  );
};
