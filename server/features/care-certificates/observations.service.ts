import type { CertificateChange } from '#contract/commands/certificate-commands.ts';
import type { ChangeOutcome } from '#contract/commands/change.ts';
import { can } from '#contract/can.ts';
import type { CareCertificate, Competence, Observation, ObservationRecord } from '#contract/entities/care-certificate.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { methodFits, progressOf, recordsNow, rootOf } from '#contract/rules/certificate-progress.ts';
import { competentIn, standardOf } from '#contract/rules/competence.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import { dayIn } from '#contract/rules/days.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import { arrivalOf, certificatesOf, competenceOf, standardsOf } from '#server/features/care-certificates/certificates.rows.ts';
import { tellApprovers } from '#server/features/care-certificates/tell-approvers.ts';
import { tellOverruled, type Telling } from '#server/features/care-certificates/tell-of-certificate.ts';
import type { Actor } from '#server/actor.ts';
import { applyOnce, lockEntity, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';
import { ProductError } from '#server/product-error.ts';

export const mayObserve: PermissionSlug[] = ['observation.create'];
const mayWithdraw: PermissionSlug[] = ['observation.delete'];

/**
 * Adds the entries that an assessor queued for a certificate, each once, in one transaction. Entries are only ever added and always
 * accepted; only a decision can conflict, if another one has replaced the decision that the assessor knew.
 */
export const applyToCertificate = async (
  services: Telling,
  actor: Actor,
  id: string,
  changes: readonly CertificateChange[],
  now: Date,
): Promise<Taken<CareCertificate>> =>
  services.db.tx(async (tx) => {
    await lockEntity(tx, id);
    const held = existing(
      await tx.one<{ id: string; standards_id: string; user_id: string; met_at: string | null }>(
        sql`select c.id, c.standards_id, c.user_id, c.met_at from care_certificates c join users u on u.id = c.user_id where c.id = ${id} and ${visiblePerson(actor)}`,
      ),
    );
    const isOwn = held.user_id === actor.user.uuid;
    if (isOwn && changes.some((c) => c.command !== 'observation.sign'))
      throw new ProductError('forbidden', { message: 'Nobody observes themselves for their own certificate.' });
    const may = (change: CertificateChange) => can(actor.user, change.command === 'observation.withdraw' ? mayWithdraw : mayObserve);
    if (!isOwn && !changes.some(may)) throw new ProductError('forbidden');
    const standards = await standardsOf(tx, held.standards_id);
    const criteria = new Map(standards?.standards.flatMap((s) => s.outcomes.flatMap((o) => o.criteria)).map((c) => [c.code, c] as const));
    /** Adds an entry with the times at which it was made and received. */
    const enter = (table: string, change: CertificateChange, values: Parameters<typeof insertRow>[1]) =>
      tx.run(insertRow(table, { id: change.id, certificate_id: id, ...values, at: timeOf(change, now), received_at: now }));
    const add = (change: CertificateChange, kind: string, about: string | null, reason: string | null, record: object | null) =>
      enter('observations', change, {
        ...{ kind, about, reason, record: record === null ? null : JSON.stringify(record) },
        ...{ assessor_id: actor.user.uuid, skew_ms: change.skew_ms ?? null, clock_off_ms: change.clock_off_ms ?? null },
      });
    /** Only its own assessor corrects an entry. */
    const requireOwn = async (about: string) => {
      if (!(await tx.one(sql`select id from observations where id = ${about} and certificate_id = ${id} and assessor_id = ${actor.user.uuid}`)))
        throw new Refused('not_found');
    };
    /** Decisions that their assessor replaced before they counted, and what each would have replaced. */
    const passedOver = new Map<string, string>();
    const withdrawn: { about: string; reason: string }[] = [];
    let noted: Competence[] | null = null;
    const requireCompetent = async (criterion: string, change: CertificateChange) => {
      noted ??= await competenceOf(tx, actor.user.uuid);
      if (competentIn(noted, standardOf(criterion), dayIn(timeOf(change, now), actor.user.time_zone)) === 'no')
        throw new Refused('not_competent', ['keep_theirs', 'ask_manager']);
    };
    const apply = async (change: CertificateChange): Promise<ChangeOutcome['outcome']> => {
      if (!isOwn && !may(change)) throw new Refused('forbidden');
      switch (change.command) {
        case 'observation.record':
          await add(change, 'observation', null, null, change.args);
          return 'applied';
        case 'observation.correct':
          await requireOwn(change.args.about);
          // A correction to “met” also decides the criterion.
          for (const { criterion, outcome } of change.args.record.criteria) if (outcome === 'met') await requireCompetent(criterion, change);
          await add(change, 'correction', change.args.about, change.args.reason, change.args.record);
          return 'applied';
        case 'observation.withdraw':
          // With permission also a colleague's entry: the new entry records who withdrew it and why.
          if (!(await tx.one(sql`select id from observations where id = ${change.args.about} and certificate_id = ${id}`)))
            throw new Refused('not_found');
          await add(change, 'withdrawal', change.args.about, change.args.reason, null);
          withdrawn.push({ about: change.args.about, reason: change.args.reason });
          return 'applied';
        case 'observation.decide': {
          const { criterion, outcome, observation_id } = change.args;
          const instead_of = passedOver.get(change.args.instead_of ?? '') ?? change.args.instead_of;
          const entries = await tx.all<Pick<Observation, 'id' | 'kind' | 'about' | 'record'>>(
            sql`select id, kind, about, record from observations o where certificate_id = ${id} order by ${arrivalOf(sql`o.id`)}`,
          );
          const root = rootOf(new Map(entries.map((e) => [e.id, e])), observation_id);
          if (root === null) throw new Refused('not_found');
          const method = recordsNow(entries).get(root)?.method;
          const rule = criteria.get(criterion);
          if (outcome === 'met' && method && rule && !methodFits(rule, method)) throw new Refused('method_unfit', ['keep_theirs', 'ask_manager']);
          const counts = await tx.one<{ id: string; outcome: string }>(
            sql`select d.id, d.outcome from criterion_decisions d where d.certificate_id = ${id} and d.criterion = ${criterion} and not exists (select 1 from criterion_decisions l where l.instead_of = d.id)`,
          );
          if (outcome === 'met') await requireCompetent(criterion, change);
          // Two who decide the same do not disagree: the first decision counts, and both records are kept.
          if (counts && counts.id !== instead_of && counts.outcome === outcome) return 'applied';
          // What the same assessor replaced later, in the same request, is not asked about: the later decision is.
          const replaced = changes.slice(changes.indexOf(change)).some((c) => c.command === 'observation.decide' && c.args.instead_of === change.id);
          if (counts && counts.id !== instead_of && replaced) {
            passedOver.set(change.id, instead_of ?? '');
            return 'late';
          }
          if (counts && counts.id !== instead_of) throw new Refused('decided_elsewhere', ['keep_mine', 'keep_theirs', 'ask_manager']);
          const decided = { criterion, outcome, observation_id, instead_of: counts?.id ?? null, decided_by: actor.user.uuid };
          await enter('criterion_decisions', change, decided);
          return 'applied';
        }
        case 'observation.sign': {
          const { about, signer, method, drawing, content, agrees, comment } = change.args;
          const entry = await tx.one<{ record: ObservationRecord | null; assessor_id: string }>(
            sql`select record, assessor_id from observations where id = ${about} and certificate_id = ${id}`,
          );
          if (!entry?.record) throw new Refused('not_found');
          const theirs = entry.assessor_id === actor.user.uuid;
          // The learner on their own device; on the assessor's device, the person beside them; a colleague who has asked the witness.
          const may = isOwn
            ? signer === 'learner' && method === 'signed_in'
            : signer === 'verifier'
              ? !theirs && method === 'signed_in' && entry.record.witness !== undefined
              : theirs && (signer === 'assessor' || method !== 'signed_in') && (signer !== 'witness' || entry.record.witness !== undefined);
          if (!may || (method === 'drawn') !== (drawing !== null) || (signer === 'learner') !== (agrees !== null)) throw new Refused('forbidden');
          if (content !== (await contentHash(entry.record))) throw new Refused('content_mismatch');
          const signed = { about, signer, method, drawing, content, agrees, comment, by_id: actor.user.uuid };
          await enter('observation_signatures', change, signed);
          return 'applied';
        }
        case 'supervision.grant': {
          const { standard, level, note } = change.args;
          const [before] = await certificatesOf(tx, actor, sql`c.id = ${id}`);
          const progress = standards && before && progressOf(standards, before).standards.find((s) => s.code === standard);
          if (!progress) throw new Refused('not_found');
          if (level === 'indirect' && progress.state !== 'met') throw new Refused('standard_open');
          await enter('supervision_grants', change, { standard, level, note, by_id: actor.user.uuid });
          return 'applied';
        }
      }
    };
    const { outcomes, failure, effects, record } = await applyOnce(tx, actor.user.uuid, changes, now, apply);
    await record();
    if (effects > 0) await tx.run(sql`update care_certificates set rev = rev + 1 where id = ${id}`);
    let [certificate] = await certificatesOf(tx, actor, sql`c.id = ${id}`);
    const complete = standards !== undefined && certificate !== undefined && progressOf(standards, certificate).complete;
    // Withdrawing part of what was approved ends the approval; it stays readable.
    if (complete !== (held.met_at !== null))
      await tx.run(sql`update care_certificates set met_at = ${complete ? now : null}, approved_at = null where id = ${id}`);
    const ended = certificate !== undefined && !complete && certificate.approved_at !== null;
    if (certificate && (ended || withdrawn.length > 0)) await tellOverruled(services, tx, actor, { certificate, withdrawn, ended });
    if (complete && held.met_at === null) await tellApprovers(services, tx, id);
    if (certificate && !complete) certificate = { ...certificate, approved_at: null };
    return { current: certificate as CareCertificate, outcomes, failure };
  });
