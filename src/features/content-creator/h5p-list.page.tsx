import { Button, TextInput, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/content-creator/content-creator.module.css';
import { kindOf } from '#src/features/content-creator/h5p-form.tsx';
import { usePagedList } from '#src/lib/use-paged-list.ts';
import { countOf, formatDay, formatMegabytes } from '#src/lib/format.ts';
import { IconBook, IconChevronRight, IconSearch } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

const load = (query: { page: number; search: string }, signal: AbortSignal) => call('GET /h5ps', { query }, { signal });

/** The H5P activities of the organisation, the newest first. */
export const Component = () => {
  const { state, page, search, typed, setTyped, goTo, retry } = usePagedList(load);
  const add = (
    <Button component={Link} to={pathTo('content-creator-h5ps-create')}>
      Add an activity
    </Button>
  );
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          H5P activities
        </Title>
        {add}
      </div>
      <TextInput
        label="Find an activity"
        placeholder="Title or kind"
        type="search"
        leftSection={<IconSearch size={20} />}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
      {state === 'loading' && <LoadingState label="Loading activities" />}
      {state === 'offline' && <OfflineState what="The list of activities needs a connection." onRetry={retry} />}
      {state === 'error' && <ErrorState message={texts.failedToFetchH5ps} onRetry={retry} />}
      {typeof state === 'object' && state.rows.length === 0 && (
        <EmptyState icon={<IconBook size={36} />} title={search ? `Nothing found for “${search}”` : 'No activities yet'}>
          {search ? 'Try a part of the title, or of its kind.' : 'Upload an H5P file (.h5p) to use it in the topics of your courses.'}
        </EmptyState>
      )}
      {typeof state === 'object' && state.rows.length > 0 && (
        <>
          <p className={classes.count} role="status">
            {countOf(state.meta.total, 'activity', 'activities')}
          </p>
          <ul className={layout.list}>
            {state.rows.map((h5p) => (
              <li key={h5p.id}>
                <Link to={pathTo('content-creator-h5ps-update-by-id', { id: h5p.id })} className={`app-card ${classes.activity}`}>
                  <span>
                    <strong>{h5p.title}</strong>
                    <small>{[kindOf(h5p.package), formatMegabytes(h5p.package.bytes), `changed ${formatDay(h5p.updated_at)}`].join(' · ')}</small>
                  </span>
                  <IconChevronRight size={22} />
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
