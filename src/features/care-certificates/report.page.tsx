import '@mantine/core/styles/Chip.css';
import { Button, Chip } from '@mantine/core';
import { useState } from 'react';
import type { CareReportFilter } from '#contract/api/care-reports.ts';
import type { CertificateRow } from '#contract/entities/care-certificate.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import { downloadCareReport } from '#src/device/download-certificate.ts';
import { CertificateLine } from '#src/features/care-certificates/certificate-line.tsx';
import { formatDay } from '#src/lib/format.ts';
import { useList } from '#src/screens/use-list.ts';
import { IconCertificate, IconDownload } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';

const states: Record<keyof CareReportFilter, string> = {
  includeApproved: 'Approved',
  includeAwaitingApproval: 'Waiting for approval',
  includeWorkingTowards: 'Working towards',
  includeOutstanding: 'Nothing recorded yet',
};
const names = Object.keys(states) as (keyof CareReportFilter)[];
/** All but those that stand in the address. */
const filterOf = (without: string | undefined): CareReportFilter => {
  const left = (without ?? '').split(',');
  return Object.fromEntries(names.map((n) => [n, !left.includes(n)])) as CareReportFilter;
};
const load = (query: { page: number; search: string }, signal: AbortSignal, more: Partial<Record<string, string>>) =>
  call('POST /reports/care-certificate', { query: { page: query.page, search: query.search }, body: filterOf(more.without) }, { signal });
const narrowedBy = ['without'] as const;

/** Care certificates of everybody, by how far they have got; as a table for spreadsheets, too. */
export const Component = () => {
  const brand = useBrand();
  const list = useList<CertificateRow>(['care certificate report'], load, narrowedBy);
  const filter = filterOf(list.more.without);
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const failed = await downloadCareReport(filter);
    setBusy(false);
    if (failed) notify('error', failed);
  };
  const choose = (chosen: string[]) => {
    const without = names.filter((n) => !chosen.includes(n)).join();
    list.setMore(without ? { without } : {});
  };
  return (
    <ListPage
      words={{
        ...{ title: `${brand.certificateGroupMenuName}: report`, one: 'a person', many: 'people', looksAt: 'Name', none: 'Nobody is on it yet' },
        ...{ first: 'People appear here once they have been put on it.', failed: 'The report could not be loaded.' },
      }}
      list={list}
      icon={<IconCertificate size={36} />}
      add={
        <Button variant="default" leftSection={<IconDownload size={20} />} loading={busy} onClick={() => void download()}>
          Table for spreadsheets
        </Button>
      }
      narrowing={
        <Chip.Group multiple value={names.filter((n) => filter[n])} onChange={choose}>
          <fieldset className={layout.filters} style={{ border: 0, margin: 0, padding: 0 }}>
            <legend className="visually-hidden">Which certificates</legend>
            {names.map((n) => (
              <Chip key={n} value={n} size="md" variant="light">
                {states[n]}
              </Chip>
            ))}
          </fieldset>
        </Chip.Group>
      }
      row={(row) => (
        <CertificateLine row={{ ...row, about: [row.role, row.place, `since ${formatDay(row.assigned_at)}`].filter(Boolean).join(' · ') }} />
      )}
    />
  );
};
