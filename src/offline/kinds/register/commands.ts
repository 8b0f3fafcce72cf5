import type { Command } from '#contract/kinds.ts';
import type { CompleteArgs, Delegate, MarkArgs, MarkSignatureArgs, Register, WalkInArgs } from '#contract/entities/training-session.ts';
import { isOnRegister, markNow } from '#contract/rules/register.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { entriesOfThing, laneName } from '#src/offline/kinds/lane.ts';
import { delegateBy, registerLane, registerWith, takeRegister } from '#src/offline/kinds/register/lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** What a trainer does with a register. Each resolves, with the id of what was noted, when it is saved on this device. */
type Trainer = { uuid: string; name: string };
type Session = { id: string; course: { name: string } };
type Entry = { command: Command; args: unknown; sentence: string; part?: string; dependsOn?: string[] };

/** `entry` is told what stands on the register in the moment in which it is saved: a second tap may come before the first is shown. */
const note = async (db: PersonDb, me: Trainer, session: Session, entry: (now: Register | undefined) => Entry | Promise<Entry>): Promise<string> => {
  const said = { id: newId(), at: correctedNow().toISOString(), actor: me.uuid };
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
      return [{ ...what, id: said.id, at: said.at, lane: laneName('register', session.id, part), mergeKey: null }];
    },
    async () => {
      if (kept && noted) await db.registers.put(registerWith(kept, { ...said, command: noted.command, args: noted.args }, me.name));
    },
  );
  return said.id;
};
/** What of a register waits on this device in other lanes than that of a delegate, by its id. */
const waitingBeside = async (db: PersonDb, session: Session, delegateId: string, ids: readonly (string | null)[]): Promise<string[]> => {
  const own = laneName('register', session.id, delegateId);
  return (await entriesOfThing(db, laneName('register', session.id))).filter((e) => e.lane !== own && ids.includes(e.id)).map((e) => e.id);
};

/** Notes whether somebody is there, from when to when, and how the practical part went. It takes the place of what was noted before. */
export const markDelegate = (db: PersonDb, me: Trainer, session: Session, { id, name }: Delegate, mark: MarkArgs): Promise<string> =>
  note(db, me, session, async (now) => {
    const delegate = now && delegateBy(now, id);
    const before = delegate ? (markNow(delegate)?.id ?? null) : null;
    const part = delegate?.id ?? id;
    return {
      part,
      command: 'register.mark',
      args: { delegate_id: part, ...mark, instead_of: before },
      sentence: `Noted ${name} as ${mark.presence} at ${session.course.name}`,
      // Somebody who came without being on the list is told of first, and what was noted of them under another id.
      dependsOn: await waitingBeside(db, session, part, [part, ...(delegate?.also ?? []), before]),
    };
  });

/** Adds somebody who came without being on the list, as here. */
export const addWalkIn = async (db: PersonDb, me: Trainer, session: Session, args: WalkInArgs): Promise<string> => {
  const id = await note(db, me, session, () => ({
    command: 'register.walk_in',
    args,
    sentence: `Added ${args.name} to the register of ${session.course.name}`,
  }));
  const kept = await db.registers.get(session.id);
  const delegate = kept && delegateBy(kept, id);
  if (delegate && markNow(delegate)?.presence !== 'present')
    await markDelegate(db, me, session, delegate, { presence: 'present', arrived: null, left: null, outcome: null, note: '' });
  return id;
};

export const signMark = (db: PersonDb, me: Trainer, session: Session, delegate: Delegate, args: MarkSignatureArgs): Promise<string> =>
  note(db, me, session, async () => ({
    part: delegate.id,
    command: 'register.sign',
    args,
    sentence: `The signature of ${delegate.name} for ${session.course.name}`,
    // With the mark it goes, and with it it is set aside.
    dependsOn: (await entriesOfThing(db, laneName('register', session.id))).filter((e) => e.id === args.mark_id).map((e) => e.id),
  }));

/** Finishes a register. It waits for nothing: a mark that needs the trainer holds up nobody else’s record. */
export const completeRegister = async (
  db: PersonDb,
  me: Trainer,
  session: Session & Pick<Register, 'delegates'>,
  args: Omit<CompleteArgs, 'marks'>,
): Promise<string> => {
  return note(db, me, session, (now) => ({
    command: 'register.complete',
    args: { ...args, marks: (now ?? session).delegates.filter(isOnRegister).flatMap((d) => markNow(d)?.id ?? []) },
    sentence: `Finished the register of ${session.course.name}`,
  }));
};

/** Takes the server's copy of a register that was read online. */
export const noteServerRegister = async (db: PersonDb, register: Register): Promise<void> => {
  await db.transaction('rw', [db.outbox, ...registerLane.tables(db)], async () =>
    takeRegister(db, register, await entriesOfThing(db, laneName('register', register.id))),
  );
};
