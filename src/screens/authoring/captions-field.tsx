import layout from '#src/ui/page.module.css';
import { Button, FileButton, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { Media } from '#contract/entities/content.ts';
import { sentenceOf } from '#src/api/call.ts';
import classes from '#src/screens/authoring/captions-field.module.css';
import { accepted, captionsFile, type Uploads } from '#src/screens/authoring/uploads.ts';

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

type Captions = { language: string; label: string; media: Media }[];
type Props = { captions: Captions; onChange: (captions: Captions) => void; upload: NonNullable<Uploads['captions']> };

/** The captions of a video, one file for each language. */
export const CaptionsField = ({ captions: present, onChange, upload }: Props) => {
  const free = languages.filter(([code]) => !present.some((c) => c.language === code));
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
      onChange([...present.filter((c) => c.language !== language), { language, label: languageOf(language), media: result.data }]);
  };
  return (
    <fieldset className={classes.captions}>
      <legend>Captions</legend>
      {present.length > 0 && (
        <ul>
          {present.map((c) => (
            <li key={c.language}>
              <span lang={c.language}>{c.label}</span>
              <Button variant="subtle" onClick={() => onChange(present.filter((o) => o !== c))}>
                Remove<span className="visually-hidden"> captions in {c.label}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={layout.tools}>
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
