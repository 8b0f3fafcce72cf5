import { Button, Checkbox, FileButton, Input, Progress, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { can } from '#contract/can.ts';
import { acceptedDownloads } from '#contract/entities/content-file.ts';
import { changeSessionDocument } from '#contract/api/session-documents.ts';
import { documentLimits, documentTooLarge, NewSessionDocument, type SessionDocument } from '#contract/entities/session-document.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';
import { readSessionDocument, readSessionDocuments } from '#src/device/own-pages.ts';
import { DocumentList } from '#src/features/training-sessions/document-list.tsx';
import classes from '#src/features/training-sessions/documents.module.css';
import { formatDay, formatMegabytes } from '#src/lib/format.ts';
import { Form } from '#src/screens/form.tsx';
import { sendPieces } from '#src/screens/send-file.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useKeptRead } from '#src/screens/use-kept-read.ts';
import { AsOf } from '#src/ui/as-of.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { LoadingState } from '#src/ui/states.tsx';

const audiences = [
  { value: 'delegates', label: 'Delegates' },
  { value: 'trainers', label: 'Trainers only' },
];
const forWhom =
  'Delegates find it with their booking, for as long as they have a place. Trainers and the office see both kinds here. Whom it is for is told within half an hour.';
type Audience = SessionDocument['audience'];
type Saved = { register: Register; dialog: string; onSaved: () => void };
type Fields = { name: string; audience: Audience; following: boolean };

type FieldsOf = Pick<ReturnType<typeof useForm<typeof NewSessionDocument, Fields, unknown>>, 'field' | 'checkbox'>;
const Described = ({ fields, following }: { fields: FieldsOf; following: string | null }) => (
  <>
    <TextInput label="Name" required maxLength={150} {...fields.field('name')} />
    <Input.Wrapper label="For" description={forWhom} size="md" labelElement="div">
      <Segmented size="md" mt={6} aria-label="For" data={audiences} {...fields.field('audience')} />
    </Input.Wrapper>
    {following && <Checkbox label={following} {...fields.checkbox('following')} />}
  </>
);

type Sent = { id: string; name: string; bytes: number };
const Adding = ({ register, dialog, sent, onOther, onSaved }: Saved & { sent: Sent; onOther: () => void }) => {
  const params = { id: register.id };
  const fields = useForm({
    schema: NewSessionDocument,
    begin: { name: sent.name.replace(/\.[^.]*$/, '').slice(0, 150), audience: 'delegates' as Audience, following: false },
    toInput: (values) => ({ ...values, upload_id: sent.id }),
    save: (body) => call('POST /training-sessions/{id}/documents', { params, body }, { timeoutMs: 120_000 }),
    success: 'It is added.',
    onSaved: () => {
      closeModal(dialog);
      onSaved();
    },
  });
  const { series } = register;
  return (
    <Form form={fields} save="Add it">
      <div className={layout.line} data-field="upload_id" tabIndex={-1}>
        <span>
          {sent.name} · {formatMegabytes(sent.bytes)}
        </span>
        <Button variant="subtle" onClick={onOther}>
          Choose another file
        </Button>
      </div>
      <Described fields={fields} following={series && series.no < series.of ? 'Add it to all that follow in the series as well' : null} />
    </Form>
  );
};

/** Uploads a file in pieces, then asks for its title and its readers. */
const Add = (props: Saved) => {
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  const [failure, setFailure] = useState('');
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const send = async (file: File | null) => {
    if (!file) return;
    setFailure(file.size > documentLimits.bytes ? documentTooLarge : file.size === 0 ? 'This file is empty.' : '');
    if (file.size > documentLimits.bytes || file.size === 0) return;
    const controller = new AbortController();
    control.current = controller;
    setSending({ name: file.name, part: 0 });
    const result = await sendPieces(
      'document',
      file,
      (part) => !controller.signal.aborted && setSending({ name: file.name, part }),
      controller.signal,
    );
    if (control.current !== controller) return;
    setSending(null);
    if (controller.signal.aborted) return;
    if (result.kind === 'ok') setSent({ id: result.data.id, name: file.name, bytes: file.size });
    else setFailure(result.kind === 'refused' ? (Object.values(result.error.errors ?? {}).flat()[0] ?? sentenceOf(result)) : sentenceOf(result));
  };
  if (sent) return <Adding key={sent.id} {...props} sent={sent} onOther={() => setSent(null)} />;
  return (
    <div className={classes.sending}>
      {sending ? (
        <>
          <span role="status">Sending “{sending.name}”</span>
          <Progress value={sending.part * 100} aria-label={`${Math.round(sending.part * 100)} % sent`} />
          <Button variant="default" onClick={() => control.current?.abort()}>
            Stop
          </Button>
        </>
      ) : (
        <>
          <p style={{ margin: 0 }}>
            Slides, joining instructions, a risk assessment: a PDF, an office document or a text of up to {formatMegabytes(documentLimits.bytes)}.
          </p>
          <FileButton accept={acceptedDownloads} onChange={(file) => void send(file)}>
            {(button) => (
              <Button data-autofocus {...button}>
                Choose a file
              </Button>
            )}
          </FileButton>
        </>
      )}
      {failure && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
};

const Edit = ({ register, dialog, document, onSaved }: Saved & { document: SessionDocument }) => {
  const params = { id: register.id, document: document.id };
  const done = () => {
    closeModal(dialog);
    onSaved();
  };
  const fields = useForm({
    schema: changeSessionDocument.body,
    begin: { name: document.name, audience: document.audience, following: false },
    toInput: (values) => values,
    save: (body) => call('PATCH /training-sessions/{id}/documents/{document}', { params, body }),
    success: 'Saved.',
    onSaved: done,
  });
  const { following } = fields.values;
  const removing = useAction(
    () => call('DELETE /training-sessions/{id}/documents/{document}', { params, query: following ? { following: 'true' } : {} }),
    { success: 'It is removed.', onDone: done },
  );
  return (
    <Form
      form={fields}
      beside={
        <DeleteButton
          question={following ? `Remove “${document.name}” here and from those that follow?` : `Remove “${document.name}”?`}
          label="Remove …"
          sure="Remove"
          onDelete={() => void removing.run()}
        />
      }
    >
      <Described fields={fields} following={document.in_following ? 'In all that follow in the series as well' : null} />
    </Form>
  );
};

/** The documents of a session for delegates and trainers. Once seen, their names are available offline. */
export const Documents = ({ register }: { register: Register }) => {
  const { id } = register;
  const changes = can(useSession(), ['booking.create', 'booking.update']);
  const hasLine = useLine();
  const { state, asOf, retry } = useKeptRead(`session-documents:${id}`, ['session documents', id], (signal) => readSessionDocuments(id, signal));
  const documents = state.kind === 'loaded' ? state.data.documents : [];
  const adding = `add-document-${id}`;
  const add = changes && (!register.cancelled || register.held) && state.kind === 'loaded';
  return (
    <Section
      title="Documents"
      tools={
        add && (
          <Button variant="default" disabled={!hasLine} onClick={() => openModal(adding)}>
            Add a document …
          </Button>
        )
      }
    >
      {state.kind === 'loading' && <LoadingState rows={1} label="Loading the documents" />}
      {state.kind === 'offline' && (
        <p className={layout.soft} role="status">
          The documents of this session are not on this device. They are listed here as soon as there is a connection.
        </p>
      )}
      {state.kind === 'error' && (
        <div className={layout.tools} role="alert">
          <span>{state.message}</span>
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      {state.kind === 'loaded' && documents.length === 0 && (
        <p className={layout.soft}>
          {changes ? 'None yet. Add slides, joining instructions or a risk assessment, for delegates or for trainers only.' : 'There are none.'}
        </p>
      )}
      {documents.length > 0 && (
        <DocumentList
          documents={documents}
          about={(d) => `${d.added_by.name}, ${formatDay(d.added_at)}`}
          name={(d) => `session-document:${id}:${d.id}`}
          read={(d) => readSessionDocument(id, d.id)}
          more={(d) => {
            const editing = `edit-document-${d.id}`;
            return (
              <>
                <Badge tone={d.audience === 'delegates' ? 'ok' : 'plain'}>{d.audience === 'delegates' ? 'For delegates' : 'Trainers only'}</Badge>
                {changes && (
                  <>
                    <Button variant="subtle" disabled={!hasLine} aria-label={`Edit ${d.name}`} onClick={() => openModal(editing)}>
                      Edit …
                    </Button>
                    <RegisteredModal name={editing} title="Edit the document">
                      {() => <Edit {...{ register, dialog: editing, document: d, onSaved: retry }} />}
                    </RegisteredModal>
                  </>
                )}
              </>
            );
          }}
        />
      )}
      {asOf && <AsOf at={asOf} onRetry={retry} />}
      <RegisteredModal name={adding} title="Add a document">
        {() => <Add {...{ register, dialog: adding, onSaved: retry }} />}
      </RegisteredModal>
    </Section>
  );
};
