import { Checkbox, TextInput } from '@mantine/core';
import { Fragment, useState } from 'react';
import { texts } from '#contract/texts.ts';
import { can } from '#contract/can.ts';
import { mayHandOn, type PermissionCategory, type PermissionId, type PermissionSlug, permissions } from '#contract/permissions.ts';
import { useSession } from '#src/access/session.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/permissions/permissions.module.css';
import { IconSearch } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import { EmptyState } from '#src/ui/states.tsx';

const categories: Record<PermissionCategory, string> = {
  users: 'People',
  entities: 'Organisations',
  roles: 'Job roles',
  types: 'User types',
  permissions: 'Permissions',
  courses: 'Courses',
  content: 'Content',
  records: 'Training records',
  compliance: 'Compliance',
  certificates: 'Certificates',
  bookings: 'Bookings',
  reports: 'Reports',
  widgets: 'Dashboards and messages',
  libraries: 'Libraries',
  system: 'System',
};

export type Column = {
  id: string;
  title: string;
  about?: string;
  /** Where it is not the caller's to change. */
  readOnly?: boolean;
  held: readonly number[];
  change: (permission: PermissionId, grant: boolean) => Promise<Result<readonly { id: number }[]>>;
};
/** `need` is the permission to give and take them here. */
type Props = { need: PermissionSlug; columns: readonly Column[]; said: { granted: string; revoked: string } };

/**
 * Every permission with what it allows in words, and who holds it. A tick is sent when it is set, and shown as the server
 * then says it is. What one does not hold oneself one can see, and not give.
 */
export const PermissionMatrix = ({ need, columns, said }: Props) => {
  const user = useSession();
  const [typed, setTyped] = useState('');
  const [known, setKnown] = useState<Record<string, readonly number[]>>({});
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const mayChange = can(user, need);
  const words = typed.trim().toLowerCase();
  const shown = permissions.filter((p) => words === '' || `${p.name} ${p.description} ${p.slug} ${p.id}`.toLowerCase().includes(words));
  const set = async (column: Column, permission: PermissionId, grant: boolean) => {
    const key = `${column.id}:${permission}`;
    setBusy((all) => new Set(all).add(key));
    const result = await column.change(permission, grant);
    setBusy((all) => new Set([...all].filter((k) => k !== key)));
    if (result.kind === 'ok') {
      setKnown((all) => ({ ...all, [column.id]: result.data.map((p) => p.id) }));
      notify('success', grant ? said.granted : said.revoked);
    } else notify('error', Object.values(fieldErrorsOf(result))[0] ?? texts.fallback);
  };
  return (
    <>
      <TextInput
        label="Find a permission"
        placeholder="What it is called or allows"
        type="search"
        leftSection={<IconSearch size={20} />}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
      {shown.length === 0 ? (
        <EmptyState title={`Nothing found for “${typed.trim()}”`}>Try a part of what it is called.</EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section className={`app-card ${classes.scroll}`} aria-label="Permissions" tabIndex={0}>
          <table className={classes.matrix}>
            <thead>
              <tr>
                <th scope="col">Permission</th>
                {columns.map((c) => (
                  <th key={c.id} scope="col">
                    {c.title}
                    {c.about && <small>{c.about}</small>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {(Object.keys(categories) as PermissionCategory[]).map((category) => {
                const rows = shown.filter((p) => p.category === category);
                return (
                  rows.length > 0 && (
                    <Fragment key={category}>
                      <tr className={classes.category}>
                        <th colSpan={columns.length + 1} scope="rowgroup">
                          {categories[category]}
                        </th>
                      </tr>
                      {rows.map((p) => (
                        <tr key={p.id}>
                          <th scope="row">
                            {p.name}
                            <small>{p.description}</small>
                          </th>
                          {columns.map((c) => (
                            <td key={c.id}>
                              <Checkbox
                                size="md"
                                aria-label={`${p.name}: ${c.title}`}
                                checked={(known[c.id] ?? c.held).includes(p.id)}
                                disabled={!mayChange || c.readOnly || !mayHandOn(user, p.slug) || busy.has(`${c.id}:${p.id}`)}
                                onChange={(e) => void set(c, p.id, e.currentTarget.checked)}
                              />
                            </td>
                          ))}
                        </tr>
                      ))}
                    </Fragment>
                  )
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
};
