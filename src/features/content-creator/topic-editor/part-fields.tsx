import { Button, Checkbox, FileButton, NativeSelect, NumberInput, TextInput, Textarea } from '@mantine/core';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { activityGoals } from '#contract/entities/content.ts';
import { sentenceOf } from '#src/api/call.ts';
import type { Part } from '#src/features/content-creator/topic-editor/schema.ts';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import { accepted, captionsFile, type Uploads } from '#src/screens/authoring/uploads.ts';

/** The longest time before what is typed is in the document: each pause is one step of undoing. */
const pauseMs = 300;

type TypedProps = {
  as?: ComponentType<{ label: string; value: string; onChange: (e: { currentTarget: { value: string } }) => void; onBlur: () => void }>;
  label: string;
  value: string;
  onChange: (value: string) => void;
  [more: string]: unknown;
};
/** A field whose text is in the document after a pause, and when the field is left. */
const Typed = ({ as: Field = TextInput as never, value, onChange, ...more }: TypedProps) => {
  const [text, setText] = useState(value);
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; save: () => void } | null>(null);
  const saved = useRef(value);
  // Undone or changed elsewhere.
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
  return (
    <Field
      {...more}
      value={text}
      onChange={({ currentTarget }) => {
        const typed = currentTarget.value;
        setText(typed);
        clearTimeout(waiting.current?.timer);
        const save = () => {
          saved.current = typed;
          onChange(typed);
        };
        waiting.current = { timer: setTimeout(flush, pauseMs), save };
      }}
      onBlur={flush}
    />
  );
};

const languages: readonly [string, string][] = [
  ['en-GB', 'English'],
  ['cy', 'Cymraeg'],
  ['pl', 'Polski'],
  ['ro', 'Română'],
  ['pt', 'Português'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['it', 'Italiano'],
  ['uk', 'Українська'],
  ['bn', 'বাংলা'],
  ['gu', 'ગુજરાતી'],
  ['hi', 'हिन्दी'],
  ['ml', 'മലയാളം'],
  ['pa', 'ਪੰਜਾਬੀ'],
  ['tl', 'Tagalog'],
  ['ur', 'اردو'],
  ['ar', 'العربية'],
];
const languageOf = (code: string) => languages.find(([c]) => c === code)?.[1] ?? code;

type Video = Extract<Part, { kind: 'video' }>;
/** The captions of a video, one file for each language. */
const Captions = ({ block, change, upload }: { block: Video; change: (part: Partial<Video>) => void; upload: NonNullable<Uploads['captions']> }) => {
  const free = languages.filter(([code]) => !block.captions.some((c) => c.language === code));
  const [language, setLanguage] = useState(free[0]?.[0] ?? 'en-GB');
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null });
  const add = async (file: File | null) => {
    if (!file) return;
    setState({ busy: true, error: null });
    const captions = await captionsFile(file).catch(() => null);
    if (!captions) {
      setState({ busy: false, error: `“${file.name}” has no captions in it. Choose a WebVTT (.vtt) or SubRip (.srt) file.` });
      return;
    }
    const result = await upload(captions, () => undefined).catch(() => null);
    setState({ busy: false, error: result?.kind === 'ok' ? null : result ? sentenceOf(result) : 'This file could not be sent. Try again.' });
    if (result?.kind === 'ok')
      change({ captions: [...block.captions.filter((c) => c.language !== language), { language, label: languageOf(language), media: result.data }] });
  };
  return (
    <fieldset className={classes.captions}>
      <legend>Captions</legend>
      {block.captions.length > 0 && (
        <ul>
          {block.captions.map((c) => (
            <li key={c.language}>
              <span lang={c.language}>{c.label}</span>
              <Button variant="subtle" onClick={() => change({ captions: block.captions.filter((o) => o !== c) })}>
                Remove<span className="visually-hidden"> captions in {c.label}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.row}>
        <NativeSelect
          aria-label="Language of the captions"
          value={language}
          onChange={(e) => setLanguage(e.currentTarget.value)}
          data={languages.map(([value, label]) => ({ value, label }))}
        />
        <FileButton accept={accepted.captions} onChange={(file) => void add(file)}>
          {(props) => (
            <Button variant="default" loading={state.busy} {...props}>
              Add captions (.vtt, .srt)
            </Button>
          )}
        </FileButton>
      </div>
      {state.error && <p role="alert">{state.error}</p>}
    </fieldset>
  );
};

const goalWords: Record<(typeof activityGoals)[number], string> = {
  optional: 'Nothing: it is optional',
  opened: 'Open it',
  completed: 'Finish it',
  passed: 'Reach a score',
};

type Props = { block: Part; change: (part: Partial<Part>) => void; uploads: Uploads };

/** The fields of a chosen part: what is said of it, and to whom it is said otherwise. */
export const PartFields = ({ block, change, uploads }: Props) => {
  const title = 'title' in block && <Typed label="Title" value={block.title} onChange={(text) => change({ title: text })} maxLength={200} />;
  const transcript = 'transcript' in block && (
    <Typed
      as={Textarea as never}
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
            as={Textarea as never}
            label="Alternative text"
            description="What the picture shows, for those who do not see it."
            autosize
            minRows={1}
            maxRows={6}
            maxLength={500}
            disabled={block.decorative === true}
            value={block.decorative ? '' : block.alt}
            onChange={(text) => change({ alt: text })}
          />
          <Checkbox
            label="Decorative: it says nothing that the text does not"
            checked={block.decorative === true}
            onChange={({ currentTarget }) => change(currentTarget.checked ? { decorative: true, alt: '' } : { decorative: undefined })}
          />
          <Typed label="Caption" value={block.caption} onChange={(text) => change({ caption: text })} maxLength={500} />
        </>
      );
    case 'video':
      return (
        <>
          {title}
          {uploads.captions && <Captions block={block} change={change} upload={uploads.captions} />}
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
