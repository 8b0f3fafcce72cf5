import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { DocumentFile } from '#contract/entities/session-document.ts';
import type { Result } from '#src/api/transport.ts';
import { type KeptFileName, readOrKept, useKeptFiles } from '#src/device/kept-files.ts';
import { useLine } from '#src/device/line.ts';
import { readBookingDocument } from '#src/device/own-pages.ts';
import classes from '#src/features/training-sessions/documents.module.css';
import { formatMegabytes } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { useAction } from '#src/screens/use-action.ts';
import { IconDownload } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

type DownloadProps = { document: DocumentFile; opens: boolean; read: () => Promise<Result<Blob>> };
const Download = ({ document: { name, ending }, opens, read }: DownloadProps) => {
  const taking = useAction(async () => {
    const result = await read();
    if (result.kind === 'ok') saveFile(result.data, result.headers.get('Content-Disposition'), `${name}.${ending}`);
    return result;
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} />}
      disabled={!opens}
      loading={taking.busy}
      aria-label={`Download ${name}`}
      onClick={() => void taking.run()}
    >
      Download
    </Button>
  );
};

type Props<D> = {
  documents: readonly D[];
  /** The name under which it is stored on this device. */
  name: (document: D) => KeptFileName;
  read: (document: D) => Promise<Result<Blob>>;
  about?: (document: D) => string;
  more?: (document: D) => ReactNode;
};
/** Documents by name, each with its kind and size. Opening one that is not on this device needs a connection, which is stated. */
export const DocumentList = <D extends DocumentFile>({ documents, name, read, about, more }: Props<D>) => {
  const hasLine = useLine();
  const kept = useKeptFiles();
  const opens = (document: D) => hasLine || kept.has(name(document));
  return (
    <>
      <ul className={`${layout.lines} ${classes.list}`} aria-label="Documents">
        {documents.map((document) => (
          <li key={document.id}>
            <span>
              <strong>{document.name}</strong>
              <small className={layout.soft}>
                {[document.ending.toUpperCase(), formatMegabytes(document.bytes), about?.(document)].filter(Boolean).join(' · ')}
              </small>
            </span>
            {more?.(document)}
            <Download document={document} opens={opens(document)} read={() => readOrKept(name(document), () => read(document))} />
          </li>
        ))}
      </ul>
      {!documents.every(opens) && <small className={layout.soft}>Downloading a document that is not on this device needs a connection.</small>}
    </>
  );
};

/** The documents that somebody who is booked has to read. */
export const OwnDocuments = ({ booking: { id, course, documents = [] } }: { booking: OwnBooking }) =>
  documents.length > 0 && (
    <section className={classes.own} aria-label={`Documents for ${course.name}`}>
      <DocumentList
        documents={documents}
        name={(document) => `booking-document:${id}:${document.id}`}
        read={(document) => readBookingDocument(id, document.id)}
      />
    </section>
  );
