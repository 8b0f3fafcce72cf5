import { Button, Progress } from '@mantine/core';
import { can } from '#contract/can.ts';
import { mayTakeAs, type Report, type ReportFormat } from '#contract/reports/report.ts';
import type { reports } from '#contract/reports/reports.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call, type EndpointKey } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';
import { countOf } from '#src/lib/format.ts';
import { useAction } from '#src/screens/use-action.ts';
import type { ReportFile } from '#src/screens/use-report-file.ts';
import { notify } from '#src/ui/notify.ts';
import { IconAlert, IconDownload, IconMail } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { mailSaid } from '#src/screens/mail-waits.tsx';

const labels: Record<ReportFormat, { label: string; name: string }> = {
  xlsx: { label: 'Excel', name: 'Excel workbook' },
  csv: { label: 'CSV', name: 'CSV table' },
  pdf: { label: 'PDF', name: 'PDF document' },
};

type Props = { report: Pick<Report, 'files'>; file: ReportFile };
/** The downloads of a report: a button for each file format that the person may have. */
export const ReportFileButtons = ({ report, file: { making, take }, formats }: Props & { formats: readonly ReportFormat[] }) => {
  const me = useSession();
  const hasLine = useLine();
  return formats
    .filter((format) => mayTakeAs(report, format, (need) => can(me, need)))
    .map((format) => (
      <Button
        key={format}
        variant="default"
        leftSection={<IconDownload size={20} />}
        disabled={!hasLine || (making !== null && making.format !== format)}
        loading={making?.format === format}
        aria-label={`Download as ${labels[format].name}`}
        onClick={() => void take(format)}
      >
        {labels[format].label}
      </Button>
    ));
};

type MailProps = { report: Report; filter: object; search?: string; sort?: string; format: ReportFormat };
/** Sends a report to the person by e-mail, in a format that they may have. */
export const ReportMailButton = ({ report, filter, search = '', sort = '', format }: MailProps) => {
  const me = useSession();
  const hasLine = useLine();
  const { requested, failed } = report.mailTexts ?? { requested: texts.reportRequested, failed: texts.failedToRequestReport };
  const mail = useAction(
    () => {
      const key = `POST ${report.path}` as EndpointKey & `POST ${(typeof reports)[number]['path']}`;
      return call(key, { query: { search, ...(sort ? { sort } : {}) }, body: { ...filter, emailFormat: format } });
    },
    {
      success: mailSaid(me, requested),
      onFailed: ({ whole }) => notify('error', whole && whole !== texts.fallback ? whole : failed),
    },
  );
  return (
    mayTakeAs(report, format, (need) => can(me, need)) && (
      <Button
        variant="default"
        leftSection={<IconMail size={20} />}
        disabled={!hasLine}
        loading={mail.busy}
        aria-label={`E-mail me the ${labels[format].name}`}
        onClick={() => void mail.run()}
      >
        E-mail
      </Button>
    )
  );
};

/** The progress of a slow file, or why there is none. */
export const ReportFileState = ({ file: { making, failed, stop } }: Pick<Props, 'file'>) => (
  <>
    {making?.progress && (
      <section aria-label="Your file" className={`app-card ${layout.block}`}>
        <p role="status">
          {making.takingLong ? 'This takes a while. ' : ''}
          Your file is being made: {making.progress.rows} of {countOf(making.progress.total, 'row')}.
        </p>
        <Progress value={making.progress.progress * 100} size="lg" radius="xl" aria-label="How far your file is" />
        <p className={layout.count}>You may leave this page: choose the same again within 15 minutes, and the file is there.</p>
        <Button variant="default" onClick={stop}>
          Stop waiting
        </Button>
      </section>
    )}
    {failed && (
      <p className={layout.notice} data-tone="danger" role="alert">
        <IconAlert size={20} /> {failed}
      </p>
    )}
  </>
);
