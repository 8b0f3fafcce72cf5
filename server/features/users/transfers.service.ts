import { addDays, dayIn, defaultTimeZone, endOfDay } from '#contract/rules/days.ts';
import { type Transfer, transferDays } from '#contract/entities/user.ts';
import { insertRow } from '#server/db/rows.ts';
import { entityAndAbove, hasCourse } from '#server/db/seen.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';
import { givenTo } from '#server/features/learning/contents.rows.ts';
import { type NewResult, recordResults } from '#server/features/results/results.service.ts';
import type { peopleWriter } from '#server/features/users/people.service.ts';
import { type PersonRow, personOf } from '#server/features/users/users.rows.ts';
import { newTypedCode, typedCode } from '#server/security/typed-codes.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { hashOf } from '#server/security/secrets.ts';
import type { By } from '#server/note-change.ts';

/** Replaces the address of the old account; the address goes with the person. */
const leftAddress = (id: string) => `left.${id}@transferred.invalid`;

/**
 * Transfers a leaver to their next organisation. Their results in courses that both organisations have are copied; the old organisation
 * keeps its record, and learns nothing of the new one. Their sign-in goes with them.
 */
export const transfersOf = (people: ReturnType<typeof peopleWriter>, now: () => Date) => ({
  state: async (on: Db, userId: string): Promise<Transfer> => {
    const row = await on.one<{
      expires_at: string;
      used_at: string | null;
    }>(sql`select ${instant(sql`expires_at`)} as expires_at, ${instant(sql`used_at`)} as used_at
      from transfers where user_id = ${userId} and (used_at is not null or expires_at > ${now()}) order by used_at is not null desc, made_at desc limit 1`);
    return row
      ? { state: row.used_at ? 'taken' : 'waiting', expires_at: row.used_at ? null : row.expires_at, taken_at: row.used_at }
      : { state: 'none', expires_at: null, taken_at: null };
  },
  /** Creates a code for a leaver. Earlier codes end. */
  begin: async (tx: Db, person: PersonRow): Promise<{ code: string; expires_at: string }> => {
    if (person.disabled_at === null) throw invalid('id', 'They have to have left first.');
    const usedCode = await tx.one(sql`select 1 as one from transfers where user_id = ${person.id} and used_at is not null`);
    const powerful = await tx.one(sql`select 1 as one from users where id = ${person.id} and super_admin`);
    if (usedCode || powerful)
      throw invalid('id', usedCode ? 'Their record has been taken over already.' : 'A super administrator cannot be handed over.');
    const code = newTypedCode();
    const place = await tx.one<{ zone: string }>(
      sql`select e.time_zone as zone from users u join entity_names e on e.id = u.primary_entity_id where u.id = ${person.id}`,
    );
    const zone = place?.zone ?? defaultTimeZone;
    // To the end of the day that everybody is told.
    const until = endOfDay(addDays(dayIn(now(), zone), transferDays), zone);
    await tx.run(sql`delete from transfers where user_id = ${person.id}`);
    await tx.run(insertRow('transfers', { code_hash: hashOf(typedCode(code)), user_id: person.id, made_at: now(), expires_at: until }));
    return { code, expires_at: until };
  },
  /** Adds the person of a code to an organisation. Throws `link_expired` if the code is not valid (any more). */
  take: async (
    tx: Db,
    by: By,
    { code, entityId }: { code: string; entityId: string },
  ): Promise<{ person: PersonRow; results: number; before: string }> => {
    const row = await tx.one<{ user_id: string }>(sql`update transfers set used_at = ${now()}
      where code_hash = ${hashOf(typedCode(code))} and used_at is null and expires_at > ${now()} returning user_id`);
    const old = row && (await personOf(tx, row.user_id, sql`true`));
    // They have returned in the meantime: then they stay where they were.
    if (!old || old.disabled_at === null) throw new ProductError('link_expired');
    await tx.run(sql`update users set email = ${leftAddress(old.id)} where id = ${old.id}`);
    const person = await people.create(tx, by, { name: old.name, email: old.email, primary_entity_id: entityId });
    await tx.run(sql`update users n set password_hash = o.password_hash, password_changed_at = o.password_changed_at, email_verified_at = o.email_verified_at
      from users o where n.id = ${person.id} and o.id = ${old.id}`);
    await tx.run(sql`update users set password_hash = null, email_verified_at = null where id = ${old.id}`);
    for (const table of [sql`passkeys`, sql`identities`]) await tx.run(sql`update ${table} set user_id = ${person.id} where user_id = ${old.id}`);
    await tx.run(sql`insert into second_steps (user_id, key_sealed, confirmed_at, last_step)
      select ${person.id}, key_sealed, confirmed_at, last_step from second_steps where user_id = ${old.id}`);
    await tx.run(sql`update recovery_codes set user_id = ${person.id} where user_id = ${old.id}`);
    await tx.run(sql`delete from second_steps where user_id = ${old.id}`);
    const done = await tx.all<{
      course_id: string;
      content_id: string | null;
      type: NewResult['type'];
      completed_at: string;
      expires_at: string | null;
      score: number | null;
      minutes: number | null;
      cpd_hours: number | null;
      note: string;
    }>(sql`
      select r.course_id, r.type, r.completed_at, r.expires_at, r.score, r.minutes, r.cpd_hours, r.note,
        (select c.id from contents c where c.id = r.content_id and ${givenTo(entityAndAbove(entityId))}) as content_id
      from current_results r join courses k on k.id = r.course_id
      where r.user_id = ${old.id} and ${hasCourse(entityId)}`);
    const copies = done.map(({ completed_at: completed, ...r }) => ({ ...r, user_id: person.id, completed, origin: 'transfer' as const }));
    await recordResults(tx, copies, now());
    return { person: await personOf(tx, person.id, sql`true`), results: done.length, before: old.id };
  },
});
