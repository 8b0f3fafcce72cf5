import { Button, FileButton, Progress, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { uploadImport } from '#contract/api/imports.ts';
import { fieldsOf, type Import, type ImportKind, importLimits } from '#contract/entities/import.ts';
import { encodingOf, type TableEncoding } from '#contract/rules/table-encoding.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import type { FieldErrors } from '#src/api/field-errors.ts';
import { upload } from '#src/api/upload.ts';
import { EncodingChoice } from '#src/features/importer/encoding-choice.tsx';
import { bringableKinds, kindName } from '#src/features/importer/import-words.ts';
import { formatMegabytes } from '#src/lib/format.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { schemaErrors } from '#src/screens/schema-errors.ts';
import { useAction } from '#src/screens/use-action.ts';
import { IconUpload } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { type Option, Picker } from '#src/screens/pickers.tsx';
import { Segmented } from '#src/ui/segmented.tsx';

/** How much of a file is read to detect its encoding. */
const headBytes = 1_000_000;
const example = (kind: ImportKind) =>
  Object.values(fieldsOf(kind))
    .map((f) => f.label)
    .join(', ');

/** Chooses the kind of import, the organisation and the file. Changes nothing; the next page shows the plan. */
export const Component = () => {
  const user = useSession();
  const acting = useActingAs();
  const brand = useBrand();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const kinds = bringableKinds(user);
  const [kind, setKind] = useState<ImportKind>(kinds.find((k) => k === query.get('kind')) ?? kinds[0] ?? 'people');
  const ownEntity = acting ?? user?.primary_entity;
  const [place, setPlace] = useState<Option | null>(ownEntity ?? null);
  const [sent, setSent] = useState({ name: '', part: 0 });
  const [errors, setErrors] = useState<FieldErrors>({});
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const [question, setQuestion] = useState<{ file: File; head: Uint8Array; guess: TableEncoding } | null>(null);
  const choose = async (file: File | null) => {
    if (!file) return;
    setQuestion(null);
    // Errors of the previous file no longer apply.
    setErrors({});
    // Workbooks declare their encoding. Unreadable files are sent to the server, which explains the problem.
    const head = await file
      .slice(0, headBytes)
      .arrayBuffer()
      .then(
        (b) => new Uint8Array(b),
        () => null,
      );
    const zipped = head?.[0] === 0x50 && head[1] === 0x4b;
    const found = head && !zipped ? encodingOf(head, file.size > head.length) : null;
    if (head && found?.sure === false) setQuestion({ file, head, guess: found.encoding });
    else await send(file);
  };
  const sending = useAction(
    (file: File, query: object) => {
      const controller = new AbortController();
      control.current = controller;
      const onProgress = (part: number) => setSent({ name: file.name, part });
      onProgress(0);
      return upload<Import>(`/importer/imports?${new URLSearchParams({ ...query })}`, file, onProgress, controller.signal);
    },
    {
      onDone: ({ id }) => void navigate(pathTo('importer-logs-one', { id })),
      onFailed: (wrong) => !control.current?.signal.aborted && setErrors(wrong),
    },
  );
  const send = async (file: File, encoding?: TableEncoding) => {
    const about = { kind, organisation: place?.slug, file_name: file.name.slice(-200), ...(encoding ? { encoding } : {}) };
    const query = uploadImport.query.safeParse(about);
    if (!query.success) return setErrors(schemaErrors(query.error));
    if (file.size > importLimits.bytes)
      return setErrors({
        whole: `“${file.name}” is ${formatMegabytes(file.size)}; the limit is ${formatMegabytes(importLimits.bytes)}. Split the table.`,
      });
    setErrors({});
    await sending.run(file, query.data);
  };
  if (kinds.length === 0)
    return (
      <EmptyState order={1} icon={<IconUpload size={36} />} title="You can view imports but not start one">
        To import a table, you need permission to add and change these records yourself. Ask your administrator.
      </EmptyState>
    );
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Import a table
      </Title>
      <Form form={{ errors, busy: sending.busy, submit: (event) => event.preventDefault() }} save={false}>
        <FormSection title="Contents">
          <Segmented
            aria-label="Contents of the table"
            fullWidth
            orientation={matchMedia('(max-width: 600px)').matches ? 'vertical' : 'horizontal'}
            data={kinds.map((k) => ({ value: k, label: kindName(k, brand) }))}
            value={kind}
            onChange={(k) => setKind(k as ImportKind)}
          />
          <p className={layout.count}>Recognised columns: {example(kind)}. Other column names can be matched in the next step.</p>
          <Picker
            from="organisations"
            label="For"
            description="Used for rows without an organisation of their own."
            value={place}
            error={errors.organisation}
            data-field="organisation"
            onChange={setPlace}
          />
        </FormSection>
        <FormSection title="The file">
          <p className={layout.count}>
            A CSV file or the first sheet of an Excel workbook (.xlsx), with column names in the first row; up to{' '}
            {importLimits.rows.toLocaleString('en-GB')} rows. Nothing is changed yet: you will see a preview first.
          </p>
          <div className={layout.tools}>
            <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv" onChange={(file) => void choose(file)}>
              {(button) => (
                <Button {...button} loading={sending.busy}>
                  Choose a file
                </Button>
              )}
            </FileButton>
          </div>
          {sending.busy && <Progress value={sent.part * 100} aria-label={`Sending ${sent.name}`} />}
        </FormSection>
        {question && !sending.busy && (
          <EncodingChoice
            key={question.file.name + question.file.lastModified}
            name={question.file.name}
            head={question.head}
            guess={question.guess}
            onChosen={(encoding) => void send(question.file, encoding)}
            onCancel={() => setQuestion(null)}
          />
        )}
      </Form>
    </div>
  );
};
