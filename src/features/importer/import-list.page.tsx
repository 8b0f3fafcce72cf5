import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { type ImportKind, importKindNames } from '#contract/entities/import.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { bringableKinds, kindName, namesOf, stateTone, stateWords } from '#src/features/importer/import-words.ts';
import classes from '#src/features/importer/importer.module.css';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { useList } from '#src/screens/use-list.ts';
import { IconUpload } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';

const isKind = (text: string): text is ImportKind => (importKindNames as string[]).includes(text);
const load = ({ filter, ...query }: { page: number; search: string; filter: string }, signal: AbortSignal) =>
  call('GET /importer/imports', { query: { ...query, ...(isKind(filter) ? { kind: filter } : {}) } }, { signal });

/** All imports, with their authors and results. */
export const Component = () => {
  const brand = useBrand();
  const list = useList(['imports'], load);
  const mayBring = bringableKinds(useSession());
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
        mayBring.length > 0 && (
          <Button component={Link} to={pathTo('importer-create')}>
            Import a table
          </Button>
        )
      }
      row={(one) => (
        <Link to={pathTo('importer-logs-one', { id: one.id })} className={`app-card ${classes.row}`}>
          <span className={classes.line}>
            <strong>{one.file_name}</strong>
            <span className={layout.badge} data-tone={one.unresolved > 0 ? 'danger' : stateTone[one.state]}>
              {one.unresolved > 0 ? `${countOf(one.unresolved, 'row')} with problems` : stateWords[one.state]}
            </span>
          </span>
          <small>
            {[kindName(one.kind, brand), one.entity.name, countOf(one.total, 'row'), namesOf(one), formatMoment(one.created_at)].join(' · ')}
          </small>
        </Link>
      )}
    />
  );
};
