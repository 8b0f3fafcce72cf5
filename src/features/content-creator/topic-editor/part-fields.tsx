import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Checkbox, NativeSelect, NumberInput, TextInput, Textarea } from '@mantine/core';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { activityGoals, type QuestionBlock } from '#contract/entities/content.ts';
import { practiceProblem } from '#contract/rules/question-parts.ts';
import { useEditorTools } from '#src/features/content-creator/topic-editor/editor-tools.ts';
import type { Part } from '#src/features/content-creator/topic-editor/schema.ts';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import { CaptionsField } from '#src/screens/authoring/captions-field.tsx';
import { practiceBlock, practiceDraft } from '#src/screens/authoring/practice-draft.ts';
import { QuestionEditor } from '#src/screens/authoring/question-editor.tsx';
import type { Uploads } from '#src/screens/authoring/uploads.ts';
import { IconAlert } from '#src/ui/icons.tsx';

/** The delay before typed text is in the document: each pause ends an undo step. */
const pauseMs = 300;

type TypedProps = {
  as?: ComponentType<{ label: string; value: string; onChange: (e: { currentTarget: { value: string } }) => void; onBlur: () => void }>;
  label: string;
  value: string;
  onChange: (value: string) => void;
  [more: string]: unknown;
};
/** A text that is written to the document after a pause in typing, and when its field is left. */
const usePaused = (value: string, onChange: (value: string) => void) => {
  const [text, setText] = useState(value);
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; save: () => void } | null>(null);
  const saved = useRef(value);
  // Undone, or changed elsewhere.
  useEffect(() => {
    if (value !== saved.current && !waiting.current) setText(value);
    saved.current = value;
  }, [value]);
  const flush = () => {
    const { timer, save } = waiting.current ?? {};
    clearTimeout(timer);
    waiting.current = null;
    save?.();
  };
  const last = useRef(flush);
  last.current = flush;
  useEffect(() => () => last.current(), []);
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(waiting.current?.timer);
    const save = () => {
      saved.current = typed;
      onChange(typed);
    };
    waiting.current = { timer: setTimeout(flush, pauseMs), save };
  };
  return { text, type, flush };
};

const Typed = ({ as: Field = TextInput, value, onChange, ...more }: TypedProps) => {
  const { text, type, flush } = usePaused(value, onChange);
  return <Field {...more} value={text} onChange={({ currentTarget }) => type(currentTarget.value)} onBlur={flush} />;
};

type Asked = Pick<QuestionBlock, 'question' | 'key' | 'feedback'>;
/** A comparable text of a question and its answer key. */
const textOf = ({ question, key, feedback }: Asked): string => JSON.stringify({ question, key, feedback });

/** The editor of a question, with what is missing below it. An unfinished one is kept. */
const QuestionFields = ({ block, change }: { block: QuestionBlock; change: (asked: Asked) => void }) => {
  const { id } = block.question;
  const { text, type, flush } = usePaused(textOf(block), (typed) => change({ feedback: undefined, ...(JSON.parse(typed) as Asked) }));
  const [draft, setDraft] = useState(() => practiceDraft(block));
  const missing = practiceProblem(practiceBlock(draft, id));
  const { begun } = useEditorTools();
  const fields = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (begun.current !== id) return;
    begun.current = null;
    fields.current?.querySelector<HTMLElement>('textarea')?.focus();
  }, [begun, id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it was undone or changed elsewhere
  useEffect(() => {
    if (text !== textOf(practiceBlock(draft, id))) setDraft(practiceDraft({ kind: 'question', ...(JSON.parse(text) as Asked) }));
  }, [text]);
  return (
    <fieldset ref={fields} className={`${layout.stack} ${shapes.bare}`} onBlur={flush}>
      <QuestionEditor
        question={draft}
        index={0}
        errors={noErrors}
        onChange={(next) => {
          setDraft(next);
          type(textOf(practiceBlock(next, id)));
        }}
      />
      <p className={classes.lacks} role="status">
        {missing && (
          <>
            <IconAlert size={18} /> Not finished: {missing}
          </>
        )}
      </p>
    </fieldset>
  );
};

const noErrors = {};

const goalWords: Record<(typeof activityGoals)[number], string> = {
  optional: 'Nothing: it is optional',
  opened: 'Open it',
  completed: 'Finish it',
  passed: 'Reach a score',
};

type Props = { block: Part; change: (part: Partial<Part>) => void; uploads: Uploads };

/** The fields of the selected part, such as its alternative text. */
export const PartFields = ({ block, change, uploads }: Props) => {
  const title = 'title' in block && <Typed label="Title" value={block.title} onChange={(text) => change({ title: text })} />;
  const transcript = 'transcript' in block && (
    <Typed
      as={Textarea}
      label="Transcript"
      description="Everything that is said, for those who cannot hear or play it."
      autosize
      minRows={2}
      maxRows={12}
      value={block.transcript}
      onChange={(text) => change({ transcript: text })}
    />
  );
  switch (block.kind) {
    case 'image':
      return (
        <>
          <Typed
            as={Textarea}
            label="Alternative text"
            description="What the picture shows, for those who do not see it."
            autosize
            minRows={1}
            maxRows={6}
            disabled={block.decorative === true}
            value={block.decorative ? '' : block.alt}
            onChange={(text) => change({ alt: text })}
          />
          <Checkbox
            label="Decorative: it says nothing that the text does not"
            checked={block.decorative === true}
            onChange={({ currentTarget }) => change(currentTarget.checked ? { decorative: true, alt: '' } : { decorative: undefined })}
          />
          <Typed label="Caption" value={block.caption} onChange={(text) => change({ caption: text })} />
        </>
      );
    case 'video':
      return (
        <>
          {title}
          {uploads.captions && <CaptionsField captions={block.captions} onChange={(captions) => change({ captions })} upload={uploads.captions} />}
          {transcript}
        </>
      );
    case 'audio':
      return (
        <>
          {title}
          {transcript}
        </>
      );
    case 'question':
      return <QuestionFields block={block} change={change} />;
    case 'download':
      return title;
    case 'h5p':
      return (
        <>
          {title}
          <NativeSelect
            label="What a learner has to do"
            value={block.goal}
            onChange={({ currentTarget }) => {
              const goal = activityGoals.find((g) => g === currentTarget.value) ?? 'optional';
              change({ goal, pass_percent: goal === 'passed' ? block.pass_percent || 80 : 0 });
            }}
            data={activityGoals.map((value) => ({ value, label: goalWords[value] }))}
          />
          {block.goal === 'passed' && (
            <NumberInput
              label="Score in percent"
              min={1}
              max={100}
              allowDecimal={false}
              value={block.pass_percent}
              onChange={(percent) => change({ pass_percent: Math.min(100, Math.max(1, Number(percent) || 1)) })}
            />
          )}
        </>
      );
  }
};
