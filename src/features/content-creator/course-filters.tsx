import '@mantine/core/styles/Combobox.css';
import { Select } from '@mantine/core';
import { can } from '#contract/can.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { useReadOf } from '#src/screens/use-read.ts';

/** The filters of the list of courses, by their names in the address. */
export const narrowedBy = ['category_id', 'role_id', 'type_id'] as const;
type By = (typeof narrowedBy)[number];
const labels: Record<By, string> = { category_id: 'Category', role_id: 'For the job role', type_id: 'For the user type' };

type Props = { chosen: Partial<Record<string, string>>; onChange: (chosen: Partial<Record<string, string>>) => void };
/** Filters the list of courses: by category, and by the job role or user type to which they are restricted. */
export const CourseFilters = ({ chosen, onChange }: Props) => {
  const user = useSession();
  const slug = useActingAs()?.slug ?? user?.primary_entity.slug ?? '';
  const sees = {
    category_id: can(user, 'entity.courses'),
    role_id: can(user, ['role.view', 'role.view_read_only', 'user.role']),
    type_id: can(user, ['type.view', 'permission.update', 'permission.view', 'user.type']),
  };
  const { state } = useReadOf(['what narrows courses', slug, sees], async (signal) => {
    const input = [{ params: { slug } }, { signal, quiet: true }] as const;
    const [categories, roles, types] = await Promise.all([
      sees.category_id ? call('GET /entities/{slug}/course-categories', ...input) : null,
      sees.role_id ? call('GET /entities/{slug}/roles', ...input) : null,
      sees.type_id ? call('GET /entities/{slug}/types', ...input) : null,
    ]);
    const named = (answer: typeof categories | typeof roles | typeof types) =>
      answer?.kind === 'ok' ? answer.data.map(({ id, name }) => ({ value: id, label: name })) : [];
    return { kind: 'ok', data: { category_id: named(categories), role_id: named(roles), type_id: named(types) } };
  });
  const lists = state.kind === 'loaded' ? state.data : null;
  // A filter without options is left out, unless the address uses it.
  const shown = narrowedBy.filter((by) => (lists?.[by].length ?? 0) > 0 || chosen[by]);
  return shown.map((by) => (
    <Select
      key={by}
      label={labels[by]}
      placeholder="Any"
      clearable
      searchable
      clearButtonProps={{ 'aria-label': `${labels[by]}: any` }}
      nothingFoundMessage="No match"
      data={lists?.[by] ?? []}
      value={chosen[by] ?? null}
      onChange={(to) => {
        const { [by]: _before, ...others } = chosen;
        onChange(to ? { ...others, [by]: to } : others);
      }}
    />
  ));
};
