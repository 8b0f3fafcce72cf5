import { Checkbox, TextInput } from '@mantine/core';
import { Fragment, useState } from 'react';
import { can } from '#contract/can.ts';
import { mayHandOn, type PermissionCategory, type PermissionId, type PermissionSlug, permissions } from '#contract/permissions.ts';
import { useSession } from '#src/access/session.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/features/permissions/permissions.module.css';
import { useAction } from '#src/screens/use-action.ts';
import { roles } from '#src/screens/table/row.tsx';
import { IconSearch } from '#src/ui/icons.tsx';
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
  /** Where the caller cannot change it. */
  readOnly?: boolean;
  held: readonly number[];
  change: (permission: PermissionId, grant: boolean) => Promise<Result<readonly { id: number }[]>>;
};
type Done = { granted: string; revoked: string };
type TickProps = {
  name: string;
  column: Column;
  permission: PermissionId;
  held: boolean;
  disabled: boolean | undefined;
  said: Done;
  onHeld: (all: readonly { id: number }[]) => void;
};
const Tick = ({ name, column, permission, held, disabled, said, onHeld }: TickProps) => {
  const { run, busy } = useAction((grant: boolean) => column.change(permission, grant), {
    success: held ? said.revoked : said.granted,
    onDone: onHeld,
  });
  return (
    <Checkbox
      size="md"
      aria-label={`${name}: ${column.title}`}
      checked={held}
      disabled={disabled || busy}
      onChange={(e) => void run(e.currentTarget.checked)}
    />
  );
};
/** `need`: the permission to grant and revoke permissions here. */
type Props = { need: PermissionSlug; columns: readonly Column[]; said: Done };

/**
 * Every permission, described in words, with who holds it. A tick is sent immediately, and shown as the server
 * answers. Permissions that the user does not hold are visible but disabled.
 */
export const PermissionMatrix = ({ need, columns, said }: Props) => {
  const user = useSession();
  const [typed, setTyped] = useState('');
  const [known, setKnown] = useState<Record<string, readonly number[]>>({});
  const mayChange = can(user, need);
  const words = typed.trim().toLowerCase();
  const shown = permissions.filter((p) => words === '' || `${p.name} ${p.description} ${p.slug} ${p.id}`.toLowerCase().includes(words));
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section className={`app-card ${classes.scroll}`} aria-label="Permissions" tabIndex={0}>
          <table {...roles.table} className={classes.matrix}>
            <thead {...roles.group}>
              <tr {...roles.row}>
                <th {...roles.head} scope="col">
                  Permission
                </th>
                {columns.map((c) => (
                  <th key={c.id} {...roles.head} scope="col">
                    {c.title}
                    {c.about && <small>{c.about}</small>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody {...roles.group}>
              {(Object.keys(categories) as PermissionCategory[]).map((category) => {
                const rows = shown.filter((p) => p.category === category);
                return (
                  rows.length > 0 && (
                    <Fragment key={category}>
                      <tr {...roles.row} className={classes.category}>
                        <th {...roles.first} colSpan={columns.length + 1} scope="rowgroup">
                          {categories[category]}
                        </th>
                      </tr>
                      {rows.map((p) => (
                        <tr key={p.id} {...roles.row}>
                          <th {...roles.first} scope="row">
                            {p.name}
                            <small>{p.description}</small>
                          </th>
                          {columns.map((c) => (
                            <td key={c.id} {...roles.cell} data-label={c.title}>
                              <Tick
                                name={p.name}
                                column={c}
                                permission={p.id}
                                held={(known[c.id] ?? c.held).includes(p.id)}
                                disabled={!mayChange || c.readOnly || !mayHandOn(user, p.slug)}
                                said={said}
                                onHeld={(all) => setKnown((before) => ({ ...before, [c.id]: all.map(({ id }) => id) }))}
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
