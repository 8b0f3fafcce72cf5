import { Button } from '@mantine/core';
import { type NeedyPerson, type PeopleNeed, peopleNeeds } from '#contract/entities/dashboard.ts';
import { pathTo } from '#contract/site-map.ts';
import { call } from '#src/api/call.ts';
import { countOf, startWords } from '#src/lib/format.ts';
import { FewCourses } from '#src/screens/few-courses.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import { usePeopleActions } from '#src/screens/people-actions.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { useRead } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconPeople } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';

const needOfFilter = (filter: string): PeopleNeed => peopleNeeds.find((need) => need === filter) ?? 'overdue';
/** One organisation with all below it, if the address has one. */
const load: LoadPage<NeedyPerson> = ({ filter, sort: _none, ...query }, signal, { entity }) =>
  call('GET /dashboards/people', { query: { ...query, need: needOfFilter(filter), ...(entity ? { entity } : {}) } }, { signal });
/** The organisation of the list, with a link back to all. */
const Narrowed = ({ entity, onAll }: { entity: string; onAll: () => void }) => {
  const { state } = useRead('GET /dashboards/figures', { query: { entity } });
  const name = state.kind === 'loaded' ? state.data.entity?.name : null;
  return (
    <div className={shapes.filters}>
      {name && <p className={layout.count}>Only people of {name} and below it.</p>}
      <Button variant="default" onClick={onAll}>
        Show everybody
      </Button>
    </div>
  );
};
const filters = [
  { value: '', label: 'Overdue' },
  { value: 'soon', label: 'Red within 30 days' },
  { value: 'starters', label: 'New starters' },
];
const words = {
  title: 'People who need something',
  one: 'a person',
  many: 'people',
  looksAt: 'Name',
  none: 'Nobody has overdue training',
  first: 'People whose training is overdue appear here.',
  failed: 'The people could not be fetched.',
};
const statusOf = (person: NeedyPerson, need: PeopleNeed) =>
  need === 'overdue'
    ? ({ tone: 'danger', words: countOf(person.overdue, 'course overdue', 'courses overdue') } as const)
    : need === 'soon'
      ? ({ tone: 'warning', words: countOf(person.soon, 'course', 'courses') } as const)
      : ({ tone: 'plain', words: startWords(person.started_on) } as const);
const columnsOf = (need: PeopleNeed): readonly Column<NeedyPerson>[] => [
  { id: 'name', header: 'Name', value: (p) => p.name, width: 170 },
  { id: 'role', header: 'Job role', value: (p) => p.role, width: 140, grow: 0.6 },
  { id: 'place', header: 'Workplace', value: (p) => p.place, width: 150, grow: 0.6 },
  {
    ...{ id: 'courses', header: 'Courses', width: 260, grow: 2, value: (p) => p.courses.map((c) => c.title).join(', ') },
    cell: (p) => <FewCourses courses={p.courses} />,
  },
  {
    ...{ id: 'status', header: 'Status', width: 180, grow: 0.3, keep: true },
    value: (p) => statusOf(p, need).words,
    cell: (p) => <Badge tone={statusOf(p, need).tone}>{statusOf(p, need).words}</Badge>,
  },
];

/** The people behind a number of the manager dashboard, with bulk actions. */
export const Component = () => {
  const list = useList<NeedyPerson>(['dashboard people'], load, { narrowedBy: ['entity'] });
  const { entity } = list.more;
  const bulk = usePeopleActions<NeedyPerson>({ courses: (people) => people.flatMap((p) => p.courses.map((c) => c.id)) });
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconPeople size={36} />}
      filters={filters}
      narrowing={entity && <Narrowed entity={entity} onAll={() => list.setMore({})} />}
      columns={columnsOf(needOfFilter(list.filter))}
      to={(person) => pathTo('users-by-uuid', { uuid: person.id })}
      bulk={bulk}
    />
  );
};
