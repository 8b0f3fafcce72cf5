import layout from '#src/ui/page.module.css';
import { Button, FileButton, Input, Progress } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Evidence, evidenceLimits } from '#contract/entities/bulk-event.ts';
import { upload } from '#src/api/upload.ts';
import { formatMegabytes } from '#src/lib/format.ts';
import { useAction } from '#src/screens/use-action.ts';

type Props = { value: Evidence | null; error?: ReactNode; 'data-field'?: string; onChange: (to: Evidence | null) => void };

/** An evidence file, uploaded as soon as it is chosen. */
export const EvidenceChoice = ({ value: evidence, error, onChange, ...wrapper }: Props) => {
  const [sent, setSent] = useState({ name: '', part: 0 });
  const [problem, setProblem] = useState<string | null>(null);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const sending = useAction(
    (file: File) => {
      const controller = new AbortController();
      control.current = controller;
      const onProgress = (part: number) => setSent({ name: file.name, part });
      onProgress(0);
      return upload<Evidence>(`/users/evidence?${new URLSearchParams({ file_name: file.name.slice(-200) })}`, file, onProgress, controller.signal);
    },
    { onDone: onChange, onFailed: ({ evidence: about, whole }) => setProblem(about ?? whole ?? 'This file could not be sent.') },
  );
  const send = (file: File | null) => {
    if (!file) return;
    const tooLarge = file.size > evidenceLimits.bytes;
    setProblem(tooLarge ? `“${file.name}” is ${formatMegabytes(file.size)}; ${formatMegabytes(evidenceLimits.bytes)} is the most.` : null);
    if (!tooLarge) void sending.run(file);
  };
  return (
    <Input.Wrapper
      {...wrapper}
      label="Evidence"
      size="md"
      description="For example, a certificate or a signed register: a PDF or a picture. Where a picture was taken is not kept."
      error={problem ?? error}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <div className={layout.tools} style={{ marginTop: 6 }}>
        {evidence && <span>{evidence.name}</span>}
        <FileButton accept={evidenceLimits.accept} onChange={send}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              loading={sending.busy}
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
      {sending.busy && <Progress value={sent.part * 100} aria-label={`Sending ${sent.name}`} />}
    </Input.Wrapper>
  );
};
