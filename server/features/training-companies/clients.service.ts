import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { BodyOf, ResponseOf } from '#contract/api/endpoint.ts';
import type { inviteTrainingClient, trainingClients } from '#contract/api/training-companies.ts';
import { invitationAlphabet, invitationLength, type TrainingProvider } from '#contract/entities/training-client.ts';
import type { EntityRef } from '#contract/entities/entity.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import type { Actor } from '#server/actor.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { beyondScope } from '#server/db/scope.ts';
import { entityAt } from '#server/db/seen.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const dayMs = 86_400_000;
const invitedDays = 30;
const mostListed = 1000;

const newCode = () => Array.from({ length: invitationLength }, () => invitationAlphabet[randomInt(invitationAlphabet.length)]).join('');
const inGroups = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-');
const hashOf = (code: string) => createHash('sha256').update(code.replace(/[- ]/g, '')).digest('hex');
const entityJson = (id: Statement) =>
  sql`(select json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) from entity_names e where e.id = ${id})`;
type Invitation = { id: string; provider: EntityRef; name: string; created_by: string; expires_at: string };

/**
 * Clients of a provider, and providers of a client. A provider cannot search for organisations: it hands out a code, and the two become
 * visible to each other when it is accepted.
 */
export const clientsOf = ({ db, now, mail }: Pick<Services, 'db' | 'now' | 'mail'>) => {
  const relation = sql`c.id, ${instant(sql`c.added_at`)} as added_at, ${instant(sql`c.ended_at`)} as ended_at`;
  /** Ends a relation. The row belongs to the provider, whose data a client cannot see. */
  const end = async (by: By, id: string, side: 'provider' | 'client', entity: EntityRef): Promise<void> => {
    const where = side === 'provider' ? sql`provider_id = ${entity.id}` : sql`client_id = ${entity.id}`;
    const other = side === 'provider' ? sql`client_id` : sql`provider_id`;
    await beyondScope(() =>
      db.tx(async (tx) => {
        const relation = existing(
          await tx.one<{ other: EntityRef; ended: boolean }>(
            sql`select ${entityJson(other)} as other, ended_at is not null as ended from training_clients where id = ${id} and ${where} for update`,
          ),
        );
        if (relation.ended) return;
        await updateRows(tx, 'training_clients', { ended_at: now() }, sql`id = ${id}`);
        const kind = side === 'provider' ? 'training_client' : 'training_provider';
        await noteChange(tx, by, now(), { entityId: entity.id, action: 'deleted', subject: { kind, id, name: relation.other.name } });
      }),
    );
  };
  /** An invitation that this organisation can still accept. */
  const invitationOf = async (on: Db, code: string, entity: EntityRef): Promise<Invitation> => {
    const found = await on.one<
      Invitation & { own: boolean; known: boolean }
    >(sql`select i.id, ${entityJson(sql`i.provider_id`)} as provider, i.name, i.created_by,
        ${instant(sql`i.expires_at`)} as expires_at,
        exists (select 1 from entity_below b where b.above = i.provider_id and b.below = ${entity.id}) as own,
        exists (select 1 from training_clients c where c.provider_id = i.provider_id and c.client_id = ${entity.id} and c.ended_at is null) as known
      from training_client_invitations i where i.code_hash = ${hashOf(code)} and i.accepted_at is null and i.expires_at > ${now()} for update`);
    if (!found) throw invalid('code', 'No invitation has this code. It may have been used, withdrawn, or be older than 30 days.');
    if (found.own) throw invalid('code', `${entity.name} belongs to ${found.provider.name}, and books with it without an invitation.`);
    if (found.known) throw invalid('code', `${entity.name} is a client of ${found.provider.name} already.`);
    return found;
  };
  const providers = async (where: Statement): Promise<TrainingProvider[]> => {
    // Clients cannot look up a provider's own details by themselves.
    const rows = await beyondScope(() =>
      db.all<Omit<TrainingProvider, 'logo'>>(sql`select ${relation}, json_build_object('id', p.id, 'name', p.name, 'slug', p.slug) as provider,
          p.email, p.telephone, p.website
        from training_clients c join entities p on p.id = c.provider_id where ${where} order by c.ended_at is not null, p.name, c.id limit ${mostListed}`),
    );
    return Promise.all(rows.map(async (row) => ({ ...row, logo: (await beyondScope(() => companySettings(db, row.provider.id))).logo })));
  };

  return {
    clients: async (actor: Actor, slug: string): Promise<ResponseOf<typeof trainingClients>> => {
      const { id } = await entityAt(db, actor, slug);
      const clients = await db.all<ResponseOf<typeof trainingClients>['clients'][number]>(
        sql`select ${relation}, ${entityJson(sql`c.client_id`)} as client from training_clients c join entity_names n on n.id = c.client_id
          where c.provider_id = ${id} order by c.ended_at is not null, n.name, c.id limit ${mostListed}`,
      );
      const invitations = await db.all<ResponseOf<typeof trainingClients>['invitations'][number]>(
        sql`select i.id, i.name, i.email, ${instant(sql`i.created_at`)} as created_at, ${instant(sql`i.expires_at`)} as expires_at, ${instant(sql`i.accepted_at`)} as accepted_at
          from training_client_invitations i where i.provider_id = ${id} and i.accepted_at is null order by i.created_at desc, i.id limit ${mostListed}`,
      );
      return { clients, invitations };
    },
    invite: async (by: By, slug: string, { name, email }: BodyOf<typeof inviteTrainingClient>) => {
      const code = newCode();
      const expires = new Date(now().getTime() + invitedDays * dayMs);
      await db.tx(async (tx) => {
        const provider = await entityAt(tx, by.actor, slug);
        const company = await tx.one<{ is: boolean }>(sql`select e.is_training_company as is from entities e where e.id = ${provider.id}`);
        if (!company?.is) throw invalid('name', `${provider.name} is not a training company. Say so in its details first.`);
        const id = randomUUID();
        const made = { id, provider_id: provider.id, code_hash: hashOf(code), name, email, created_by: by.actor.user.uuid, created_at: now() };
        await tx.run(insertRow('training_client_invitations', { ...made, expires_at: expires }));
        const subject = { kind: 'training_client' as const, id, name };
        await noteChange(tx, by, now(), { entityId: provider.id, action: 'created', subject, after: { invited: name, email } });
        if (email)
          await mail.send(
            {
              to: email,
              // To any address: nothing in a subject is in the words of a stranger.
              subject: 'An invitation to book training',
              body: `${provider.name} offers you to book its training in Lantern. An administrator of your organisation there opens its settings, then “Training providers”, and enters this code:\n\n${inGroups(code)}\n\nIt can be used once, until ${dayWords(dayIn(expires, by.actor.user.time_zone))}. If you did not expect this, do nothing.`,
            },
            tx,
          );
      });
      mail.wake();
      return { code: inGroups(code), expires_at: expires.toISOString() };
    },
    withdraw: (by: By, slug: string, id: string): Promise<void> =>
      db.tx(async (tx) => {
        const { id: provider_id } = await entityAt(tx, by.actor, slug);
        const where = sql`id = ${id} and provider_id = ${provider_id} and accepted_at is null`;
        const { name } = existing(await tx.one<{ name: string }>(sql`delete from training_client_invitations where ${where} returning name`));
        const subject = { kind: 'training_client' as const, id, name };
        await noteChange(tx, by, now(), { entityId: provider_id, action: 'deleted', subject, before: { invited: name } });
      }),
    endClient: async (by: By, slug: string, id: string) => end(by, id, 'provider', await entityAt(db, by.actor, slug)),
    endProvider: async (by: By, slug: string, id: string) => end(by, id, 'client', await entityAt(db, by.actor, slug)),
    providers: async (actor: Actor, slug: string): Promise<TrainingProvider[]> => {
      const { id } = await entityAt(db, actor, slug);
      return providers(sql`c.client_id in (select entity_and_above(${id}::uuid))`);
    },
    readInvitation: async (actor: Actor, slug: string, code: string) => {
      const entity = await entityAt(db, actor, slug);
      const { provider, expires_at } = await beyondScope(() => db.tx((tx) => invitationOf(tx, code, entity)));
      return { provider, expires_at };
    },
    accept: async (by: By, slug: string, code: string): Promise<TrainingProvider> => {
      const entity = await entityAt(db, by.actor, slug);
      const id = await beyondScope(() =>
        db.tx(async (tx) => {
          const invitation = await invitationOf(tx, code, entity);
          await updateRows(tx, 'training_client_invitations', { accepted_at: now() }, sql`id = ${invitation.id}`);
          const row = {
            id: randomUUID(),
            provider_id: invitation.provider.id,
            client_id: entity.id,
            added_by: invitation.created_by,
            added_at: now(),
          };
          const { id: relationId } = existing(
            await tx.one<{ id: string }>(sql`${insertRow('training_clients', row)} on conflict (provider_id, client_id)
              do update set added_by = excluded.added_by, added_at = excluded.added_at, ended_at = null returning id`),
          );
          const subject = { kind: 'training_provider' as const, id: relationId, name: invitation.provider.name };
          await noteChange(tx, by, now(), { entityId: entity.id, action: 'created', subject });
          const who = sql`select email from users where id = ${invitation.created_by} and disabled_at is null`;
          const inviter = await tx.one<{ email: string }>(who);
          if (inviter)
            await mail.send(
              {
                ...{ to: inviter.email, urgent: false, subject: 'A client has accepted your invitation' },
                body: `${entity.name} has accepted your invitation. It can book the sessions that are open to clients.`,
              },
              tx,
            );
          return relationId;
        }),
      );
      mail.wake();
      return existing((await providers(sql`c.id = ${id}`))[0]);
    },
  };
};
