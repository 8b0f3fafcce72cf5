import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import type { CertificateRow } from '#contract/entities/care-certificate.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { currentActingAs, currentUser, useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import classes from '#src/features/care-certificates/certificates.module.css';
import { fetchCertificate } from '#src/device/certificates-here.ts';
import { personDb } from '#src/offline/store/person-db.ts';
import { CertificateLine, CertificateState } from '#src/features/care-certificates/certificate-line.tsx';
import { useKeptCertificates } from '#src/features/care-certificates/use-certificate.ts';
import { formatDay } from '#src/lib/format.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { IconCertificate } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { Picker } from '#src/screens/pickers.tsx';
import { EmptyState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** The certificates on this device, shown offline. */
const Kept = ({ search, onRetry }: { search: string; onRetry: () => void }) => {
  const kept = useKeptCertificates();
  if (!kept) return <LoadingState label="Looking on this device" />;
  if (kept.length === 0)
    return <OfflineState what="The list of certificates needs a connection. Those that you open once are kept on this device." onRetry={onRetry} />;
  const sought = search.trim().toLowerCase();
  const found = kept.filter((v) => v.certificate.user.name.toLowerCase().includes(sought));
  return (
    <>
      <div className={`${layout.notice} ${layout.between}`} data-tone="warning" role="status">
        <span>No connection. These certificates are on this device, with what was recorded on it.</span>
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </div>
      {found.length === 0 && (
        <EmptyState icon={<IconCertificate size={36} />} title={`Nobody found for “${search}”`}>
          Others need a connection.
        </EmptyState>
      )}
      <ul className={layout.list}>
        {found.map(({ certificate, progress }) => (
          <li key={certificate.id}>
            <CertificateLine
              row={{
                ...certificate,
                about: `since ${formatDay(certificate.assigned_at)}`,
                ...{ met: progress.met, of: progress.of, standards_met: progress.standards_met, standards_of: progress.standards.length },
                waiting: progress.complete && !certificate.approved_at,
                approval_ended: !certificate.approved_at && certificate.approvals.at(-1)?.approved === true,
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
};

const load = async (query: ListQuery<(typeof sorts.certificates)[number]>, signal: AbortSignal) => {
  const { filter, ...rest } = query;
  const state = filter === 'complete' || filter === 'in_progress' ? filter : 'either';
  const result = await call('GET /care-certificates', { query: { ...rest, state } }, { signal });
  // The user's own is stored completely, even if only the list was opened.
  const me = currentUser()?.uuid;
  const ownRow = result.kind === 'ok' && !currentActingAs() ? result.data.find((row) => row.user.id === me) : undefined;
  if (ownRow && me) void fetchCertificate(personDb(me), ownRow.id).catch(() => undefined);
  return result;
};

const columns: readonly Column<CertificateRow>[] = [
  { id: 'name', header: 'Name', sort: 'name', width: 180, grow: 1.2, value: (c) => c.user.name },
  { id: 'role', header: 'Job role', value: (c) => c.role ?? '' },
  { id: 'place', header: 'Workplace', sort: 'place', value: (c) => c.place },
  { id: 'standards', header: 'Standards', width: 110, grow: 0.3, value: (c) => `${c.standards_met} of ${c.standards_of}` },
  { id: 'observed', header: 'Last observed', width: 130, grow: 0.3, value: (c) => (c.last_observed_at ? formatDay(c.last_observed_at) : '') },
  { id: 'begun', header: 'Begun', sort: 'assigned_at', width: 120, grow: 0.3, value: (c) => formatDay(c.assigned_at) },
  {
    ...{ id: 'state', header: 'Criteria met', width: 240, grow: 0.6, keep: true },
    value: (c) =>
      c.approved_at
        ? `Approved ${formatDay(c.approved_at)}`
        : c.waiting
          ? 'Awaiting approval'
          : `${c.approval_ended ? 'Approval ended: ' : ''}${c.met} of ${c.of}`,
    cell: (c) => <CertificateState row={c} />,
  },
];

/** The care certificates of the user's people, with their progress. */
export const Component = () => {
  const user = useSession();
  const brand = useBrand();
  const navigate = useNavigate();
  const list = useList(['care certificates'], load, { sortedBy: sorts.certificates });
  const [assigning, setAssigning] = useState(false);
  const looksAfter = can(user, ['user.search', 'record.search']);
  const assign = async (person: { id: string; name: string }) => {
    const result = await call('POST /care-certificates', { body: { user_id: person.id } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', `${person.name} has been added.`);
    void navigate(pathTo('care-certificate-by-uuid', { uuid: result.data.id }));
  };
  return (
    <ListPage
      words={{
        ...{ title: brand.certificateGroupMenuName, one: 'a person', many: 'people', looksAt: 'Name' },
        none: looksAfter ? 'Nobody has been added yet' : `You have no ${brand.certificateGroupMenuName} yet`,
        first: can(user, 'care_certificate.assign')
          ? 'Add somebody: they are then observed standard by standard.'
          : 'It appears here once your manager has added you.',
        failed: 'The certificates could not be loaded.',
      }}
      list={list}
      findable={looksAfter}
      icon={<IconCertificate size={36} />}
      filters={
        looksAfter
          ? [
              { value: '', label: 'All' },
              { value: 'in_progress', label: 'In progress' },
              { value: 'complete', label: 'Complete' },
            ]
          : undefined
      }
      add={
        can(user, [
          'care_certificate.assign',
          'care_certificate.report',
          'observation.create',
          'care_certificate.historical',
          'care_certificate.approve',
        ]) && (
          <div className={layout.tools}>
            {can(user, 'observation.create') && (
              <Button variant="default" component={Link} to={`${pathTo('learner-events')}?ready=1`}>
                Ready for tomorrow
              </Button>
            )}
            {can(user, 'care_certificate.approve') && (
              <Button variant="default" component={Link} to={pathTo('care-certificate-overview')}>
                Overview
              </Button>
            )}
            {can(user, 'care_certificate.report') && (
              <Button variant="default" component={Link} to={pathTo('reports-care-certificate')}>
                Report
              </Button>
            )}
            {can(user, 'care_certificate.historical') && (
              <Button variant="default" component={Link} to={pathTo('care-certificate-historical')}>
                From elsewhere
              </Button>
            )}
            {can(user, 'care_certificate.assign') && !assigning && <Button onClick={() => setAssigning(true)}>Add somebody</Button>}
            {assigning && (
              <div className={classes.assign}>
                <Picker from="people" label="Who" value={null} onChange={(person) => person && void assign(person)} />
              </div>
            )}
          </div>
        )
      }
      offline={<Kept search={list.search} onRetry={list.retry} />}
      columns={columns}
      to={(row) => pathTo('care-certificate-by-uuid', { uuid: row.id })}
    />
  );
};
