import type { checkIn, recoverKey } from '#contract/api/devices.ts';
import type { BodyOf, ResponseOf } from '#contract/api/endpoint.ts';
import { existing } from '#server/db/rows.ts';
import { sql } from '#server/db/sql.ts';
import { noteCopyKey } from '#server/features/devices/copy-keys.ts';
import { noteContact, noteUnsent } from '#server/features/devices/devices.rows.ts';
import { openDataKey, organisationKey } from '#server/features/devices/organisation-keys.ts';
import { verifyPassword } from '#server/security/passwords.ts';
import { hashOf } from '#server/security/secrets.ts';
import type { Actor } from '#server/actor.ts';
import { createThrottle } from '#server/security/throttle.ts';
import { forgetFailures, noteGivenUp } from '#server/ledger/failed-changes.ts';
import type { By } from '#server/note-change.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** Devices: their reports, and how a person unlocks their data on one. */
export const devicesOf = ({ db, now, secretKey, sessions }: Services) => {
  const throttle = createThrottle(db, now);
  return {
    checkIn: async ({ user }: Actor, body: BodyOf<typeof checkIn>): Promise<ResponseOf<typeof checkIn>> => {
      const { report, witnesses } = body;
      const missing = await db.tx(async (tx) => {
        await noteContact(tx, user.uuid, report, now());
        // Earlier releases do not name what waits.
        return body.unsent ? noteUnsent(tx, user.uuid, report.device_id, body.unsent, body.accounted ?? [], now()) : [];
      });
      await forgetFailures(db, user.uuid, witnesses);
      await noteGivenUp(db, user.uuid, report.device_id, body.given_up ?? [], now());
      if (body.copy_key) await noteCopyKey(db, user.uuid, report.device_id, body.copy_key, now());
      const rows = await db.all<{ entry_id: string }>(
        sql`select entry_id from ledger where user_id = ${user.uuid} and entry_id = any(${witnesses}::uuid[])`,
      );
      const known = new Set(rows.map((row) => row.entry_id));
      const epoch = (await db.one<{ value: string }>(sql`select value from settings where key = 'data_epoch'`))?.value ?? '';
      return {
        ...{ epoch, server_time: now().toISOString(), unknown: witnesses.filter((id) => !known.has(id)) },
        organisation_key: await organisationKey(db, secretKey, user.primary_entity.id),
        missing,
      };
    },
    /** The caller's data key, opened with their password. */
    recoverKey: async ({ actor: { user }, request }: By, id: string, body: BodyOf<typeof recoverKey>): Promise<string> => {
      existing(id === user.uuid);
      const guess = await throttle.begin({ action: 'recover', account: user.email, ip: request.ip });
      const row = await db.one<{ password_hash: string | null }>(sql`select password_hash from users where id = ${user.uuid}`);
      if (!(await verifyPassword(body.password, row?.password_hash))) {
        throw new ProductError('wrong_credentials', { message: 'The password is not right.', fields: { password: ['The password is not right.'] } });
      }
      await guess.succeeded();
      return existing(await openDataKey(db, secretKey, user.uuid, body.recovery)).toString('base64');
    },
    unlock: async (cookie: string | undefined, secret: string): Promise<void> => {
      const guess = await throttle.begin({ action: 'unlock', account: hashOf(cookie ?? '') });
      if (!cookie || !(await sessions.unlock(cookie, secret))) throw new ProductError('unauthenticated');
      await guess.succeeded();
    },
  };
};
