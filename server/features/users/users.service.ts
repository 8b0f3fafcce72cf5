import type { BodyOf } from '#contract/api/endpoint.ts';
import type { createUser, takeOver, updateUser } from '#contract/api/users.ts';
import { type PersonNote, transferDays, type UserRow } from '#contract/entities/user.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { beyondScope } from '#server/db/scope.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { tellAddressChanged } from '#server/features/account/account-mail.service.ts';
import { entitiesOf } from '#server/features/entities/entities.service.ts';
import { countingAnswers } from '#server/features/users/addresses-in-use.service.ts';
import { notePerson, peopleWriter } from '#server/features/users/people.service.ts';
import { transfersOf } from '#server/features/users/transfers.service.ts';
import { noteRows, type PersonRow, personOf, withCounts } from '#server/features/users/users.rows.ts';
import { welcomeEverybody, welcomeMail } from '#server/features/users/welcome.service.ts';
import type { Actor } from '#server/actor.ts';
import { createThrottle } from '#server/security/throttle.ts';
import { letter } from '#server/mail/mailer.ts';
import type { By } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** People: added, changed, welcomed, transferred, and the notes about them. */
export const usersOf = ({ db, now, mail, config, sessions, peopleTotals, jobs }: Services) => {
  const people = peopleWriter(now);
  const transfers = transfersOf(people, now);
  const throttle = createThrottle(db, now);
  const sendWelcome = welcomeMail({ mail, config, now });
  const shown = async (person: PersonRow): Promise<UserRow> => (await withCounts(db, [person], now()))[0] as UserRow;
  const seen = (on: Db, actor: Actor, id: string) => personOf(on, id, visiblePerson(actor));
  /** Somebody whose notes the caller may read and write: never their own. */
  const lookedAfter = async (on: Db, actor: Actor, id: string) => {
    if (id === actor.user.uuid) throw new ProductError('forbidden', { message: 'You cannot read or write notes about yourself.' });
    return seen(on, actor, id);
  };

  return {
    get: async (actor: Actor, id: string) => shown(await seen(db, actor, id)),
    create: async (by: By, { send_welcome_email: welcome, ...body }: BodyOf<typeof createUser>): Promise<UserRow> => {
      const create = () =>
        db.tx(async (tx) => {
          const person = await people.create(tx, by, body);
          if (welcome) await sendWelcome(person, tx);
          return person;
        });
      const made = await countingAnswers(db, by.actor, now, create);
      peopleTotals.forget();
      if (welcome) mail.wake();
      return shown(made);
    },
    update: async (by: By, id: string, body: BodyOf<typeof updateUser>): Promise<UserRow> => {
      const update = () =>
        db.tx(async (tx) => {
          const before = await seen(tx, by.actor, id);
          const changed = await people.update(tx, by, id, body);
          if (changed.email !== before.email) await tellAddressChanged(mail, before, changed.email, 'a manager', tx);
          if (body.disabled) await sessions.endAll(changed.id, { tx });
          return changed;
        });
      const changed = await (body.email === undefined ? update() : countingAnswers(db, by.actor, now, update));
      mail.wake();
      peopleTotals.forget();
      sessions.forgetUser(changed.id);
      return shown(changed);
    },
    transferOf: async (actor: Actor, id: string) => transfers.state(db, (await seen(db, actor, id)).id),
    handOver: async (by: By, id: string) => {
      const made = await db.tx(async (tx) => {
        const person = await seen(tx, by.actor, id);
        const made = await transfers.begin(tx, person);
        await notePerson(tx, by, person, { action: 'updated', after: { record_handed_over: 'code made' } }, now());
        const text = `Give this code to your next organisation, if they use this service too:\n${made.code}\n\nWith it they add you with the name and the password that you have, and with what you have completed of the courses that they have as well. It works once, for ${transferDays} days. If you do not want that, do nothing.`;
        await mail.send(letter(person, 'Take your training record along', text), tx);
        return made;
      });
      mail.wake();
      return made;
    },
    takeOver: async (by: By, { code, primary_entity_id: entityId }: BodyOf<typeof takeOver>) => {
      const guess = await throttle.begin({ action: 'take-over', account: by.actor.user.uuid, ip: by.request.ip });
      try {
        // The caller does not see the old organisation: the code alone grants the transfer.
        const { person, results } = await beyondScope(async () => {
          const taken = await db.tx(async (tx) => {
            const moved = await transfers.take(tx, by, { code, entityId });
            await sessions.endAll(moved.before, { tx });
            return moved;
          });
          sessions.forgetUser(taken.before);
          return taken;
        });
        peopleTotals.forget();
        await guess.succeeded();
        return { ...(await shown(person)), results };
      } catch (error) {
        if (error instanceof ProductError && error.code === 'link_expired') {
          throw new ProductError('link_expired', { message: 'This code does not work: it may be mistyped, used already, or too old.' });
        }
        await guess.takenBack();
        throw error;
      }
    },
    notes: async (actor: Actor, id: string) => noteRows(db, actor, sql`n.user_id = ${(await lookedAfter(db, actor, id)).id}`),
    addNote: (by: By, userId: string, { id, body }: { id: string; body: string }): Promise<PersonNote> =>
      db.tx(async (tx) => {
        const person = await lookedAfter(tx, by.actor, userId);
        const note = { id, user_id: person.id, author_id: by.actor.user.uuid, body, created_at: now() };
        const written = await tx.run(sql`${insertRow('person_notes', note)} on conflict (id) do nothing`);
        const [stored] = await noteRows(tx, by.actor, sql`n.id = ${id} and n.user_id = ${person.id} and n.author_id = ${note.author_id}`);
        if (!stored) throw new ProductError('rev_mismatch');
        // Its text is not logged: it was deleted on purpose.
        if (written > 0) await notePerson(tx, by, person, { action: 'updated', after: { note: 'added' } }, now());
        return stored;
      }),
    deleteNote: (by: By, userId: string, id: string): Promise<void> =>
      db.tx(async (tx) => {
        const person = await lookedAfter(tx, by.actor, userId);
        existing(await tx.run(sql`delete from person_notes where id = ${id} and user_id = ${person.id} and author_id = ${by.actor.user.uuid}`));
        await notePerson(tx, by, person, { action: 'updated', before: { note: 'there' } }, now());
      }),
    /** Sends somebody their welcome e-mail. Returns its address. */
    welcome: async (actor: Actor, id: string): Promise<string> => {
      const person = await seen(db, actor, id);
      if (person.disabled_at !== null) throw invalid('id', 'This person has left.');
      await db.tx((tx) => sendWelcome(person, tx));
      mail.wake();
      return person.email;
    },
    /** Sends the welcome e-mail to everybody of an organisation who has no password, in a job. Returns how many these are. */
    welcomeAll: async (actor: Actor, idOrSlug: string, deep: boolean): Promise<number> =>
      welcomeEverybody({ db, jobs }, actor, await entitiesOf({ now }).found(db, actor, idOrSlug), deep),
  };
};
