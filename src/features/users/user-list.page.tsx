import { TextInput, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { UserRow } from '#contract/entities/user.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/users/users.module.css';
import layout from '#src/ui/page.module.css';
import { usePagedList } from '#src/lib/use-paged-list.ts';
import { countOf } from '#src/lib/format.ts';
import { IconAlert, IconCheck, IconPeople, IconSearch } from '#src/ui/icons.tsx';
import { Pages } from '#src/ui/pages.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

const load = (query: { page: number; search: string }, signal: AbortSignal) => call('GET /users', { query }, { signal });

/** How a person stands, in words and with a sign. */
export const Standing = ({ courses }: { courses: UserRow['courses'] }) =>
  courses.overdue > 0 ? (
    <span className={layout.badge} data-tone="danger">
      <IconAlert size={18} />
      {courses.overdue} overdue
    </span>
  ) : courses.current > 0 ? (
    <span className={layout.badge} data-tone="warning">
      {courses.current} to do
    </span>
  ) : (
    <span className={layout.badge} data-tone="ok">
      <IconCheck size={18} />
      Up to date
    </span>
  );

/** The people one may see, with how each stands. */
export const Component = () => {
  const { state, page, search, typed, setTyped, goTo, retry } = usePagedList(load);
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        People
      </Title>
      <TextInput
        label="Find a person"
        placeholder="Name or e-mail address"
        type="search"
        leftSection={<IconSearch size={20} />}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
      {state === 'loading' && <LoadingState label="Loading people" />}
      {state === 'offline' && <OfflineState what="The list of people needs a connection." onRetry={retry} />}
      {state === 'error' && <ErrorState message={texts.failedToFetchUsers} onRetry={retry} />}
      {typeof state === 'object' && state.rows.length === 0 && (
        <EmptyState icon={<IconPeople size={36} />} title={search ? `Nobody found for “${search}”` : 'Nobody here yet'}>
          {search ? 'Try a part of the name, or of the e-mail address.' : 'People appear here when they are added to your organisation.'}
        </EmptyState>
      )}
      {typeof state === 'object' && state.rows.length > 0 && (
        <>
          <p className={classes.count} role="status">
            {countOf(state.meta.total, 'person', 'people')}
          </p>
          <ul className={layout.list}>
            {state.rows.map((user) => (
              <li key={user.id}>
                <Link to={pathTo('users-by-uuid', { uuid: user.uuid })} className={`app-card ${classes.person}`}>
                  <span>
                    <strong>{user.name}</strong>
                    <small>{[user.role?.name, user.primary_entity.name].filter(Boolean).join(' · ')}</small>
                  </span>
                  <Standing courses={user.courses} />
                </Link>
              </li>
            ))}
          </ul>
          <Pages last={state.meta.last_page} page={page} onGoTo={goTo} />
        </>
      )}
    </div>
  );
};
