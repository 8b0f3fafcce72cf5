import { Button } from '@mantine/core';
import { useState } from 'react';
import { texts } from '#contract/texts.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { IconCertificate } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

/** Downloads the certificate of a result. Needs a connection, and says so. */
export const CertificateButton = ({ resultId, courseTitle }: { resultId: string; courseTitle: string }) => {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const result = await call('GET /results/{id}/certificate', { params: { id: resultId } });
    setBusy(false);
    if (result.kind === 'ok') saveFile(result.data, result.headers.get('Content-Disposition'), 'certificate.pdf');
    else
      notify(
        'error',
        result.kind === 'refused'
          ? `${texts.unableToDownload}: ${sentenceOf(result)}`
          : 'The certificate can be downloaded when there is a connection.',
      );
  };
  return (
    <Button
      variant="default"
      leftSection={<IconCertificate size={20} />}
      loading={busy}
      onClick={download}
      aria-label={`Download certificate of ${courseTitle}`}
    >
      Certificate
    </Button>
  );
};
