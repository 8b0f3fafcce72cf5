import { Button } from '@mantine/core';
import type { Content } from '#contract/entities/authored-content.ts';
import { call } from '#src/api/call.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { useAction } from '#src/screens/use-action.ts';
import { IconDownload } from '#src/ui/icons.tsx';

/** Exports the working copy of an e-learning content as a file, for another organisation or server. */
export const ExportButton = ({ content: { id } }: { content: Pick<Content, 'id'> }) => {
  const take = useAction(async () => {
    const result = await call('GET /content/{id}/export', { params: { id } });
    if (result.kind === 'ok') saveFile(result.data, result.headers.get('Content-Disposition'), 'course.zip');
    return result;
  });
  return (
    <Button variant="default" leftSection={<IconDownload size={20} />} loading={take.busy} onClick={() => void take.run()}>
      Export
    </Button>
  );
};
