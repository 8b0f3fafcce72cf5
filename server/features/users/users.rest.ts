import type { sorts } from '#contract/api/sorts.ts';
import type { userEndpoints } from '#contract/api/users.ts';
import { type PersonNote, transferDays, type UserRow } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { beyondScope } from '#server/db/scope.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { tellAddressChanged, unawaited } from '#server/features/account/account-mail.ts';
import { noteChange } from '#server/note-change.ts';
import { listedPerson, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { eventCountsOf } from '#server/features/learning/events.sql.ts';
import { countingAnswers } from '#server/features/users/addresses-in-use.ts';
import { transfersOf } from '#server/features/users/transfers.ts';
import { welcomeMail } from '#server/features/users/welcome-mail.ts';
import { type PersonRow, peopleWriter, personColumns } from '#server/features/users/write-person.ts';
import { existing, orderBy, pagesOf, pagePart, patternOf } from '#server/db/rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import { createThrottle } from '#server/http/throttle.ts';
import type { Services } from '#server/services.ts';

const orders: Record<(typeof sorts.people)[number], Statement> = {
  name: sql`u.name`,
  place: sql`(select p.name from entities p where p.id = u.primary_entity_id)`,
  role: sql`coalesce((select r.name from roles r where r.id = u.role_id), '')`,
  started_on: sql`u.started_on`,
};

export const userHandlers = ({ db, now, mail, config, log, sessions, peopleTotals }: Services): HandlersOf<typeof userEndpoints> => {
  const withCounts = async (rows: PersonRow[]): Promise<UserRow[]> => {
    const counts = await eventCountsOf(
      db,
      rows.map((r) => r.id),
      now(),
    );
    return rows.map((r) => ({ ...r, uuid: r.id, courses: counts.get(r.id) ?? { current: 0, overdue: 0, completed: 0 } }));
  };
  /** The condition for `actingAs`: an organisation at or below one's own, or any with `entity.act_as` that one can see. */
  const actingAs = async (actor: Actor, slug: string | undefined): Promise<Statement> => {
    if (!slug) return sql`true`;
    const entity = await db.one<{ id: string }>(sql`select id from entities where slug = ${slug}`);
    const own = entity !== undefined && entity.id === actor.place.id;
    const allowed = entity !== undefined && (actor.seesAll || own || (can(actor.user, 'entity.act_as') && actor.entityIds.includes(entity.id)));
    if (!allowed) throw new ProductError('forbidden');
    return sql`u.primary_entity_id in (with recursive below as (select id from entities where id = ${entity.id} union all select c.id from entities c join below b on c.parent_id = b.id) select id from below)`;
  };
  const narrowed = (query: {
    entity?: string | undefined;
    role_id?: string | undefined;
    type_id?: string | undefined;
    tag_id?: string | undefined;
  }): Statement => {
    const place = query.entity
      ? sql`u.primary_entity_id in (with recursive below as (select id from entities where slug = ${query.entity} union all select c.id from entities c join below b on c.parent_id = b.id) select id from below)`
      : sql`true`;
    const role = query.role_id ? sql`u.id in (select h.user_id from held_roles h where h.role_id = ${query.role_id})` : sql`true`;
    const type = query.type_id ? sql`u.type_id = ${query.type_id}` : sql`true`;
    // Who belongs to a marked organisation is marked with it.
    const tag = query.tag_id
      ? sql`(exists (select 1 from tag_users x where x.tag_id = ${query.tag_id} and x.user_id = u.id)
          or exists (select 1 from tag_entities x where x.tag_id = ${query.tag_id} and x.entity_id in (select entity_and_above(u.primary_entity_id))))`
      : sql`true`;
    return sql`${place} and ${role} and ${type} and ${tag}`;
  };
  const people = peopleWriter(now);
  const transfers = transfersOf(people, now);
  const throttle = createThrottle(db, now);
  /** Somebody whose notes the caller may read and write: of others alone. */
  const lookedAfter = async (on: Db, actor: Actor, id: string) => {
    if (id === actor.user.uuid) throw new ProductError('forbidden', { message: 'Notes about oneself are kept by others.' });
    return people.found(on, id, visiblePerson(actor));
  };
  const notesOf = (on: Db, actor: Actor, which: Statement) =>
    on.all<PersonNote>(sql`select n.id, n.body, ${instant(sql`n.created_at`)} as created_at, json_build_object('id', a.id, 'name', a.name) as author,
        n.author_id = ${actor.user.uuid} as own
      from person_notes n join person_names a on a.id = n.author_id where ${which} order by n.created_at desc, n.id limit 200`);
  const sendWelcome = welcomeMail({ db, mail, config, now });
  return {
    listUsers: async ({ query, actor }) => {
      const inState = { active: sql`u.disabled_at is null`, left: sql`u.disabled_at is not null` };
      const state = query.state ? inState[query.state] : sql`true`;
      const trainer = query.is_trainer ? sql`u.is_trainer = ${query.is_trainer === '1'}` : sql`true`;
      const pattern = patternOf(query.search);
      const where = sql`${listedPerson(actor)} and ${await actingAs(actor, query.actingAs)} and ${trainer} and ${narrowed(query)}`;
      const order = orderBy(query.sort ?? 'name', orders, sql`u.id`);
      const page = sql`order by ${order} ${pagePart(query)}`;
      // What a search finds is gathered once, counted and put in order; all of the people are walked in the order of an index.
      const found = pattern
        ? db.one<{
            active: number;
            left: number;
            ids: string[];
          }>(sql`with u as materialized (select u.id, u.name, u.started_on, u.primary_entity_id, u.role_id, u.disabled_at from people_found(${pattern}) u where ${where})
            select (select count(*)::int from u where ${inState.active}) as active, (select count(*)::int from u where ${inState.left}) as left,
              array(select u.id from u where ${state} ${page}) as ids`)
        : undefined;
      const counted = (which: Statement) => peopleTotals.count(db, sql`select count(*)::int as n from users u where ${where} and ${which}`);
      const [active, left, rows] = await Promise.all([
        found ? found.then((f) => f?.active ?? 0) : counted(inState.active),
        found ? found.then((f) => f?.left ?? 0) : counted(inState.left),
        (async () => {
          const which = found ? sql`u.id = any(${(await found)?.ids ?? []}::uuid[]) order by ${order}` : sql`${where} and ${state} ${page}`;
          return db.all<PersonRow>(sql`select ${personColumns} from users u join entities e on e.id = u.primary_entity_id where ${which}`);
        })(),
      ]);
      const counts = { '': active + left, active, left };
      const pages = pagesOf('/users', query, counts[query.state ?? '']);
      return { data: await withCounts(rows), ...pages, meta: { ...pages.meta, counts } };
    },
    getUser: async ({ params, actor }) => ({ data: (await withCounts([await people.found(db, params.id, visiblePerson(actor))]))[0] as UserRow }),
    createUser: async ({ body: { send_welcome_email: welcome, ...body }, actor, request }) => {
      const made = await countingAnswers(db, actor, now, () => db.tx((tx) => people.create(tx, { actor, request }, body)));
      peopleTotals.forget();
      if (welcome) await sendWelcome(made);
      return { data: (await withCounts([made]))[0] as UserRow };
    },
    updateUser: async ({ params, body, actor, request }) => {
      const update = () =>
        db.tx(async (tx) => ({
          before: await people.found(tx, params.id, visiblePerson(actor)),
          changed: await people.update(tx, { actor, request }, params.id, body),
        }));
      const { before, changed } = await (body.email === undefined ? update() : countingAnswers(db, actor, now, update));
      if (changed.email !== before.email) unawaited(log, tellAddressChanged(mail, before, changed.email, 'a manager'));
      peopleTotals.forget();
      if (body.disabled) await sessions.endAll(changed.id);
      sessions.forgetUser(changed.id);
      return { data: (await withCounts([changed]))[0] as UserRow };
    },
    getTransfer: async ({ params, actor }) => {
      const person = await people.found(db, params.id, visiblePerson(actor));
      return { data: await transfers.state(db, person.id) };
    },
    createTransfer: async ({ params, actor, request }) => {
      const { person, made } = await db.tx(async (tx) => {
        const person = await people.found(tx, params.id, visiblePerson(actor));
        const made = await transfers.begin(tx, person);
        await noteChange(
          tx,
          { actor, request },
          {
            ...{ entityId: person.primary_entity.id, action: 'updated', subject: { kind: 'user', id: person.id, name: person.name } },
            after: { record_handed_over: 'code made' },
          },
          now(),
        );
        return { person, made };
      });
      await mail.send({
        to: person.email,
        subject: 'Take your training record along',
        body: `Hello ${person.name},\n\nGive this code to your next organisation, if they use this service too:\n${made.code}\n\nWith it they add you with the name and the password that you have, and with what you have completed of the courses that they have as well. It works once, for ${transferDays} days. If you do not want that, do nothing.\n`,
      });
      return { data: made };
    },
    takeOver: async ({ body, actor, request }) => {
      const guess = await throttle.begin({ action: 'take-over', account: actor.user.uuid, ip: request.ip });
      try {
        // The old organisation is not theirs to see: the code alone opens it.
        const { person, results } = await beyondScope(async () => {
          const taken = await db.tx((tx) => transfers.take(tx, { actor, request }, { code: body.code, entityId: body.primary_entity_id }));
          await sessions.endAll(taken.before);
          return taken;
        });
        peopleTotals.forget();
        await guess.succeeded();
        return { data: { ...((await withCounts([person]))[0] as UserRow), results } };
      } catch (error) {
        if (error instanceof ProductError && error.code === 'link_expired') {
          throw new ProductError('link_expired', { message: 'This code does not work: it may be mistyped, used already, or too old.' });
        }
        await guess.takenBack();
        throw error;
      }
    },
    listNotes: async ({ params, actor }) => {
      const person = await lookedAfter(db, actor, params.id);
      return { data: await notesOf(db, actor, sql`n.user_id = ${person.id}`) };
    },
    createNote: async ({ params, body, actor, request }) =>
      db.tx(async (tx) => {
        const person = await lookedAfter(tx, actor, params.id);
        const written = await tx.run(sql`insert into person_notes (id, user_id, author_id, body, created_at)
          values (${body.id}, ${person.id}, ${actor.user.uuid}, ${body.body}, ${now()}) on conflict (id) do nothing`);
        const [note] = await notesOf(tx, actor, sql`n.id = ${body.id} and n.user_id = ${person.id} and n.author_id = ${actor.user.uuid}`);
        if (!note) throw new ProductError('rev_mismatch');
        // What it says stays out of the log: it is taken away where it is.
        if (written > 0)
          await noteChange(
            tx,
            { actor, request },
            {
              entityId: person.primary_entity.id,
              action: 'updated',
              subject: { kind: 'user', id: person.id, name: person.name },
              after: { note: 'added' },
            },
            now(),
          );
        return { data: note };
      }),
    deleteNote: async ({ params, actor, request }) =>
      db.tx(async (tx) => {
        const person = await lookedAfter(tx, actor, params.id);
        existing(
          await tx.run(sql`delete from person_notes where id = ${params.noteId} and user_id = ${person.id} and author_id = ${actor.user.uuid}`),
        );
        await noteChange(
          tx,
          { actor, request },
          {
            entityId: person.primary_entity.id,
            action: 'updated',
            subject: { kind: 'user', id: person.id, name: person.name },
            before: { note: 'there' },
          },
          now(),
        );
      }),
    sendWelcomeEmail: async ({ params, actor }) => {
      const person = await people.found(db, params.id, visiblePerson(actor));
      if (person.disabled_at !== null) throw invalid('id', 'This person has left.');
      await sendWelcome(person);
      return { data: { message: `We have sent an e-mail to ${person.email}.` } };
    },
    sendWelcomeEmails: async ({ params, actor }) => {
      const entity = existing(
        await db.one<{ id: string }>(
          sql`select e.id from entities e where (e.slug = ${params.id} or e.id::text = ${params.id}) and ${visibleEntity(actor)}`,
        ),
      );
      const waiting = await db.all<{ id: string; name: string; email: string }>(
        sql`select id, name, email from users where primary_entity_id = ${entity.id} and password_hash is null and disabled_at is null order by name, id`,
      );
      for (const person of waiting) await sendWelcome(person);
      const sent = waiting.length;
      return {
        data: {
          sent,
          message: sent === 0 ? 'Everybody here has a password already.' : `We have sent ${sent === 1 ? '1 e-mail' : `${sent} e-mails`}.`,
        },
      };
    },
  };
};
