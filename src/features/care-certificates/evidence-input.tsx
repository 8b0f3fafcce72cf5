import { Button, FileButton, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { fromBase64 } from '#contract/rules/bytes.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import {
  type DraftFile,
  draftFileBytes,
  dropDraftFile,
  keepDraftFile,
  kindOf,
  replaceDraftFile,
} from '#src/features/care-certificates/draft-files.ts';
import classes from '#src/features/care-certificates/evidence.module.css';
import { HidePeople } from '#src/features/care-certificates/hide-people.tsx';
import { RecordSound } from '#src/features/care-certificates/record-sound.tsx';
import { evidenceWords, peopleWords } from '#src/features/care-certificates/words.ts';
import { formatMegabytes } from '#src/lib/format.ts';
import { FileRefused } from '#src/screens/chosen-file.ts';
import form from '#src/ui/form.module.css';
import { IconCamera, IconTablet, IconUpload } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { Badge } from '#src/ui/badge.tsx';

/** A preview of a draft's file. */
const useShown = (id: string, type: string) => {
  const db = usePersonDb();
  const [shown, setShown] = useState<{ blob: Blob; url: string } | null>(null);
  useEffect(() => {
    let url: string | null = null;
    let isUnmounted = false;
    void draftFileBytes(db, id).then((data) => {
      if (data === null || isUnmounted) return;
      const blob = new Blob([fromBase64(data)], { type });
      url = URL.createObjectURL(blob);
      setShown({ blob, url });
    });
    return () => {
      isUnmounted = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [db, id, type]);
  return shown;
};

type CardProps = { file: DraftFile; n: number; error: string | undefined; onChange: (file: DraftFile) => void; onRemove: () => void };
const FileCard = ({ file, n, error, onChange, onRemove }: CardProps) => {
  const db = usePersonDb();
  const shown = useShown(file.id, file.type);
  const [hiding, setHiding] = useState(false);
  const kind = kindOf(file);
  const name = `${evidenceWords[kind]} ${n}`;
  const [problem, setProblem] = useState<string | null>(null);
  const hidden = async (picture: Blob) => {
    try {
      onChange(await replaceDraftFile(db, file, picture));
      setHiding(false);
    } catch (refused) {
      setProblem(refused instanceof FileRefused ? refused.message : 'The picture could not be kept.');
    }
  };
  return (
    <li className={classes.card} aria-label={name} data-field={`file.${file.id}`}>
      <div className={`${layout.line} ${classes.top}`}>
        {kind === 'photo' && shown && <img className={classes.thumb} src={shown.url} alt={name} />}
        {/* biome-ignore lint/a11y/useMediaCaption: what somebody has just recorded themselves */}
        {kind === 'audio' && shown && <audio controls src={shown.url} aria-label={name} />}
        <span>
          <strong>{name}</strong>
          <small className={layout.soft}>
            {kind === 'photo' ? '' : `${file.name} · `}
            {formatMegabytes(file.bytes)}
          </small>
          <Badge tone="ok" icon={IconTablet}>
            Saved on this device
          </Badge>
        </span>
        <Button variant="subtle" color="red" onClick={onRemove} aria-label={`Take out ${name}`}>
          Take out
        </Button>
      </div>
      {hiding && shown ? (
        <HidePeople picture={shown.blob} name={name} onDone={hidden} onCancel={() => setHiding(false)} />
      ) : (
        <>
          <span id={`people-${file.id}`}>{kind === 'photo' ? 'Is anyone identifiable?' : 'Can anyone be recognised, or is anyone named?'}</span>
          <Segmented
            fullWidth
            size="md"
            orientation="vertical"
            aria-labelledby={`people-${file.id}`}
            value={file.people}
            onChange={(people) => onChange({ ...file, people: people as DraftFile['people'] })}
            data={[
              { value: 'nobody', label: peopleWords.nobody },
              ...(kind === 'photo' ? [{ value: 'hidden', label: peopleWords.hidden, disabled: file.people !== 'hidden' }] : []),
              { value: 'agreed', label: peopleWords.agreed },
            ]}
          />
          {kind === 'photo' && (
            <Button variant="default" onClick={() => setHiding(true)}>
              Make somebody unrecognisable …
            </Button>
          )}
          {file.people === 'agreed' && (
            <TextInput
              label={`How they agreed, for ${name}`}
              description="Who said yes, and how: such as “her daughter, in writing, 3 May”. Never the name of the person who is supported."
              maxLength={500}
              value={file.consent}
              onChange={(e) => onChange({ ...file, consent: e.currentTarget.value })}
            />
          )}
        </>
      )}
      {!hiding && (error ?? problem) && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {error ?? problem}
        </p>
      )}
    </li>
  );
};

type Props = {
  files: DraftFile[];
  errors: Partial<Record<string, string>>;
  onChange: (files: (now: DraftFile[]) => DraftFile[]) => void;
  /** Called with the change in the number of files that are still being stored. */
  onPending: (more: number) => void;
};
/** Photographs, recordings and documents of a record. A chosen file is stored on this device before it appears in the list. */
export const EvidenceInput = ({ files, errors, onChange, onPending }: Props) => {
  const db = usePersonDb();
  const [busy, setBusy] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const again = useRef<() => void>(null);
  const add = async (blobs: readonly { blob: Blob; name: string }[]) => {
    setProblem(null);
    const room = evidenceLimits.files - files.length;
    if (blobs.length > room) setProblem(`A record holds ${evidenceLimits.files} files at most.`);
    for (const { blob, name } of blobs.slice(0, room)) {
      setBusy((n) => n + 1);
      onPending(1);
      try {
        const file = await keepDraftFile(db, blob, name);
        onChange((now) => [...now, file]);
      } catch (refused) {
        setProblem(refused instanceof FileRefused ? refused.message : 'This file could not be kept. Nothing of your record is lost.');
      }
      setBusy((n) => n - 1);
      onPending(-1);
    }
    again.current?.();
  };
  const chosen = (list: File[] | File | null) => void add([list ?? []].flat().map((blob) => ({ blob, name: blob.name })));
  const remove = (file: DraftFile) => {
    onChange((now) => now.filter((f) => f.id !== file.id));
    void dropDraftFile(db, file.id);
  };
  const full = files.length >= evidenceLimits.files;
  return (
    <fieldset className={`app-card ${form.group}`}>
      <legend>Evidence</legend>
      <p className={shapes.muted}>If you need it: most observations need no picture. Pictures are kept here only, not in the device’s gallery.</p>
      <div className={layout.tools}>
        <FileButton resetRef={again} accept="image/*" capture="environment" disabled={full} onChange={chosen}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconCamera size={20} />} loading={busy > 0}>
              Photograph
            </Button>
          )}
        </FileButton>
        <RecordSound
          disabled={full}
          onProblem={setProblem}
          onRecording={(on) => onPending(on ? 1 : -1)}
          onSound={(blob) => void add([{ blob, name: 'Recording' }])}
        />
        <FileButton multiple accept="image/*,audio/*,application/pdf" disabled={full} onChange={chosen}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={20} />} loading={busy > 0}>
              Choose files
            </Button>
          )}
        </FileButton>
      </div>
      {problem && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {problem}
        </p>
      )}
      {files.length > 0 && (
        <ul className={layout.list} aria-label="Files of this record">
          {files.map((file, i) => (
            <FileCard
              key={file.id}
              file={file}
              n={i + 1}
              error={errors[`file.${file.id}`]}
              onChange={(to) => onChange((now) => now.map((f) => (f.id === file.id ? to : f)))}
              onRemove={() => remove(file)}
            />
          ))}
        </ul>
      )}
    </fieldset>
  );
};
