import { Button, Title } from '@mantine/core';
import { useParams } from 'react-router-dom';
import { call } from '#src/api/call.ts';
import { formatMegabytes, formatMoment } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconDownload } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

/** A report that was sent as a link. */
export const Component = () => {
  const { id = '' } = useParams();
  const params = { id };
  const { state, retry } = useRead('GET /reports/deliveries/{id}', { params });
  const take = useAction(async () => {
    const result = await call('GET /reports/deliveries/{id}/file', { params });
    if (result.kind === 'ok') saveFile(result.data, result.headers.get('Content-Disposition'), 'report');
    return result;
  });
  const report = state.kind === 'loaded' ? state.data : null;
  const isThere = report?.expires_at != null && Date.parse(report.expires_at) > Date.now();
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {report?.title ?? 'A report for you'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the report" offline="This report needs a connection." />
      {report && (
        <section className={`app-card ${layout.block}`} aria-label="The file">
          <p className={layout.count}>
            {report.ended_at && `Made on ${formatMoment(report.ended_at)}`}
            {report.bytes !== null && ` · ${formatMegabytes(report.bytes)}`}
          </p>
          {isThere && report.expires_at ? (
            <>
              <p>You can download it until {formatMoment(report.expires_at)}.</p>
              <div>
                <Button leftSection={<IconDownload size={20} />} loading={take.busy} onClick={() => void take.run()}>
                  Download
                </Button>
              </div>
            </>
          ) : (
            <p>This report is no longer available here. Request a new one.</p>
          )}
        </section>
      )}
    </div>
  );
};
