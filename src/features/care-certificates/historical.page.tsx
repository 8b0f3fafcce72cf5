import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { HistoricalCertificate } from '#contract/entities/historical-certificate.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { findPeople } from '#src/api/find.ts';
import classes from '#src/features/care-certificates/certificates.module.css';
import { HistoricalForm } from '#src/features/care-certificates/historical-form.tsx';
import { formatDay } from '#src/lib/format.ts';
import { useList } from '#src/screens/use-list.ts';
import { IconCertificate, IconChevronRight } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';
import { SearchedSelect } from '#src/ui/searched-select.tsx';

const load = (query: { page: number; search: string }, signal: AbortSignal) =>
  call('GET /historical-care-certificates', { query: { page: query.page, search: query.search } }, { signal });

const Add = ({ onDone }: { onDone: (added: boolean) => void }) => {
  const [who, setWho] = useState<{ id: string; title: string } | null>(null);
  return (
    <HistoricalForm
      begun={{ achieved_on: '', issuer: '', note: '' }}
      beside={
        <Button variant="default" onClick={() => onDone(false)}>
          Cancel
        </Button>
      }
      onSave={async (fields) => {
        if (!who) return { user_id: 'Choose who has it.' };
        const result = await call('POST /historical-care-certificates', { body: { ...fields, user_id: who.id } });
        if (result.kind !== 'ok') return fieldErrorsOf(result);
        notify('success', `Noted for ${who.title}.`);
        onDone(true);
        return {};
      }}
    >
      <SearchedSelect
        label="Who"
        placeholder="Name or e-mail address"
        nothing="Nobody of this name"
        search={findPeople}
        value={who}
        onChange={setWho}
      />
    </HistoricalForm>
  );
};

/** Care certificates that people brought with them. */
export const Component = () => {
  const brand = useBrand();
  const list = useList<HistoricalCertificate>(['certificates from elsewhere'], load);
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
      narrowing={
        adding && (
          <Add
            onDone={(added) => {
              setAdding(false);
              if (added) list.retry();
            }}
          />
        )
      }
      row={(row) => (
        <Link to={pathTo('care-certificate-historical-update-by-uuid', { uuid: row.id })} className={`app-card ${classes.row}`}>
          <span>
            <strong>{row.user.name}</strong>
            <small className={layout.soft}>
              {row.place} · achieved {formatDay(row.achieved_on)}, signed off by {row.issuer}
            </small>
          </span>
          <IconChevronRight size={22} />
        </Link>
      )}
    />
  );
};
