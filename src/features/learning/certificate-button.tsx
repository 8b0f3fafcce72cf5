import { Button } from '@mantine/core';
import { useState } from 'react';
import { downloadCertificate } from '#src/device/download-certificate.ts';
import { IconCertificate } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

/** Downloads the certificate of a result. Shows a message when offline. */
export const CertificateButton = ({ resultId, courseTitle }: { resultId: string; courseTitle: string }) => {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const problem = await downloadCertificate(resultId);
    setBusy(false);
    if (problem) notify('error', problem);
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
