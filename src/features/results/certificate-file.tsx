import { Button, FileButton, Input } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AddSubmission } from '#contract/commands/submission-commands.ts';
import { fromBase64 } from '#contract/rules/bytes.ts';
import classes from '#src/features/results/results.module.css';
import { formatMegabytes } from '#src/lib/format.ts';
import { bytesOf } from '#src/lib/picture.ts';
import { chosenFile, FileRefused } from '#src/screens/chosen-file.ts';
import { IconCamera, IconCertificate, IconUpload } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';

export type CertificateFile = AddSubmission['args']['file'];
const isPdf = (blob: Blob): 'application/pdf' | null => (blob.type === 'application/pdf' ? 'application/pdf' : null);
const rules = { typeOf: isPdf, kinds: 'a picture or a PDF', kept: 'What you have entered is kept.' };

const Picture = ({ data }: { data: string }) => {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([fromBase64(data)], { type: 'image/jpeg' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return url && <img className={classes.certificate} src={url} alt="The certificate" />;
};

type Props = {
  value: CertificateFile | null;
  /** The bytes of `value` in base64; null if they are not on this device. */
  data: string | null;
  error?: ReactNode;
  'data-field'?: string;
  onChoose: (file: CertificateFile, data: string) => Promise<void>;
};
/** The certificate's file: photographed with this device, or stored on it. Works offline. */
export const CertificateFileChoice = ({ value, data, error, onChoose, ...wrapper }: Props) => {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const again = useRef<() => void>(null);
  const choose = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    setProblem(null);
    try {
      const { blob, type } = await chosenFile(file, rules);
      const { data: whole, hash, bytes } = await bytesOf(blob);
      await onChoose({ name: file.name.trim().slice(-200) || 'Certificate', type, bytes, hash }, whole);
    } catch (refused) {
      setProblem(refused instanceof FileRefused ? refused.message : 'This file could not be kept. What you have entered is kept.');
    }
    setBusy(false);
    again.current?.();
  };
  return (
    <Input.Wrapper
      {...wrapper}
      label="Photograph or PDF"
      size="md"
      labelElement="div"
      description="All of the certificate, with your name on it. It is kept on this device until it has been sent."
      error={problem ?? error}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <div className={`${layout.stack} ${shapes.below}`}>
        {value && (
          <div className={`${layout.line} ${classes.chosen}`}>
            {value.type === 'image/jpeg' && data ? <Picture data={data} /> : <IconCertificate size={36} />}
            <span>
              <strong>{value.name}</strong>
              <small className={layout.soft}>{formatMegabytes(value.bytes)}</small>
            </span>
          </div>
        )}
        <div className={layout.tools}>
          <FileButton resetRef={again} accept="image/*" capture="environment" onChange={(file) => void choose(file)}>
            {(button) => (
              <Button {...button} variant={value ? 'default' : 'filled'} leftSection={<IconCamera size={20} />} loading={busy}>
                {value ? 'Photograph it again' : 'Photograph it'}
              </Button>
            )}
          </FileButton>
          <FileButton resetRef={again} accept="image/*,application/pdf" onChange={(file) => void choose(file)}>
            {(button) => (
              <Button {...button} variant="default" leftSection={<IconUpload size={20} />} loading={busy}>
                {value ? 'Choose another file' : 'Choose a file'}
              </Button>
            )}
          </FileButton>
        </div>
      </div>
    </Input.Wrapper>
  );
};
