import { Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { createTopic } from '#contract/api/content-parts.ts';
import type { Block } from '#contract/entities/content.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { plainText } from '#contract/rules/readability.ts';
import { type Authored, type AuthoredForm, authoredPages } from '#src/features/content-creator/authored-pages.tsx';
import { ConflictSection } from '#src/screens/revised.tsx';
import { contentUploads } from '#src/screens/authoring/content-uploads.ts';
import { type FieldWords, sidesOf } from '#src/screens/authoring/sides.ts';
import { titlesOf } from '#src/screens/authoring/uses-words.ts';
import { TopicEditor } from '#src/features/content-creator/topic-editor/topic-editor.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import layout from '#src/ui/page.module.css';

/** The delay before typed text is stored on this device. */
const pauseMs = 250;

type Topic = Authored<'/topics'>;
const valuesOf = (topic: Topic | null) => ({
  title: topic?.title ?? '',
  hidden: topic?.hidden ?? false,
  skippable: topic?.skippable ?? false,
  is_child: topic?.is_child ?? false,
  blocks: topic?.blocks ?? ([] as Block[]),
});
const compared: FieldWords<ReturnType<typeof valuesOf>> = {
  title: ['Title'],
  hidden: ['Hidden'],
  skippable: ['Can be skipped'],
  is_child: ['Belongs to the topic before it'],
  blocks: [
    'What learners read',
    (blocks) => blocks.map((b) => ('doc' in b ? plainText(b.doc).trim() : b.kind === 'question' ? b.question.prompt : `[${b.kind}]`)).join('\n'),
  ],
};

/** A topic: its settings and its text. The draft is stored on this device until it is saved. */
const TopicForm = ({ thing, save, success, onSaved, conflict, draft: kept, more }: AuthoredForm<'/topics'>) => {
  const fields = useForm({
    schema: createTopic.body,
    begin: () => valuesOf(thing),
    toInput: (values) => values,
    save,
    success,
    onSaved,
    draft: { name: `topic:${thing?.id ?? 'new'}`, ...kept },
  });
  const { field, checkbox, set, values, draft } = fields;
  /** Counts how often the whole text was replaced. */
  const [taken, setTaken] = useState(0);
  const typed = useRef<{ read: () => Block[]; timer: ReturnType<typeof setTimeout> } | null>(null);
  const keep = () => {
    if (!typed.current) return;
    clearTimeout(typed.current.timer);
    const { read } = typed.current;
    typed.current = null;
    set('blocks', read());
  };
  const latest = useRef(keep);
  latest.current = keep;
  useEffect(() => {
    const left = () => latest.current();
    addEventListener('pagehide', left);
    return () => {
      removeEventListener('pagehide', left);
      clearTimeout(typed.current?.timer);
    };
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    keep();
    fields.submit(event);
  };
  const resume = () => {
    draft.resume();
    setTaken((n) => n + 1);
  };
  const { error } = field('blocks');
  return (
    <Form form={{ ...fields, submit, draft: { ...draft, resume } }} beside={conflict ? null : more} save={conflict ? false : 'Save'}>
      {conflict && <ConflictSection conflict={conflict} busy={fields.busy} sides={sidesOf(compared, values, valuesOf(conflict.theirs))} />}
      {thing && thing.used_in.length > 1 && (
        <p className={`app-card ${layout.notice}`}>
          It is used in {titlesOf(thing.used_in)}: all of them show a change when they are next published.
        </p>
      )}
      <FormSection wide>
        <TextInput label="Title" required {...field('title')} />
        <Checkbox label="Hidden" description="Learners do not see it." {...checkbox('hidden')} />
        <Checkbox label="Can be skipped" description="Learners can go on without reading it." {...checkbox('skippable')} />
        <Checkbox label="Belongs to the topic before it" description="Stands below that one in the list of topics." {...checkbox('is_child')} />
      </FormSection>
      <FormSection wide title="What learners read" data-field="blocks">
        {error && <p role="alert">{error}</p>}
        <TopicEditor
          key={taken}
          blocks={values.blocks}
          title={values.title}
          uploads={contentUploads}
          onChange={(read) => {
            clearTimeout(typed.current?.timer);
            typed.current = { read, timer: setTimeout(() => latest.current(), pauseMs) };
          }}
        />
      </FormSection>
    </Form>
  );
};

export const { Create, Update } = authoredPages('/topics', {
  list: pathTo('content-creator-topics'),
  needs: { add: 'content.create', change: 'content.update' },
  words: {
    ...{ add: 'Write a topic', heading: 'Topic', one: 'a topic', name: 'topic' },
    question: ({ used_in }) =>
      used_in.length > 0
        ? `It is used in ${titlesOf(used_in)}: it will be removed there. Published versions keep it. Delete it?`
        : 'No lesson uses it. Delete it?',
  },
  said: { created: texts.topicCreated, updated: texts.topicUpdated, deleted: texts.topicDeleted },
  changes: (fields) => fields,
  refusal: ({ editable, entity }) => (editable ? null : { why: `${entity.name} wrote this topic, and only they can change it.` }),
  Form: TopicForm,
});
