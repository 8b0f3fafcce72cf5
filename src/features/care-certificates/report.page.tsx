import { Chip } from '@mantine/core';
import type { CertificateRow } from '#contract/entities/care-certificate.ts';
import { pathTo } from '#contract/site-map.ts';
import {
  type CareReportFilter,
  type CareReportState,
  careCertificateReport,
  careReportStateNames,
  careReportStates,
} from '#contract/reports/care-certificate.ts';
import { CertificateState } from '#src/features/care-certificates/certificate-line.tsx';
import { ReportPage } from '#src/screens/report-page.tsx';
import { IconCertificate } from '#src/ui/icons.tsx';
import shapes from '#src/ui/shapes.module.css';

/** All filters except those in the address. */
const filterOf = ({ without }: Partial<Record<string, string>>): CareReportFilter => {
  const left = (without ?? '').split(',');
  return Object.fromEntries(careReportStateNames.map((n) => [n, !left.includes(n)])) as Record<CareReportState, boolean>;
};

const chosenOf = (filter: CareReportFilter): Partial<Record<string, string>> => {
  const without = careReportStateNames.filter((n) => !filter[n]).join();
  return without ? { without } : {};
};

const cells = { State: (row: CertificateRow) => <CertificateState row={row} /> };

/** Everybody's care certificates, by stage. */
export const Component = () => (
  <ReportPage
    report={careCertificateReport}
    words={{
      ...{ one: 'a person', many: 'people', looksAt: 'Name', none: 'Nobody has been added yet' },
      first: 'People appear here once they have been added to it.',
    }}
    icon={<IconCertificate size={36} />}
    choices={['without']}
    filterOf={filterOf}
    chosenOf={chosenOf}
    filters={(filter, choose, saved) => (
      <>
        <Chip.Group
          multiple
          value={careReportStateNames.filter((n) => filter[n])}
          onChange={(chosen) => {
            choose(chosenOf(Object.fromEntries(careReportStateNames.map((n) => [n, chosen.includes(n)])) as CareReportFilter));
          }}
        >
          <fieldset className={`${shapes.bare} ${shapes.filters}`}>
            <legend className="visually-hidden">Which certificates</legend>
            {careReportStateNames.map((n) => (
              <Chip key={n} value={n} size="md" variant="light">
                {careReportStates[n]}
              </Chip>
            ))}
          </fieldset>
        </Chip.Group>
        {saved}
      </>
    )}
    to={(row) => pathTo('care-certificate-by-uuid', { uuid: row.id })}
    cells={cells}
  />
);
