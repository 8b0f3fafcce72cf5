import { type Db, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';
import { hashOf } from '#server/security/secrets.ts';
import type { Actor } from '#server/actor.ts';

/** The message about an address that belongs to somebody, here or elsewhere. */
export const addressInUse = 'This address cannot be used: it may belong to somebody already.';
export const tooManyInUse = 'Too many addresses could not be used today. Try again tomorrow.';
/** How often a day an organisation may learn this: enough for typing errors, too little for guessing a list. */
export const answersADay = 50;
const dayMs = 86_400_000;

/** Counted separately: after a large import somebody can still be added by hand. */
type Way = 'by hand' | 'import';
const keyOf = (actor: Actor, way: Way) => hashOf(`address-in-use:${way}:${actor.user.primary_entity.id}`);

/**
 * An address signs in one person, so adding people reveals which addresses are in use elsewhere. How often an organisation learns it is
 * therefore counted, except for people who see everybody anyway.
 */
export const answersLeft = async (on: Db, actor: Actor, way: Way, now: Date): Promise<number> => {
  if (actor.seesAll) return Number.POSITIVE_INFINITY;
  const counted = await on.one<{ failures: number }>(
    sql`select failures from sign_in_failures where key = ${keyOf(actor, way)} and last_at > ${new Date(now.getTime() - dayMs)}`,
  );
  return answersADay - (counted?.failures ?? 0);
};

export const noteAnswers = async (on: Db, actor: Actor, way: Way, now: Date, times = 1): Promise<void> => {
  if (actor.seesAll || times === 0) return;
  await on.run(sql`insert into sign_in_failures (key, failures, last_at) values (${keyOf(actor, way)}, ${times}, ${now})
    on conflict (key) do update set last_at = excluded.last_at,
      failures = excluded.failures + case when sign_in_failures.last_at > ${new Date(now.getTime() - dayMs)} then sign_in_failures.failures else 0 end`);
};

/**
 * Runs `work` for a single person, which may reveal that an address is in use, and counts it if it does; refuses if that was revealed too
 * often today.
 */
export const countingAnswers = async <T>(db: Db, actor: Actor, now: () => Date, work: () => Promise<T>): Promise<T> => {
  if ((await answersLeft(db, actor, 'by hand', now())) <= 0) throw new ProductError('too_many_attempts', { message: tooManyInUse });
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProductError && error.fields?.email?.includes(addressInUse)) await noteAnswers(db, actor, 'by hand', now());
    throw error;
  }
};
