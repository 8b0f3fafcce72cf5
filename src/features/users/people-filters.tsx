import layout from '#src/ui/page.module.css';
import '@mantine/core/styles/Combobox.css';
import { Button, Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import { can } from '#contract/can.ts';
import { type PeopleStanding, peopleStandings } from '#contract/entities/dashboard.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import form from '#src/ui/form.module.css';
import classes from '#src/features/users/users.module.css';
import { type Option, Picker } from '#src/screens/pickers.tsx';

/** The filters of the list of people, by their names in the address. */
export const narrowedBy = ['standing', 'entity', 'role_id', 'type_id', 'tag_id'] as const;
const standingWords: Record<PeopleStanding, string> = {
  overdue: 'Overdue',
  soon: 'Red within 30 days',
  starters: 'New starters',
  none: 'Nothing due',
};
type By = (typeof narrowedBy)[number];
type Named = { id: string; name: string };

type Props = { chosen: Partial<Record<string, string>>; onChange: (by: By, value: string | null) => void; onClear: () => void };

/** Filters the list of people: by organisation, job role, user type and tag. */
export const PeopleFilters = ({ chosen, onChange, onClear }: Props) => {
  const user = useSession();
  const acting = useActingAs();
  const { entityAltName } = useBrand();
  const [open, setOpen] = useState(narrowedBy.some((by) => by !== 'standing' && chosen[by] !== undefined));
  const [place, setPlace] = useState<Option | null>(chosen.entity ? { id: chosen.entity, name: chosen.entity } : null);
  const [lists, setLists] = useState<{ role_id: Named[]; type_id: Named[]; tag_id: Named[] }>({ role_id: [], type_id: [], tag_id: [] });
  const slug = chosen.entity ?? acting?.slug ?? user?.primary_entity.slug;
  const sees = {
    role_id: can(user, ['role.view', 'role.view_read_only', 'user.role']),
    type_id: can(user, ['type.view', 'permission.update', 'permission.view', 'user.type']),
    tag_id: can(user, ['tag.view', 'tag.manage', 'tag.link', 'tag.use']),
  };
  const { role_id: roles, type_id: types, tag_id: tags } = sees;
  useEffect(() => {
    if (!open || !slug) return;
    let isUnmounted = false;
    void Promise.all([
      roles ? call('GET /entities/{slug}/roles', { params: { slug } }, { quiet: true }) : null,
      types ? call('GET /entities/{slug}/types', { params: { slug } }, { quiet: true }) : null,
      tags ? call('GET /entities/{slug}/tags', { params: { slug } }, { quiet: true }) : null,
    ]).then(([r, t, g]) => {
      const named = (answer: typeof r | typeof t | typeof g) => (answer?.kind === 'ok' ? answer.data.map(({ id, name }) => ({ id, name })) : []);
      if (!isUnmounted) setLists({ role_id: named(r), type_id: named(t), tag_id: named(g) });
    });
    return () => {
      isUnmounted = true;
    };
  }, [open, slug, roles, types, tags]);
  const standing = (
    <Select
      label="Training"
      placeholder="Any"
      clearable
      clearButtonProps={{ 'aria-label': 'Training: any' }}
      data={peopleStandings.map((value) => ({ value, label: standingWords[value] }))}
      value={chosen.standing ?? null}
      onChange={(to) => onChange('standing', to)}
    />
  );
  if (!open)
    return (
      <div className={`${layout.tools} ${classes.narrowing}`}>
        {standing}
        <Button variant="default" aria-expanded={false} onClick={() => setOpen(true)}>
          More filters
        </Button>
      </div>
    );
  const choice = (field: 'role_id' | 'type_id' | 'tag_id', label: string) =>
    sees[field] && (
      <Select
        label={label}
        placeholder="Any"
        clearable
        searchable
        clearButtonProps={{ 'aria-label': `${label}: any` }}
        nothingFoundMessage="No match"
        data={lists[field].map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen[field] ?? null}
        onChange={(to) => onChange(field, to)}
      />
    );
  return (
    <section className={`app-card ${form.group}`} aria-label="More filters">
      <div className={form.pair}>
        {standing}
        {can(user, 'entity.search') && (
          <Picker
            from="organisations"
            label={entityAltName}
            placeholder="Any"
            value={place}
            onChange={(to) => {
              setPlace(to);
              onChange('entity', to?.slug ?? null);
            }}
          />
        )}
        {choice('role_id', 'Job role')}
        {choice('type_id', 'User type')}
        {choice('tag_id', 'Tag')}
      </div>
      <div className={layout.tools}>
        <Button
          variant="default"
          onClick={() => {
            setPlace(null);
            setOpen(false);
            onClear();
          }}
        >
          Clear these filters
        </Button>
      </div>
    </section>
  );
};
