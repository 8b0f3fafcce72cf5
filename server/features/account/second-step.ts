import { Secret, TOTP } from 'otpauth';
import { recoveryCodeCount } from '#contract/entities/sign-in.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { keyFor, openSealed, seal } from '#server/security/sealing.ts';
import { hashOf } from '#server/security/secrets.ts';
import { newTypedCode, typedCode } from '#server/security/typed-codes.ts';

const keyBytes = 20;
/** Codes of the previous and next time step are accepted too, because clocks differ. */
const slack = 1;

const sealingKey = (secretKey: string) => keyFor(secretKey, 'second steps');
const generatorOf = (key: string, issuer: string, label: string) => new TOTP({ issuer, label, secret: Secret.fromBase32(key) });
/**
 * The second step of signing in with a password: a code from an authenticator app (TOTP, RFC 6238) or a recovery code.
 * No code works twice.
 */
export const createSecondStep = (db: Db, secretKey: string, now: () => Date) => {
  type Row = { key_sealed: Buffer; confirmed_at: string | null };
  const rowOf = (on: Db, userId: string) => on.one<Row>(sql`select key_sealed, confirmed_at from second_steps where user_id = ${userId}`);

  const takeCode = async (on: Db, userId: string, row: Row, code: string): Promise<boolean> => {
    if (!/^\d{6}$/.test(code)) return false;
    const generator = generatorOf(openSealed(sealingKey(secretKey), row.key_sealed), '', '');
    const timestamp = now().getTime();
    const delta = generator.validate({ token: code, timestamp, window: slack });
    if (delta === null) return false;
    const step = generator.counter({ timestamp }) + delta;
    return (await on.run(sql`update second_steps set last_step = ${step} where user_id = ${userId} and last_step < ${step}`)) > 0;
  };
  const takeRecoveryCode = async (on: Db, userId: string, code: string): Promise<boolean> =>
    (await on.run(sql`update recovery_codes set used_at = ${now()} where user_id = ${userId} and code_hash = ${hashOf(code)} and used_at is null`)) >
    0;

  const handOutCodes = async (tx: Db, userId: string): Promise<string[]> => {
    const codes = Array.from({ length: recoveryCodeCount }, newTypedCode);
    await tx.run(sql`delete from recovery_codes where user_id = ${userId}`);
    await tx.run(sql`insert into recovery_codes (user_id, code_hash) select ${userId}, unnest(${codes.map((c) => hashOf(typedCode(c)))}::text[])`);
    return codes;
  };

  return {
    /** Whether a person has a second step, and how many recovery codes are left. */
    stateOf: async (userId: string) => {
      const row = await db.one<{ confirmed_at: string | null; left: number }>(sql`select confirmed_at,
          (select count(*)::int from recovery_codes r where r.user_id = s.user_id and used_at is null) as left
        from second_steps s where user_id = ${userId}`);
      return { on: Boolean(row?.confirmed_at), since: row?.confirmed_at ?? null, recovery_codes: row?.confirmed_at ? row.left : 0 };
    },
    /** The result for a sign-in: `none` without a second step, otherwise whether the code is correct. Uses the code up. */
    take: async (tx: Db, userId: string, code: string | undefined): Promise<'none' | 'missing' | 'wrong' | 'app' | 'recovery'> => {
      const row = await rowOf(tx, userId);
      if (!row?.confirmed_at) return 'none';
      if (!code) return 'missing';
      if (await takeCode(tx, userId, row, typedCode(code))) return 'app';
      return (await takeRecoveryCode(tx, userId, typedCode(code))) ? 'recovery' : 'wrong';
    },
    /** A new key, which takes effect when it is confirmed. Null if the second step is already on. */
    begin: async (userId: string, issuer: string, email: string): Promise<{ key: string; uri: string } | null> => {
      const key = new Secret({ size: keyBytes }).base32;
      const done = await db.run(sql`insert into second_steps as s (user_id, key_sealed) values (${userId}, ${seal(sealingKey(secretKey), key)})
        on conflict (user_id) do update set key_sealed = excluded.key_sealed, last_step = 0 where s.confirmed_at is null`);
      return done === 0 ? null : { key, uri: generatorOf(key, issuer, email).toString() };
    },
    /** Turns it on with a code from the key; null if the code is incorrect. */
    confirm: async (tx: Db, userId: string, code: string): Promise<string[] | null> => {
      const row = await rowOf(tx, userId);
      if (!row || row.confirmed_at || !(await takeCode(tx, userId, row, typedCode(code)))) return null;
      await tx.run(sql`update second_steps set confirmed_at = ${now()} where user_id = ${userId}`);
      return handOutCodes(tx, userId);
    },
    /** Replaces the recovery codes; null if there is no second step. */
    renewCodes: async (tx: Db, userId: string): Promise<string[] | null> =>
      (await rowOf(tx, userId))?.confirmed_at ? handOutCodes(tx, userId) : null,
    /** Turns it off; false if it was not on. */
    end: async (on: Db, userId: string): Promise<boolean> =>
      (await on.run(sql`delete from second_steps where user_id = ${userId} and confirmed_at is not null`)) > 0,
  };
};
