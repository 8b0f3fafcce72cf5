import { Button } from '@mantine/core';

import { Link, Navigate, useParams } from 'react-router-dom';
import { type Content, type ContentType, contentTypes } from '#contract/entities/authored-content.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/content-creator/content-creator.module.css';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';
import { useList } from '#src/screens/use-list.ts';
import { formatDay, formatMegabytes } from '#src/lib/format.ts';
import { IconBook, IconChevronRight } from '#src/ui/icons.tsx';

const titles: Partial<Record<ContentType, string>> = {
  elearning: 'E-learning',
  scorm: 'SCORM courses',
  face2face: 'Face-to-face courses',
  historical: 'Historical courses',
};

const List = ({ type, title }: { type: ContentType; title: string }) => {
  const user = useSession();
  const load = (query: { page: number; search: string }, signal: AbortSignal) => call('GET /content', { query: { ...query, type } }, { signal });
  const list = useList(['contents', type], load);
  const line = (c: Content) => (
    <>
      <span>
        <strong>{c.title}</strong>
        <small>
          {[
            c.course.title,
            ...(c.package?.manifest.kind === 'scorm' ? [`SCORM ${c.package.manifest.standard}`, formatMegabytes(c.package.bytes)] : []),
            c.editable ? `changed ${formatDay(c.updated_at)}` : `from ${c.entity.name}`,
          ].join(' · ')}
        </small>
      </span>
      {!c.published && (
        <span className={layout.badge} data-tone="warning">
          Draft
        </span>
      )}
    </>
  );
  return (
    <ListPage
      words={{
        title,
        one: type === 'scorm' ? 'a course' : 'a content',
        many: type === 'scorm' ? 'courses' : 'contents',
        looksAt: 'Title or course',
        none: type === 'scorm' ? 'No courses yet' : 'No contents yet',
        first: type === 'scorm' ? 'Upload the package (.zip) of a course that your organisation has bought or made.' : 'Your organisation has none.',
        failed: texts.failedToFetchContent,
      }}
      list={list}
      icon={<IconBook size={36} />}
      add={
        type === 'scorm' &&
        user &&
        can(user, 'content.create') && (
          <Button component={Link} to={pathTo('content-creator-content-scorm-create')}>
            Add a SCORM course
          </Button>
        )
      }
      row={(c) =>
        type === 'scorm' && c.editable && user && can(user, 'content.update') ? (
          <Link to={pathTo('content-creator-content-scorm-update-by-id', { id: c.id })} className={`app-card ${classes.activity}`}>
            {line(c)}
            <IconChevronRight size={22} />
          </Link>
        ) : (
          <div className={`app-card ${classes.activity}`}>{line(c)}</div>
        )
      }
    />
  );
};

/** The contents of one type that the organisation has made or was given. */
export const Component = () => {
  const { type = '' } = useParams();
  const known = contentTypes.find((t) => t === type);
  const title = known && titles[known];
  return title ? <List key={known} type={known} title={title} /> : <Navigate to={`${pathTo('404')}?resource=page`} replace />;
};
