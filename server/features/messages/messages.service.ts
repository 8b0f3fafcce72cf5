import type { MessageChange } from '#contract/commands/message-commands.ts';
import type { Broadcast, Message } from '#contract/entities/message.ts';
import { among, existing, insertRow } from '#server/db/rows.ts';
import { entityAt, listedPerson, marked, visibleEntity } from '#server/db/seen.ts';
import { type Db, often, type Statement, sql } from '#server/db/sql.ts';
import { isActive } from '#server/features/account/activity.rows.ts';
import { entitiesOf } from '#server/features/entities/entities.service.ts';
import { broadcastRows, correspondent, messageRows } from '#server/features/messages/messages.rows.ts';
import type { Actor } from '#server/actor.ts';
import { applyOnce, lockEntity, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type AppliedMessage = Taken<Message>;

/**
 * Creates messages and marks them as read, each exactly once; `tell` runs in the same transaction if anything was done. `current` is the
 * subject of the last change.
 */
export const applyMessageChanges = async (
  db: Db,
  actor: Actor,
  changes: readonly MessageChange[],
  now: Date,
  tell: (tx: Db, message: Message) => Promise<void> = async () => {},
): Promise<AppliedMessage> =>
  db.tx(async (tx) => {
    // The same change may arrive twice concurrently.
    for (const id of changes.map((c) => c.id).sort()) await lockEntity(tx, id);
    const { outcomes, failure, effects, record } = await applyOnce(tx, actor.user.uuid, changes, now, async (change) => {
      if (change.command === 'message.send') {
        if (!(await tx.one(sql`select u.id from person_names u where u.id = ${change.args.recipient_id} and ${correspondent(actor)}`)))
          throw new Refused('recipient_gone', ['keep_theirs', 'ask_manager']);
        const sent = { id: change.id, sender_id: actor.user.uuid, ...change.args, sent_at: timeOf(change, now), received_at: now };
        await tx.run(insertRow('messages', sent));
      } else {
        const count = await tx.run(
          sql`update messages set read_at = least(read_at, ${timeOf(change, now)}::timestamptz) where id = ${change.args.message_id} and recipient_id = ${actor.user.uuid}`,
        );
        if (count === 0) throw new Refused('not_found', ['keep_theirs']);
      }
      return 'applied';
    });
    await record();
    const last = changes.at(-1);
    const id = last?.command === 'message.read' ? last.args.message_id : last?.id;
    const message = failure ? null : ((await messageRows(tx, sql`m.id = ${id ?? null}`))[0] ?? null);
    if (message && effects > 0 && !failure) await tell(tx, message);
    return { current: message, outcomes, failure };
  });

/** Stores a broadcast. A key that another person has used, which the caller cannot see, is refused. */
export const storeBroadcast = async (
  tx: Db,
  row: { id: string; sender_id: string; audience: string; message: string; by_mail: boolean; recipients: number; sent_at: Date; asked_for?: string },
): Promise<void> => {
  const { text, values } = insertRow('broadcasts', row);
  if ((await tx.run({ text: `${text} on conflict (id) do nothing`, values })) === 0) throw new ProductError('idempotency_mismatch');
};

/** Messages written by the product in somebody's name (`name`). `ids`: those to be e-mailed as well; `told`: the people who have one, by id. */
export type ByProduct = { sender: string; name: string; ids: readonly string[]; told: readonly string[] };
/**
 * Writes a message to each of these people who have not left, of whichever organisation, in the name of the person whose action it reports;
 * nobody gets their own. The caller chooses the recipients from rows that concern them, never from the request. Call `messages.mailedWith` in
 * the same transaction, and `mail.wake` after it.
 */
export const tellPeople = async (
  tx: Db,
  sender: string,
  texts: readonly { recipient_id: string; message: string }[],
  now: Date,
): Promise<ByProduct> => {
  const [first, ...more] = texts;
  if (!first) return { sender, name: '', ids: [], told: [] };
  const listed =
    more.length === 0
      ? sql`(values (${first.recipient_id}::uuid, ${first.message}::text)) x (recipient_id, message)`
      : sql`unnest(${texts.map((t) => t.recipient_id)}::uuid[], ${texts.map((t) => t.message)}::text[]) x (recipient_id, message)`;
  const written = await tx.all<{ id: string; recipient_id: string; name: string }>(
    often(sql`insert into messages (id, sender_id, recipient_id, message, sent_at, received_at, by_product)
    select gen_random_uuid(), ${sender}, x.recipient_id, x.message, ${now}, ${now}, true
    from ${listed}
      join person_names u on u.id = x.recipient_id and not u.has_left where x.recipient_id <> ${sender} returning id, recipient_id,
        (select p.name from person_names p where p.id = sender_id) as name`),
  );
  return { sender, name: written[0]?.name ?? '', ids: written.map((m) => m.id), told: written.map((m) => m.recipient_id) };
};

/** The addresses of those who get these messages: those of the sender's own group of organisations, or the others. */
const recipientsOf = (messages: Statement, own: boolean) =>
  sql`select u.email from messages m join users u on u.id = m.recipient_id join users s on s.id = m.sender_id
    where ${messages} and ${own} = exists (select 1 from entity_below r join entity_below o on o.above = r.above
      where r.below = u.primary_entity_id and o.below = s.primary_entity_id)`;
type Letter = { message: string; messageTypes?: 'mail'[] | undefined };

/** Messages to one person, and announcements to many. `id` is the key of the request, under which it is sent once. */
export const messagesOf = ({ db, now, mail, config }: Pick<Services, 'db' | 'now' | 'mail' | 'config'>) => {
  /**
   * Stores e-mails without the text of the message. What somebody has called themselves is named only to their own organisation's people:
   * another's may be anybody, with any words in place of a name.
   */
  const store = async (tx: Db, sender: { id: string; name: string }, messages: Statement): Promise<void> => {
    const link = `${config.PUBLIC_URL}/messages?with=${sender.id}`;
    const own = { subject: `New message from ${sender.name}`, body: `${sender.name} has sent you a message in Lantern. Read it here:\n${link}` };
    const others = { subject: 'New message', body: `You have a message from another organisation in Lantern. Read it here:\n${link}` };
    // The recipients' addresses may be those of other organisations' people.
    await tx.beyond(async (whole) => {
      await mail.sendToAll(recipientsOf(messages, true), own, whole);
      await mail.sendToAll(recipientsOf(messages, false), others, whole);
    });
  };
  /** Sends an individual message to each of these people whom the caller manages and who have not left. */
  const sendToMany = async (actor: Actor, id: string, who: Statement, audience: string, letter: Letter): Promise<Broadcast> => {
    const { user } = actor;
    const { message, messageTypes } = letter;
    const mailed = messageTypes?.includes('mail') === true;
    await db.tx(async (tx) => {
      await lockEntity(tx, id);
      const before = await tx.one<{ message: string; audience: string }>(sql`select message, audience from broadcasts where id = ${id}`);
      if (before) {
        if (before.message !== message || before.audience !== audience) throw new ProductError('idempotency_mismatch');
        return;
      }
      const people = await tx.all<{ id: string }>(
        sql`select u.id from users u where ${listedPerson(actor)} and u.disabled_at is null and u.id <> ${user.uuid} and ${who}`,
      );
      if (people.length === 0) throw invalid('recipient', `There is nobody to send this to: ${audience}.`);
      const broadcast = { id, sender_id: user.uuid, audience, message, by_mail: mailed, recipients: people.length, sent_at: now() };
      await storeBroadcast(tx, broadcast);
      await tx.run(sql`insert into messages (id, sender_id, recipient_id, message, sent_at, received_at, broadcast_id)
        select gen_random_uuid(), ${user.uuid}, x, ${message}, ${now()}, ${now()}, ${id} from unnest(${people.map((p) => p.id)}::uuid[]) x`);
      // With the messages or not at all: a repeated request is answered by what is stored, and sends nothing.
      if (mailed) await store(tx, { id: user.uuid, name: user.name }, sql`m.broadcast_id = ${id}`);
    });
    if (mailed) mail.wake();
    return existing((await broadcastRows(db, sql`b.id = ${id}`))[0]);
  };
  const below = (entityId: string) => sql`u.primary_entity_id in (select b.below from entity_below b where b.above = ${entityId})`;

  return {
    /** Stores the e-mail about a message that somebody has written, in its transaction. Call `mail.wake` after it. */
    mailed: (tx: Db, { id, sender }: Message): Promise<void> => store(tx, sender, sql`m.id = ${id}`),
    /** Stores the e-mails about messages that the product wrote in people's names, in their transaction. Call `mail.wake` after it. */
    mailedWith: async (tx: Db, written: readonly ByProduct[]): Promise<void> => {
      for (const [sender, theirs] of Map.groupBy(written, (w) => w.sender)) {
        const ids = theirs.flatMap((w) => w.ids);
        if (ids.length > 0) await store(tx, { id: sender, name: theirs.find((w) => w.name)?.name ?? '' }, among(sql`m.id`, ids));
      }
    },
    toEntity: async (actor: Actor, id: string, slug: string, letter: Letter): Promise<Broadcast> => {
      const entity = await entityAt(db, actor, slug);
      return sendToMany(actor, id, below(entity.id), `everyone at ${entity.name}`, letter);
    },
    toRole: async (actor: Actor, id: string, slug: string, roleId: string, letter: Letter): Promise<Broadcast> => {
      const entity = await entityAt(db, actor, slug);
      const role = existing(
        await db.one<{ name: string }>(
          sql`select r.name from roles r where r.id = ${roleId} and r.entity_id in (select entity_and_above(${entity.id}))`,
        ),
      );
      const held = sql`u.id in (select h.user_id from held_roles h where h.role_id = ${roleId})`;
      return sendToMany(actor, id, sql`${below(entity.id)} and ${held}`, `${role.name} at ${entity.name}`, letter);
    },
    toTag: async (actor: Actor, id: string, tagId: string, letter: Letter): Promise<Broadcast> => {
      const tag = existing(
        await db.one<{ name: string }>(
          sql`select t.name from tags t join entities e on e.id = t.entity_id where t.id = ${tagId} and (${visibleEntity(actor)} or e.id in (select entity_and_above(${actor.place.id})))`,
        ),
      );
      return sendToMany(actor, id, marked([tagId]), `everyone with the tag ${tag.name}`, letter);
    },
    /** Sends to the active people of an organisation, with `deep` also of those below it. */
    toActive: async (actor: Actor, id: string, idOrSlug: string, { deep, ...letter }: Letter & { deep: 0 | 1 }): Promise<Broadcast> => {
      const entity = await entitiesOf({ now }).found(db, actor, idOrSlug);
      const place = deep === 1 ? below(entity.id) : sql`u.primary_entity_id = ${entity.id}`;
      return sendToMany(actor, id, sql`${place} and ${isActive(now())}`, `everyone active at ${entity.name}`, letter);
    },
    /** Removes a message from the caller's list; the other person still has it. */
    hide: async ({ user: { uuid } }: Actor, id: string): Promise<void> => {
      existing(
        await db.run(sql`update messages set hidden_by_sender = hidden_by_sender or sender_id = ${uuid}, hidden_by_recipient = hidden_by_recipient or recipient_id = ${uuid}
          where id = ${id} and (sender_id = ${uuid} or recipient_id = ${uuid})`),
      );
    },
  };
};
