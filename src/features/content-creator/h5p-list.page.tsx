import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/content-creator/content-creator.module.css';
import { kindOf } from '#src/features/content-creator/h5p-form.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import { useList } from '#src/screens/use-list.ts';
import { formatDay, formatMegabytes } from '#src/lib/format.ts';
import { IconBook, IconChevronRight } from '#src/ui/icons.tsx';

const load = (query: { page: number; search: string }, signal: AbortSignal) => call('GET /h5ps', { query }, { signal });
const words = {
  title: 'H5P activities',
  one: 'an activity',
  many: 'activities',
  looksAt: 'Title or kind',
  none: 'No activities yet',
  first: 'Upload an H5P file (.h5p) to use it in the topics of your courses.',
  failed: texts.failedToFetchH5ps,
};

/** The H5P activities of the organisation, the newest first. */
export const Component = () => {
  const list = useList(['h5ps'], load);
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconBook size={36} />}
      add={
        <Button component={Link} to={pathTo('content-creator-h5ps-create')}>
          Add an activity
        </Button>
      }
      row={(h5p) => (
        <Link to={pathTo('content-creator-h5ps-update-by-id', { id: h5p.id })} className={`app-card ${classes.activity}`}>
          <span>
            <strong>{h5p.title}</strong>
            <small>{[kindOf(h5p.package), formatMegabytes(h5p.package.bytes), `changed ${formatDay(h5p.updated_at)}`].join(' · ')}</small>
          </span>
          <IconChevronRight size={22} />
        </Link>
      )}
    />
  );
};
