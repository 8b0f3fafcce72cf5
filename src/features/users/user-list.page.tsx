import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { userFieldNeeds, type UserRow } from '#contract/entities/user.ts';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { KeptPeople } from '#src/features/users/kept-people.tsx';
import { PeopleFilters, narrowedBy } from '#src/features/users/people-filters.tsx';
import { ComplianceBadge, complianceWords } from '#src/features/users/compliance-badge.tsx';
import { countOf, formatDay } from '#src/lib/format.ts';
import { downloadCertificates, downloadWalletCards } from '#src/device/download-certificate.ts';
import { keepTeam } from '#src/device/team.ts';
import { whenIdle } from '#src/lib/when-idle.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { IconPeople } from '#src/ui/icons.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import { usePeopleActions } from '#src/screens/people-actions.tsx';
import type { BulkAction } from '#src/screens/table/bulk-bar.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { Badge } from '#src/ui/badge.tsx';
import { notify } from '#src/ui/notify.ts';

const filters = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Working here' },
  { value: 'left', label: 'Left' },
];
const load: LoadPage<UserRow, (typeof sorts.people)[number]> = ({ filter, ...query }, signal, more) =>
  call('GET /users', { query: { ...query, ...more, ...(filter === 'active' || filter === 'left' ? { state: filter } : {}) } }, { signal });

const words = {
  title: 'People',
  one: 'a person',
  many: 'people',
  looksAt: 'Name or e-mail address',
  none: 'Nobody here yet',
  first: 'People appear here when they are added to your organisation.',
  failed: texts.failedToFetchUsers,
};

const columns: readonly Column<UserRow>[] = [
  { id: 'name', header: 'Name', value: (u) => u.name, sort: 'name', width: 180, grow: 1.4 },
  { id: 'role', header: 'Job role', value: (u) => [u.role, ...u.more_roles].flatMap((r) => r?.name ?? []).join(', '), sort: 'role' },
  { id: 'place', header: 'Workplace', value: (u) => u.primary_entity.name, sort: 'place' },
  { id: 'type', header: 'User type', value: (u) => u.type?.name ?? '', optional: true },
  { id: 'email', header: 'E-mail address', value: (u) => u.email, width: 220, optional: true },
  { id: 'started', header: 'Start date', value: (u) => formatDay(u.started_on), sort: 'started_on', width: 120, grow: 0.5 },
  { id: 'done', header: 'Completed', value: (u) => u.courses.completed, width: 110, grow: 0.3, align: 'end', optional: true },
  {
    ...{ id: 'status', header: 'Status', sort: 'standing', width: 220, grow: 0.3, keep: true },
    value: (u) => (u.disabled_at ? 'Left' : complianceWords(u.courses)),
    cell: (u) => (u.disabled_at ? <Badge tone="warning">Left</Badge> : <ComplianceBadge courses={u.courses} of={u} />),
  },
];
const people = (count: number) => countOf(count, 'person', 'people');
const setDisabled = (user: UserRow, disabled: boolean) => call('PATCH /users/{id}', { params: { id: user.id }, body: { disabled } }, { quiet: true });
const deactivating: readonly BulkAction<UserRow>[] = [
  {
    ...{ label: 'Deactivate', danger: true, fits: (u) => !u.disabled_at, each: (u) => setDisabled(u, true) },
    question: (users) =>
      `${people(users.length)} will be signed out everywhere. What they have done stays; their places on sessions to come go to others.`,
    done: (count) => `${people(count)} deactivated.`,
  },
  {
    ...{ label: 'Activate', fits: (u) => Boolean(u.disabled_at), each: (u) => setDisabled(u, false) },
    question: (users) => `${people(users.length)} will be able to sign in again.`,
    done: (count) => `${people(count)} activated.`,
  },
];

const handedOver = async (users: readonly UserRow[], problem: Promise<string | null>) => {
  const failed = await problem;
  return failed ? { done: [], gone: [], failed: [failed] } : { done: users, gone: [], failed: [] };
};
const say = (text: string) => void notify('info', text);
const certificates: readonly BulkAction<UserRow>[] = [
  {
    label: 'Certificates',
    question: (users) => `The newest certificate of each course of ${people(users.length)}, as one ZIP file.`,
    all: (users) => handedOver(users, downloadCertificates({ user_ids: users.map((u) => u.id) }, say)),
    done: (count) => `The certificates of ${people(count)} are saved as a file.`,
  },
  {
    ...{ label: 'Wallet cards', fits: (u) => !u.disabled_at },
    question: (users) => `Cards with what is in date, of ${people(users.length)}, to be printed and cut out.`,
    all: (users) =>
      handedOver(
        users,
        downloadWalletCards(
          users.map((u) => u.id),
          say,
        ),
      ),
    done: (count) => `The wallet cards of ${people(count)} are saved as a file.`,
  },
];

/** The people whom the user can see, with their compliance. */
export const Component = () => {
  const list = useList(['people'], load, { narrowedBy, sortedBy: sorts.people });
  const me = useSession();
  const peopleActions = usePeopleActions<UserRow>({ fits: (u) => !u.disabled_at });
  useEffect(() => whenIdle(() => void keepTeam().catch(() => undefined)), []);
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconPeople size={36} />}
      filters={filters}
      narrowing={
        <PeopleFilters
          chosen={list.more}
          onChange={(field, value) => {
            const { [field]: _before, ...others } = list.more;
            list.setMore(value === null ? others : { ...others, [field]: value });
          }}
          onClear={() => list.setMore({})}
        />
      }
      add={
        <div className={layout.tools}>
          {can(me, needOf('importer-logs')) && (
            <Button variant="default" component={Link} to={pathTo('importer-logs')}>
              Imports
            </Button>
          )}
          {can(me, 'user.create') && (
            <Button component={Link} to={pathTo('users-create')}>
              Add a person
            </Button>
          )}
        </div>
      }
      offline={<KeptPeople search={list.typed} filter={list.filter} onRetry={list.retry} />}
      columns={columns}
      to={(user) => pathTo('users-by-uuid', { uuid: user.uuid })}
      bulk={[...peopleActions, ...(can(me, 'certificate.user') ? certificates : []), ...(can(me, userFieldNeeds.disabled) ? deactivating : [])]}
    />
  );
};
