import { administrating, permissionIdOf, permissions, personalPermissions } from '#contract/permissions.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';

const needed: number[] = administrating.map(permissionIdOf);
const granting: number[] = [permissionIdOf('permission.update')];
const personal: ReadonlySet<number> = new Set(personalPermissions.map(permissionIdOf));

/** Whether a person administers their organisation: only then can a change of them leave it without anybody. */
export const administers = async (tx: Db, personId: string): Promise<boolean> =>
  (await tx.one<{ holds: boolean }>(sql`select holds_all(${personId}, ${needed}::int[]) as holds`))?.holds === true;

/**
 * Makes a change that may take an organisation's last administrator: refused, with the whole transaction, if an organisation at or below
 * `top` that somebody could administer would have nobody left. Two such changes in one tree wait for each other.
 */
export const keepingAdministrators = async <T>(tx: Db, top: string, change: () => Promise<T>): Promise<T> => {
  const without = () => tx.all<{ id: string }>(sql`select id from left_without_administrator(${top}, ${needed}::int[]) as id`);
  await tx.one(sql`select lock_administrators(${top})`);
  const before = new Set((await without()).map((e) => e.id));
  const done = await change();
  if ((await without()).some((e) => !before.has(e.id))) throw new ProductError('last_administrator');
  return done;
};

/** Takes permissions away, unless nobody of the organisation or above it could give one of them back. */
export const keepingPermissions = async <T>(tx: Db, entityId: string, ids: readonly number[], change: () => Promise<T>): Promise<T> => {
  const given = async () => {
    const rows = await tx.all<{ id: number }>(sql`select id from permissions_to_give(${entityId}, ${granting}::int[]) as id`);
    return new Set(rows.map((p) => p.id));
  };
  const before = await given();
  const done = await change();
  const after = await given();
  const lost = permissions.filter(({ id }) => ids.includes(id) && !personal.has(id) && before.has(id) && !after.has(id));
  if (lost.length > 0)
    throw new ProductError('last_administrator', {
      message: `Nobody could give this back: ${lost.map((p) => p.name).join(', ')}. Give it to somebody else who can edit permissions first.`,
    });
  return done;
};
