import '@mantine/core/styles/Chip.css';
import { Chip } from '@mantine/core';
import { certificateReport, type ReportedCertificate } from '#contract/reports/certificate.ts';
import { certificateStates } from '#contract/reports/filter.ts';
import { pathTo } from '#contract/site-map.ts';
import { downloadCertificates } from '#src/device/download-certificate.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { countOf } from '#src/lib/format.ts';
import type { BulkAction } from '#src/screens/table/bulk-bar.tsx';
import { IconCertificate } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import shapes from '#src/ui/shapes.module.css';

const names = Object.keys(certificateStates) as (keyof typeof certificateStates)[];
const download: readonly BulkAction<ReportedCertificate>[] = [
  {
    ...{ label: 'Download certificates', fits: (row) => row.state === 'includeApproved' },
    question: (rows) => `${countOf(rows.length, 'certificate')}, as one ZIP file.`,
    all: async (rows) => {
      const failed = await downloadCertificates({ result_ids: rows.flatMap((r) => r.result_id ?? []) }, (text) => notify('info', text));
      return failed ? { done: [], gone: [], failed: [failed] } : { done: rows, gone: [], failed: [] };
    },
    done: (count) => `${countOf(count, 'certificate')} saved as a file.`,
  },
];

/** Who has which certificate, who is working towards one, and where one is outstanding. */
export const Component = () => (
  <FilteredReport
    report={certificateReport}
    words={{
      ...{ one: 'a certificate', many: 'certificates', looksAt: 'Name, course or number', none: 'No certificates' },
      first: 'A certificate appears here when somebody completes a course, or a job role requires one.',
    }}
    icon={<IconCertificate size={36} />}
    to={(row) => (row.result_id ? pathTo('results-by-id', { id: row.result_id }) : pathTo('users-by-uuid', { uuid: row.user.id }))}
    bulk={download}
    own={(filter, change) => (
      <Chip.Group
        multiple
        value={names.filter((n) => filter[n])}
        onChange={(chosen) => change({ ...filter, ...Object.fromEntries(names.map((n) => [n, chosen.includes(n)])) })}
      >
        <fieldset className={`${shapes.bare} ${shapes.filters}`}>
          <legend className="visually-hidden">Which certificates</legend>
          {names.map((n) => (
            <Chip key={n} value={n} size="md" variant="light">
              {certificateStates[n]}
            </Chip>
          ))}
        </fieldset>
      </Chip.Group>
    )}
  />
);
