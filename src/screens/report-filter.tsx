import '@mantine/core/styles/Combobox.css';
import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { can } from '#contract/can.ts';
import { type MatrixFilter, starterFilters } from '#contract/matrix/filter.ts';
import { starterWords } from '#contract/matrix/words.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { choicesIn, type FilterList, plainFilter } from '#src/lib/report-filter.ts';
import { MultiPicker, type Option, rolesOf, tagsOf } from '#src/screens/pickers.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import { Segmented } from '#src/ui/segmented.tsx';

type Props = {
  filter: MatrixFilter;
  /** The names of what it chose, as far as they are known. */
  chosen: Partial<Record<FilterList, readonly Option[]>> | null;
  onChange: (filter: MatrixFilter) => void;
};

/**
 * Whom and what a report is about. The rules of the specification: choosing organisations clears the tags, clearing the people clears the job
 * roles, and clearing all of it brings new starters back.
 */
export const ReportFilter = ({ filter, chosen, onChange }: Props) => {
  const user = useSession();
  const acting = useActingAs();
  const { entitiesAltName, primaryComplianceAltName, secondaryComplianceAltName } = useBrand();
  const [open, setOpen] = useState(choicesIn(filter) > 0);
  const [known, setKnown] = useState<Partial<Record<FilterList, readonly Option[]>>>({});
  const slug = acting?.slug ?? user?.primary_entity.slug ?? '';
  const optionsOf = (list: FilterList): Option[] =>
    filter[list].map((id) => [...(known[list] ?? []), ...(chosen?.[list] ?? [])].find((o) => o.id === id) ?? { id, name: '…' });
  const choose = (list: FilterList, options: readonly Option[]) => {
    setKnown({ ...known, [list]: options });
    const next = { ...filter, [list]: options.map((o) => o.id) };
    if (list === 'entities' && options.length > 0) next.tags = [];
    if (list === 'users' && options.length === 0 && filter.users.length > 0) next.roles = [];
    onChange(next);
  };
  const count = choicesIn(filter);
  const requirements = [
    { value: 'primary', label: primaryComplianceAltName },
    { value: 'secondary', label: secondaryComplianceAltName },
    { value: 'all', label: 'Both' },
  ];
  const sees = {
    roles: can(user, ['role.view', 'role.view_read_only', 'user.role']),
    tags: can(user, ['tag.view', 'tag.manage', 'tag.link', 'tag.use']),
  };
  return (
    <section className={`app-card ${layout.block}`} aria-label="What is shown">
      <div className={layout.controls}>
        <div>
          <Segmented
            aria-label="Requirements"
            data={requirements}
            value={filter.compliance_type}
            onChange={(to) => onChange({ ...filter, compliance_type: to as MatrixFilter['compliance_type'] })}
          />
        </div>
        <Button variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Fewer choices' : count > 0 ? `Choices (${count})` : 'Choose people and courses'}
        </Button>
        {count > 0 && (
          <Button
            variant="subtle"
            onClick={() => {
              setKnown({});
              onChange({ ...plainFilter, compliance_type: filter.compliance_type });
            }}
          >
            Clear all
          </Button>
        )}
      </div>
      {open && (
        <div className={form.pair}>
          {can(user, 'entity.search') && (
            <MultiPicker
              from="organisations"
              label={entitiesAltName}
              placeholder="All"
              value={optionsOf('entities')}
              onChange={(to) => choose('entities', to)}
            />
          )}
          {sees.roles && (
            <MultiPicker from={rolesOf(slug)} label="Job roles" placeholder="All" value={optionsOf('roles')} onChange={(to) => choose('roles', to)} />
          )}
          {sees.tags && (
            <MultiPicker from={tagsOf(slug)} label="Tags" placeholder="Any" value={optionsOf('tags')} onChange={(to) => choose('tags', to)} />
          )}
          {can(user, 'user.search') && (
            <MultiPicker from="people" label="People" placeholder="Everybody" value={optionsOf('users')} onChange={(to) => choose('users', to)} />
          )}
          <MultiPicker
            from="courses"
            label="Courses"
            placeholder="All that are required"
            value={optionsOf('courses')}
            onChange={(to) => choose('courses', to)}
          />
          <Select
            label="New starters"
            allowDeselect={false}
            data={starterFilters.map((value) => ({ value, label: starterWords[value] }))}
            value={filter.new_starters_filter}
            onChange={(to) => to && onChange({ ...filter, new_starters_filter: to as MatrixFilter['new_starters_filter'] })}
          />
        </div>
      )}
    </section>
  );
};
