import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { type Import, type ImportKind, importKindNames } from '#contract/entities/import.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { bringableKinds, kindName, namesOf, stateTone, stateWords } from '#src/features/importer/import-words.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { IconUpload } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { Badge } from '#src/ui/badge.tsx';

const isKind = (text: string): text is ImportKind => (importKindNames as string[]).includes(text);
const load = ({ filter, ...query }: ListQuery<(typeof sorts.imports)[number]>, signal: AbortSignal) =>
  call('GET /importer/imports', { query: { ...query, ...(isKind(filter) ? { kind: filter } : {}) } }, { signal });

/** All imports, with their authors and results. */
export const Component = () => {
  const brand = useBrand();
  const list = useList(['imports'], load, { sortedBy: sorts.imports });
  const mayBring = bringableKinds(useSession());
  const stateOf = (one: Import) => (one.unresolved > 0 ? `${countOf(one.unresolved, 'row')} with problems` : stateWords[one.state]);
  const columns: readonly Column<Import>[] = [
    { id: 'file', header: 'File', sort: 'file_name', width: 200, grow: 1.4, value: (one) => one.file_name },
    { id: 'kind', header: 'What', width: 120, grow: 0.6, value: (one) => kindName(one.kind, brand) },
    { id: 'place', header: 'Where', value: (one) => one.entity.name },
    { id: 'rows', header: 'Rows', width: 80, grow: 0.2, align: 'end', value: (one) => one.total },
    { id: 'by', header: 'By', value: namesOf },
    { id: 'at', header: 'When', sort: 'created_at', width: 160, grow: 0.5, value: (one) => formatMoment(one.created_at) },
    {
      ...{ id: 'state', header: 'Status', width: 180, grow: 0.5, keep: true, value: stateOf },
      cell: (one) => <Badge tone={one.unresolved > 0 ? 'danger' : stateTone[one.state]}>{stateOf(one)}</Badge>,
    },
  ];
  return (
    <ListPage
      words={{
        ...{ title: 'Imports', one: 'an import', many: 'imports', looksAt: 'File, organisation or person', none: 'Nothing has been imported yet' },
        ...{ first: 'Import people, job roles and more from a table.', failed: 'The imports could not be loaded.' },
      }}
      list={list}
      icon={<IconUpload size={36} />}
      filters={[{ value: '', label: 'All' }, ...importKindNames.map((kind) => ({ value: kind, label: kindName(kind, brand) }))]}
      add={
        <div className={layout.tools}>
          <Button component={Link} to={pathTo('tasks-in-progress')} variant="default">
            Tasks in progress
          </Button>
          {mayBring.length > 0 && (
            <Button component={Link} to={pathTo('importer-create')}>
              Import a table
            </Button>
          )}
        </div>
      }
      columns={columns}
      to={(one) => pathTo('importer-logs-one', { id: one.id })}
    />
  );
};
