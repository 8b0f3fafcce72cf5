import { Button, FileButton, Input, Progress } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type Evidence, evidenceLimits } from '#contract/entities/bulk-event.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { upload } from '#src/api/upload.ts';
import { formatMegabytes } from '#src/lib/format.ts';
import form from '#src/ui/form.module.css';

type Props = { evidence: Evidence | null; error: string | undefined; onChange: (to: Evidence | null) => void };

/** A file that proves what is recorded: sent as soon as it is chosen. */
export const EvidenceChoice = ({ evidence, error, onChange }: Props) => {
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const send = async (file: File | null) => {
    if (!file) return;
    if (file.size > evidenceLimits.bytes)
      return setProblem(`“${file.name}” is ${formatMegabytes(file.size)}; ${formatMegabytes(evidenceLimits.bytes)} is the most.`);
    setProblem(null);
    const mine = new AbortController();
    control.current = mine;
    setSending({ name: file.name, part: 0 });
    const about = new URLSearchParams({ file_name: file.name.slice(-200) });
    const result = await upload<Evidence>(`/users/evidence?${about}`, file, (part) => setSending({ name: file.name, part }), mine.signal);
    if (mine.signal.aborted) return;
    setSending(null);
    if (result.kind === 'ok') onChange(result.data);
    else {
      const { evidence: about, whole } = fieldErrorsOf(result);
      setProblem(about ?? whole ?? 'This file could not be sent.');
    }
  };
  return (
    <Input.Wrapper
      label="Evidence"
      size="md"
      description="For example, a certificate or a signed register: a PDF or a picture. Where a picture was taken is not kept."
      error={problem ?? error}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <div className={form.actions} style={{ marginTop: 6 }}>
        {evidence && <span>{evidence.name}</span>}
        <FileButton accept={evidenceLimits.accept} onChange={(file) => void send(file)}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              loading={sending !== null}
              aria-label={evidence ? 'Choose another file as evidence' : 'Choose a file as evidence'}
            >
              {evidence ? 'Choose another file' : 'Choose a file'}
            </Button>
          )}
        </FileButton>
        {evidence && (
          <Button variant="subtle" color="gray" onClick={() => onChange(null)}>
            Remove the file
          </Button>
        )}
      </div>
      {sending && <Progress value={sending.part * 100} aria-label={`Sending ${sending.name}`} />}
    </Input.Wrapper>
  );
};
