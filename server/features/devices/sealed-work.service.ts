import type { decideHeldWork, importSealedWork } from '#contract/api/devices.ts';
import type { BodyOf, ResponseOf } from '#contract/api/endpoint.ts';
import type { SealedWork } from '#contract/entities/device.ts';
import { errors } from '#contract/errors.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import { sealedEntryIdentity } from '#contract/rules/sealed-entry.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { personAt, visiblePerson } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import { proofOf, provedEntries } from '#server/features/devices/copy-keys.ts';
import { heldRows } from '#server/features/devices/devices.rows.ts';
import { openDataKey } from '#server/features/devices/organisation-keys.ts';
import { openSealed } from '#server/security/sealing.ts';
import { type Actor, asActor } from '#server/actor.ts';
import { type QueuedKinds, type Taken, takeOfKind } from '#server/ledger/kinds.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Opened = { id: string; lane: string; command: string; at: string; sentence: string; change: unknown };

/** The entries of a sealed copy that the key opens; null in place of one that it does not. */
const openEntries = (work: SealedWork, key: Buffer): (Opened | null)[] =>
  work.entries.map((row) => {
    try {
      const place = `entry:${sealedEntryIdentity.map((f) => String(row[f])).join(':')}`;
      const inner = JSON.parse(openSealed(key, Buffer.from(row.sealed, 'base64'), place)) as { args: unknown; sentence?: string };
      const { id, lane, command, at, version, baseRev, skewMs, actor } = row as unknown as Opened & {
        version: number;
        baseRev: number | null;
        skewMs?: number;
        actor: string;
      };
      if (actor !== work.person_id) return null;
      const change = {
        id,
        version,
        at,
        command,
        args: inner.args,
        ...(baseRev === null || baseRev === undefined ? {} : { base_rev: baseRev }),
        ...(skewMs ? { skew_ms: Math.round(skewMs) } : {}),
      };
      return { id, lane, command, at, sentence: cutText(String(inner.sentence ?? command), 500), change };
    } catch {
      return null;
    }
  });

type Imported = ResponseOf<typeof importSealedWork>;
type Answer = Imported['entries'][number];

/** Sealed copies of work that no device can send any more: applied in their person's name, or held for a decision. */
export const sealedWorkOf = ({ db, now, secretKey, sessions }: Services, queued: QueuedKinds) => {
  /** Applies one opened entry in its person's name. Returns the outcome. */
  const applyFor = async (inNameOf: Actor, entry: Pick<Opened, 'lane' | 'change'>) => {
    const [kind = '', place = ''] = entry.lane.split(/:(.*)/s);
    const aggregate = place.split('/')[0] as string;
    const take = takeOfKind(queued, kind, entry.change);
    if (!take) throw new ProductError('invalid_input');
    return asActor<Actor, Taken<unknown>>(inNameOf, (person) => take(person, aggregate));
  };
  const hold = async (by: By, userId: string, { id, lane, change, sentence }: Opened, reason: string): Promise<Answer> => {
    const held = {
      entry_id: id,
      user_id: userId,
      lane,
      change: JSON.stringify(change),
      sentence,
      imported_by: by.actor.user.uuid,
      imported_at: now(),
    };
    await db.run(sql`${insertRow('held_work', { ...held, reason })} on conflict do nothing`);
    const decided = await db.one<{ decision: string; name: string | null }>(
      sql`select h.decision, d.name from held_work h left join person_names d on d.id = h.decided_by where h.entry_id = ${id} and h.decision is not null`,
    );
    if (!decided) return { id, sentence, outcome: 'held', message: reason };
    const what = decided.decision === 'applied' ? 'taken in their name' : 'set aside';
    return { id, sentence, outcome: 'decided', message: `${decided.name ?? 'Somebody'} has decided on it: ${what}.` };
  };

  return {
    import: async (by: By, work: BodyOf<typeof importSealedWork>): Promise<Imported> => {
      const person = await personAt(db, by.actor, work.person_id);
      const key = await openDataKey(db, secretKey, person.id, work.recovery);
      if (!key) throw new ProductError('sealed_copy_unreadable');
      const proof = await proofOf(db, work, key);
      const proved = await provedEntries(work, proof);
      const asPerson = await sessions.actorOf(person.id, '', 'token');
      // Before anything of it is applied: even if it fails, it is recorded who submitted it.
      await noteChange(db, by, now(), {
        ...{ entityId: person.place, action: 'created', subject: { kind: 'sealed_work', id: person.id, name: person.name } },
        after: {
          ...{ entries: work.entries.length, ids: work.entries.map((e) => e.id), proved: proved.filter(Boolean).length },
          ...(proof ? { device_id: proof.statement.device_id, made_at: proof.statement.made_at } : {}),
        },
      });
      // A lane stops at its first refusal, as it does on the device.
      const stopped = new Set<string>();
      const take = async (entry: Opened | null, i: number): Promise<Answer> => {
        if (!entry) return { id: work.entries[i]?.id as string, sentence: '', outcome: 'unreadable', message: errors.sealed_copy_unreadable.message };
        const { id, sentence, lane } = entry;
        if (!proved[i]) {
          // Later entries in its lane depend on it.
          stopped.add(lane);
          // If nothing of the copy is proven, that is reported once, for the whole copy.
          const message = proof ? 'This line is not as the device signed it. Nothing was received from it.' : null;
          return { id, sentence, outcome: 'unproved', message };
        }
        if (!asPerson) return hold(by, person.id, entry, `${person.name} has left. It waits for a decision.`);
        if (stopped.has(lane)) return hold(by, person.id, entry, 'What came before it could not be taken. It waits for a decision.');
        const { failure } = await applyFor(asPerson, entry).catch((error) => {
          // What the server cannot do now is retried, and needs nobody's decision.
          if (error instanceof ProductError && error.status < 500) return { failure: { message: error.message } };
          throw error;
        });
        if (!failure) return { id, sentence, outcome: 'applied', message: null };
        stopped.add(lane);
        return hold(by, person.id, entry, failure.message);
      };
      const entries: Answer[] = [];
      for (const [i, entry] of openEntries(work, key).entries()) entries.push(await take(entry, i));
      const signed = proof && {
        ...{ device_id: proof.statement.device_id, made_at: proof.statement.made_at, known_since: proof.knownSince.toISOString() },
        entries: proof.statement.entries.length,
      };
      return { person: { id: person.id, name: person.name }, signed, entries };
    },
    decide: async (by: By, id: string, { decision, note }: BodyOf<typeof decideHeldWork>) => {
      type Held = { user_id: string; name: string; entity_id: string; lane: string; change: unknown; decision: string | null };
      const held = existing(
        await db.one<Held>(
          sql`select h.user_id, u.name, u.primary_entity_id as entity_id, h.lane, h.change, h.decision from held_work h join users u on u.id = h.user_id where h.entry_id = ${id} and ${visiblePerson(by.actor)}`,
        ),
      );
      if (held.decision !== null) throw new ProductError('held_work_decided');
      if (decision === 'dismissed' && note === '') throw invalid('note', 'Say why, so that it can be understood later.');
      if (decision === 'applied') {
        const person = existing(await sessions.actorOf(held.user_id, '', 'token', { evenLeft: true }));
        const { failure } = await applyFor(person, held);
        if (failure) throw new ProductError(failure.code, { message: failure.message });
      }
      await db.tx(async (tx) => {
        const decided = { decision, decided_by: by.actor.user.uuid, decided_at: now(), note: note === '' ? null : note };
        if ((await updateRows(tx, 'held_work', decided, sql`entry_id = ${id} and decision is null`)) === 0) return;
        await noteChange(tx, by, now(), {
          ...{ entityId: held.entity_id, action: 'updated', subject: { kind: 'sealed_work', id: held.user_id, name: held.name } },
          after: { entry: id, decision, ...(note === '' ? {} : { note }) },
        });
      });
      return existing((await heldRows(db, sql`h.entry_id = ${id} and ${visiblePerson(by.actor)}`))[0]);
    },
  };
};
