import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { DocumentFile } from '#contract/entities/session-document.ts';
import { call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { useLine } from '#src/device/line.ts';
import classes from '#src/features/training-sessions/documents.module.css';
import { formatMegabytes } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { useAction } from '#src/screens/use-action.ts';
import { IconDownload } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

/** A large file takes long over a bad connection. */
export const fileOptions = { timeoutMs: 600_000 } as const;

const Download = ({ document: { name, ending }, read }: { document: DocumentFile; read: () => Promise<Result<Blob>> }) => {
  const hasLine = useLine();
  const taking = useAction(async () => {
    const result = await read();
    if (result.kind === 'ok') saveFile(result.data, result.headers.get('Content-Disposition'), `${name}.${ending}`);
    return result;
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} />}
      disabled={!hasLine}
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
  read: (document: D) => Promise<Result<Blob>>;
  about?: (document: D) => string;
  more?: (document: D) => ReactNode;
};
/** Documents by name, each with its kind and size. Opening one needs a connection, which is stated. */
export const DocumentList = <D extends DocumentFile>({ documents, read, about, more }: Props<D>) => {
  const hasLine = useLine();
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
            <Download document={document} read={() => read(document)} />
          </li>
        ))}
      </ul>
      {!hasLine && <small className={layout.soft}>Downloading a document needs a connection.</small>}
    </>
  );
};

/** The documents that somebody who is booked has to read. */
export const OwnDocuments = ({ booking: { id, course, documents = [] } }: { booking: OwnBooking }) =>
  documents.length > 0 && (
    <section className={classes.own} aria-label={`Documents for ${course.name}`}>
      <DocumentList
        documents={documents}
        read={(document) => call('GET /bookings/own/{id}/documents/{document}/file', { params: { id, document: document.id } }, fileOptions)}
      />
    </section>
  );
