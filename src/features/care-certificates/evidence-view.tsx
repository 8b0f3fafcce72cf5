import { useEffect, useState } from 'react';
import type { EvidenceFile, EvidenceNote } from '#contract/entities/care-evidence.ts';
import { fromBase64 } from '#contract/rules/bytes.ts';
import { apiBase } from '#src/api/transport.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { kindOf } from '#src/features/care-certificates/draft-files.ts';
import classes from '#src/features/care-certificates/evidence.module.css';
import type { CertificateView } from '#src/features/care-certificates/use-certificate.ts';
import { evidenceWords, peopleWords } from '#src/features/care-certificates/words.ts';
import { evidenceHere } from '#src/offline/kinds/certificate/commands.ts';
import { IconCheck, IconTablet } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

/** The source of a file: this device, otherwise the server; null while loading, `away` if neither has it. */
const useSource = (certificateId: string, note: EvidenceNote, there: EvidenceFile | undefined): string | null => {
  const db = usePersonDb();
  const [source, setSource] = useState<string | null>(null);
  const fit = there?.fit ?? null;
  useEffect(() => {
    let url: string | null = null;
    let isUnmounted = false;
    void evidenceHere(db, note.id).then((data) => {
      if (isUnmounted) return;
      if (data !== null) url = URL.createObjectURL(new Blob([fromBase64(data)], { type: note.type }));
      setSource(url ?? (fit ? `${apiBase}/care-certificates/${certificateId}/evidence/${note.id}` : null));
    });
    return () => {
      isUnmounted = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [db, certificateId, note.id, note.type, fit]);
  return source;
};

const fateOf = (file: EvidenceFile | undefined, isOnDevice: boolean): string =>
  file?.fit === false
    ? 'The server could not open this file'
    : file?.received_at
      ? 'Received'
      : isOnDevice
        ? 'Saved on this device'
        : 'Not received yet: it is on the device that made it';

const Shown = ({ view, note, name }: { view: CertificateView; note: EvidenceNote; name: string }) => {
  const there = (view.certificate.evidence ?? []).find((f) => f.id === note.id);
  const source = useSource(view.certificate.id, note, there);
  const kind = kindOf(note);
  const fate = fateOf(there, source !== null);
  return (
    <li>
      {kind === 'photo' && source && (
        <a href={source} target="_blank" rel="noreferrer" aria-label={`Open ${name}`}>
          <img className={classes.picture} src={source} alt={name} loading="lazy" />
        </a>
      )}
      {/* biome-ignore lint/a11y/useMediaCaption: a recording of an observation has no captions */}
      {kind === 'audio' && source && <audio controls preload="none" src={source} aria-label={name} />}
      {kind === 'document' && source ? (
        <a href={source} download={note.name}>
          {note.name}
        </a>
      ) : (
        <strong>{name}</strong>
      )}
      <small className={layout.soft}>
        {fate === 'Received' ? <IconCheck size={14} /> : <IconTablet size={14} />} {fate}
      </small>
      <small className={layout.soft}>
        Recognisable: {peopleWords[note.people]}
        {note.consent ? ` (${note.consent})` : ''}
      </small>
    </li>
  );
};

/** The files of a record, with the save state of each. */
export const EvidenceList = ({ view, files }: { view: CertificateView; files: readonly EvidenceNote[] }) =>
  files.length === 0 ? null : (
    <ul className={`${layout.plain} ${layout.tools} ${classes.files}`} aria-label="Files of this record">
      {files.map((note, i) => (
        <Shown key={note.id} view={view} note={note} name={`${evidenceWords[kindOf(note)]} ${i + 1}`} />
      ))}
    </ul>
  );
