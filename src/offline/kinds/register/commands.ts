import type { Command } from '#contract/kinds.ts';
import type { CompleteArgs, Delegate, MarkArgs, MarkSignatureArgs, Register, WalkInArgs } from '#contract/entities/training-session.ts';
import { isOnRegister, currentMark } from '#contract/rules/register.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { entriesOfThing, laneName } from '#src/offline/kinds/lane.ts';
import { delegateBy, registerLane, registerWith, takeRegister } from '#src/offline/kinds/register/lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { renewChoices } from '#src/offline/outbox/renew-choices.ts';
import { askAgainWhereAgreed } from '#src/offline/outbox/resolve.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** A trainer's changes to a register. Each resolves with the id of the change once it is saved on this device. */
type Trainer = { uuid: string; name: string };
type Session = { id: string; course: { name: string } };
type Entry = { command: Command; args: unknown; sentence: string; part?: string; dependsOn?: string[] };

/** `entry` receives the register as it is at the moment of saving, because a second tap may come before the first is shown. */
const note = async (db: PersonDb, me: Trainer, session: Session, entry: (now: Register | undefined) => Entry | Promise<Entry>): Promise<string> => {
  const change = { id: newId(), at: correctedNow().toISOString(), actor: me.uuid };
  let kept: Register | undefined;
  let noted: Pick<Entry, 'command' | 'args'> | undefined;
  await commit(
    db,
    me.uuid,
    registerLane.tables(db),
    async () => {
      kept = await db.registers.get(session.id);
      const { part, ...what } = await entry(kept);
      noted = what;
      return [{ ...what, id: change.id, at: change.at, lane: laneName('register', session.id, part), mergeKey: null }];
    },
    async () => {
      if (kept && noted) await db.registers.put(registerWith(kept, { ...change, command: noted.command, args: noted.args }, me.name));
    },
  );
  return change.id;
};
/** Unsent changes that concern a delegate in lanes other than theirs, by id. */
const waitingBeside = async (db: PersonDb, session: Session, delegateId: string, ids: readonly (string | null)[]): Promise<string[]> => {
  const delegateLane = laneName('register', session.id, delegateId);
  return (await entriesOfThing(db, laneName('register', session.id))).filter((e) => e.lane !== delegateLane && ids.includes(e.id)).map((e) => e.id);
};

/** Records a delegate's attendance, times and practical result; replaces an earlier mark. */
export const markDelegate = async (db: PersonDb, me: Trainer, session: Session, { id, name }: Delegate, mark: MarkArgs): Promise<string> => {
  const noted = await note(db, me, session, async (now) => {
    const delegate = now && delegateBy(now, id);
    const before = delegate ? (currentMark(delegate)?.id ?? null) : null;
    const part = delegate?.id ?? id;
    return {
      part,
      command: 'register.mark',
      args: { delegate_id: part, ...mark, instead_of: before },
      sentence: `Noted ${name} as ${mark.presence} at ${session.course.name}`,
      // A walk-in and marks under another id are sent first.
      dependsOn: await waitingBeside(db, session, part, [part, ...(delegate?.also ?? []), before]),
    };
  });
  await askAgainWhereAgreed(db, laneName('register', session.id));
  return noted;
};

/** Adds a walk-in, marked as present. */
export const addWalkIn = async (db: PersonDb, me: Trainer, session: Session, args: WalkInArgs): Promise<string> => {
  const id = await note(db, me, session, () => ({
    command: 'register.walk_in',
    args,
    sentence: `Added ${args.name} to the register of ${session.course.name}`,
  }));
  const kept = await db.registers.get(session.id);
  const delegate = kept && delegateBy(kept, id);
  if (delegate && currentMark(delegate)?.presence !== 'present')
    await markDelegate(db, me, session, delegate, { presence: 'present', arrived: null, left: null, outcome: null, note: '' });
  return id;
};

export const signMark = (db: PersonDb, me: Trainer, session: Session, delegate: Delegate, args: MarkSignatureArgs): Promise<string> =>
  note(db, me, session, async () => ({
    part: delegate.id,
    command: 'register.sign',
    args,
    sentence: `The signature of ${delegate.name} for ${session.course.name}`,
    // Sent, and set aside, together with its mark.
    dependsOn: (await entriesOfThing(db, laneName('register', session.id))).filter((e) => e.id === args.mark_id).map((e) => e.id),
  }));

/** Completes a register. It does not wait for a mark that needs the trainer, so that other people's records are not delayed. */
export const completeRegister = async (
  db: PersonDb,
  me: Trainer,
  session: Session & Pick<Register, 'delegates'>,
  args: Omit<CompleteArgs, 'marks'>,
): Promise<string> => {
  return note(db, me, session, (now) => ({
    command: 'register.complete',
    args: { ...args, marks: (now ?? session).delegates.filter(isOnRegister).flatMap((d) => currentMark(d)?.id ?? []) },
    sentence: `Finished the register of ${session.course.name}`,
  }));
};

/** Stores a register that was read online. */
export const noteServerRegister = async (db: PersonDb, register: Register): Promise<void> => {
  await db.transaction('rw', [db.outbox, ...registerLane.tables(db)], async () => {
    const waiting = await entriesOfThing(db, laneName('register', register.id));
    await takeRegister(db, register, waiting);
    await renewChoices(db, waiting, register);
  });
  await askAgainWhereAgreed(db, laneName('register', register.id));
};

/**
 * Stores the person's own sessions between two days as the server lists them, all of them. What is on this device of those days and is no
 * longer listed was moved away or given to somebody else: it is deleted, and with unsent work kept aside. Returns the ids of the deleted ones.
 */
export const noteOwnRegisters = async (db: PersonDb, listed: readonly Register[], days: { from: string; until: string }): Promise<string[]> => {
  for (const register of listed) await noteServerRegister(db, register);
  return db.transaction('rw', [db.outbox, db.registers], async () => {
    const ids = new Set(listed.map((r) => r.id));
    const others = (await db.registers.toArray()).filter(
      (r) => r.trainer.id === db.personId && r.date >= days.from && r.date <= days.until && !ids.has(r.id),
    );
    const deleted: string[] = [];
    for (const { id } of others) {
      if ((await entriesOfThing(db, laneName('register', id))).length > 0) await db.registers.update(id, { gone: true });
      else {
        await db.registers.delete(id);
        deleted.push(id);
      }
    }
    return deleted;
  });
};
