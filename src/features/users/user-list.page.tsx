import { Button } from '@mantine/core';
import { type CSSProperties, useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { UserRow } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { columnOf, useColumns } from '#src/features/users/columns.ts';
import { KeptPeople } from '#src/features/users/kept-people.tsx';
import { Narrowing, narrowedBy } from '#src/features/users/narrowing.tsx';
import { Standing } from '#src/features/users/standing.tsx';
import classes from '#src/features/users/users.module.css';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import { keepTeam } from '#src/device/team.ts';
import { whenIdle } from '#src/lib/when-idle.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { IconPeople } from '#src/ui/icons.tsx';
import { ListPage } from '#src/screens/list-page.tsx';

const filters = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Working here' },
  { value: 'left', label: 'Left' },
];
const load: LoadPage<UserRow> = ({ filter, ...query }, signal, more) =>
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

/** The people one may see, with how each stands. */
export const Component = () => {
  const list = useList(['people'], load, narrowedBy);
  const me = useSession();
  const columns = useColumns();
  useEffect(() => whenIdle(() => void keepTeam().catch(() => undefined)), []);
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconPeople size={36} />}
      filters={filters}
      narrowing={
        <Narrowing
          chosen={list.more}
          onChange={(by, value) => {
            const { [by]: _before, ...others } = list.more;
            list.setMore(value === null ? others : { ...others, [by]: value });
          }}
          onClear={() => list.setMore({})}
        />
      }
      add={
        <div className={form.actions}>
          {can(me, needOf('importer-logs')) && (
            <Button variant="default" component={Link} to={pathTo('importer-logs')}>
              Imports
            </Button>
          )}
          {can(me, needOf('users-bulk-add-events')) && (
            <Button variant="default" component={Link} to={pathTo('users-bulk-add-events')}>
              Record training
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
      row={(user) => (
        <Link to={pathTo('users-by-uuid', { uuid: user.uuid })} className={`app-card ${classes.person}`}>
          <span className={classes.facts} style={{ '--columns': columns.length } as CSSProperties}>
            <strong>{user.name}</strong>
            {columns.map((column) => (
              <span key={column}>{columnOf[column](user)}</span>
            ))}
          </span>
          {user.disabled_at ? (
            <span className={layout.badge} data-tone="warning">
              Left
            </span>
          ) : (
            <Standing courses={user.courses} />
          )}
        </Link>
      )}
    />
  );
};
