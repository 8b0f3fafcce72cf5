import { Button } from '@mantine/core';
import { useState } from 'react';
import { sorts } from '#contract/api/sorts.ts';
import type { HistoricalCertificate } from '#contract/entities/historical-certificate.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import { HistoricalForm } from '#src/features/care-certificates/historical-form.tsx';
import { formatDay } from '#src/lib/format.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { IconCertificate } from '#src/ui/icons.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';

const load = (query: ListQuery<(typeof sorts.historical)[number]>, signal: AbortSignal) =>
  call('GET /historical-care-certificates', { query }, { signal });
const columns: readonly Column<HistoricalCertificate>[] = [
  { id: 'name', header: 'Name', sort: 'name', width: 180, grow: 1.4, value: (h) => h.user.name },
  { id: 'place', header: 'Where they work', value: (h) => h.place },
  { id: 'achieved', header: 'Achieved', sort: 'achieved_on', width: 120, grow: 0.4, value: (h) => formatDay(h.achieved_on) },
  { id: 'issuer', header: 'Signed off by', value: (h) => h.issuer },
  { id: 'note', header: 'Note', value: (h) => h.note, optional: true },
  { id: 'added', header: 'Added by', value: (h) => `${h.added_by.name}, ${formatDay(h.added_at)}`, optional: true },
];

/** Care certificates that people brought with them. */
export const Component = () => {
  const brand = useBrand();
  const list = useList(['certificates from elsewhere'], load, { sortedBy: sorts.historical });
  const [adding, setAdding] = useState(false);
  return (
    <ListPage
      words={{
        ...{ title: `${brand.certificateGroupMenuName}: from elsewhere`, one: 'a person', many: 'people', looksAt: 'Name' },
        ...{
          none: 'Nobody has brought one yet',
          first: 'Note it for who has achieved theirs with another employer.',
          failed: 'The list could not be loaded.',
        },
      }}
      list={list}
      icon={<IconCertificate size={36} />}
      add={!adding && <Button onClick={() => setAdding(true)}>Add one</Button>}
      form={
        adding && (
          <HistoricalForm
            certificate={null}
            onSaved={() => {
              setAdding(false);
              list.retry();
            }}
            beside={
              <Button variant="default" onClick={() => setAdding(false)}>
                Cancel
              </Button>
            }
          />
        )
      }
      columns={columns}
      to={(row) => pathTo('care-certificate-historical-update-by-uuid', { uuid: row.id })}
    />
  );
};
