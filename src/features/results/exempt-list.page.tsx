import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import type { Result } from '#contract/entities/result.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import { lastValidDay } from '#contract/rules/result-dates.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { IconCertificate } from '#src/ui/icons.tsx';

const load: LoadPage<Result, (typeof sorts.results)[number]> = ({ filter: _none, ...query }, signal) =>
  call('GET /results', { query: { ...query, type: 'exempt' } }, { signal });

const words = {
  title: 'Exemptions',
  one: 'an exemption',
  many: 'exemptions',
  looksAt: 'Person or course',
  none: 'Nobody is exempt from a course',
  first: 'Who need not take a course appears here, with the reason and until when.',
  failed: 'The exemptions could not be fetched.',
};
const columns: readonly Column<Result>[] = [
  { id: 'name', header: 'Person', value: (r) => r.user.name, sort: 'name', width: 180 },
  { id: 'course', header: 'Course', value: (r) => r.course_title, sort: 'course', width: 180 },
  { id: 'reason', header: 'Reason', value: (r) => r.note, width: 200, grow: 1.4 },
  { id: 'since', header: 'Since', value: (r) => dayWords(dayIn(r.completed_at, r.zone)), sort: 'completed_at', width: 120, grow: 0.3 },
  {
    ...{ id: 'until', header: 'Until', sort: 'expires_at', width: 120, grow: 0.3, keep: true },
    value: (r) => (r.expires_at ? dayWords(lastValidDay(r.expires_at, r.zone)) : 'No end'),
  },
  { id: 'by', header: 'Recorded by', value: (r) => r.recorded_by?.name ?? '', width: 160, grow: 0.5 },
];

/** Exemptions: who need not take which course, why, and until when. */
export const Component = () => {
  const me = useSession();
  const list = useList(['exemptions'], load, { sortedBy: sorts.results });
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconCertificate size={36} />}
      columns={columns}
      add={
        can(me, needOf('results-exempt-create')) && (
          <Button component={Link} to={pathTo('results-exempt-create')}>
            Add an exemption
          </Button>
        )
      }
      to={(r) => pathTo('results-by-id', { id: r.id })}
    />
  );
};
