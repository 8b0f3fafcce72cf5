import { Button } from '@mantine/core';
import { can } from '#contract/can.ts';
import { complianceRowsReport } from '#contract/reports/compliance.ts';
import { mayTakeAs } from '#contract/reports/report.ts';
import { useSession } from '#src/access/session.ts';
import { tooLarge } from '#src/features/compliance-report/report-view.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { ReportMailButton } from '#src/screens/report-files.tsx';
import type { Read } from '#src/screens/use-read.ts';
import { IconMail } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';

/** Shown until the report has loaded. One that would take too long is offered by e-mail. */
export const ReportPlaceholder = ({ state, retry, asked }: Pick<Read<unknown>, 'state' | 'retry'> & { asked: object }) => {
  const me = useSession();
  const format = (['xlsx', 'pdf'] as const).find((kind) => mayTakeAs(complianceRowsReport, kind, (need) => can(me, need)));
  return state.kind === 'error' && state.code === tooLarge ? (
    <div role="alert">
      <EmptyState
        icon={<IconMail size={36} />}
        title={format ? 'Have it sent instead?' : 'Too large to wait for'}
        action={
          <div className={layout.tools}>
            {format && <ReportMailButton report={complianceRowsReport} filter={asked} format={format} />}
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          </div>
        }
      >
        {state.message}
        {format && ' By e-mail it is made all the same, and sent to you when it is ready.'}
      </EmptyState>
    </div>
  ) : (
    <ReadPlaceholder state={state} retry={retry} loading="Counting the compliance report" offline="The compliance report needs a connection." />
  );
};
