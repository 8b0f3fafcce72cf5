import type { ArgsOf } from '#contract/kinds.ts';
import type { Delegate, Mark, Register } from '#contract/entities/training-session.ts';
import { request } from '#src/api/transport.ts';
import type { LaneOf } from '#src/offline/kinds/lane.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

type Change = Pick<Entry, 'id' | 'command' | 'args' | 'actor' | 'at'>;

/** The delegate with this id, or the one for whom a device used it before matching them. */
export const delegateBy = (register: Pick<Register, 'delegates'>, id: string): Delegate | undefined =>
  register.delegates.find((d) => d.id === id || d.also.includes(id));
const withDelegate = (register: Register, id: string, change: (delegate: Delegate) => Delegate): Register => {
  const known = delegateBy(register, id);
  return known ? { ...register, delegates: register.delegates.map((d) => (d === known ? change(d) : d)) } : register;
};

/** A register with an unsent change applied, for display. `name`: of the person who made it. */
export const registerWith = (register: Register, { id, command, args, actor, at }: Change, name: string): Register => {
  const noter = { id: actor, name };
  switch (command) {
    case 'register.mark': {
      const { delegate_id, instead_of: _, ...said } = args as ArgsOf<'register.mark'>;
      const mark: Mark = { ...said, id, by: noter, at };
      return withDelegate(register, delegate_id, (d) => ({ ...d, marks: [...d.marks.filter((m) => m.id !== id), mark] }));
    }
    case 'register.walk_in': {
      if (delegateBy(register, id)) return register;
      const { user_id, name: who, note } = args as ArgsOf<'register.walk_in'>;
      // A walk-in who turns out to be on the list.
      const listed = user_id && register.delegates.find((d) => d.user?.id === user_id);
      if (listed)
        return withDelegate(register, listed.id, (d) => ({ ...d, also: [...d.also, id], removed: null, walk_in: d.walk_in || d.removed !== null }));
      const user = user_id === null ? null : { id: user_id, name: who };
      const delegate: Delegate = {
        id,
        also: [],
        user,
        name: who,
        place: '',
        note,
        walk_in: true,
        removed: null,
        marks: [],
        signature: null,
        recorded: false,
      };
      return { ...register, delegates: [...register.delegates, delegate] };
    }
    case 'register.sign': {
      const signature = { ...(args as ArgsOf<'register.sign'>), id, at };
      const signedDelegate = register.delegates.find((d) => d.marks.some((m) => m.id === signature.mark_id));
      return signedDelegate ? withDelegate(register, signedDelegate.id, (d) => ({ ...d, signature })) : register;
    }
    case 'register.complete':
      return { ...register, completed: { id, at, by: noter, note: (args as ArgsOf<'register.complete'>).note } };
    default:
      return register;
  }
};

/** A register without the change of an entry. */
export const registerWithout = (register: Register, id: string): Register => ({
  ...register,
  completed: register.completed?.id === id ? null : register.completed,
  delegates: register.delegates
    .filter((d) => d.id !== id)
    .map((d) => ({ ...d, marks: d.marks.filter((m) => m.id !== id), signature: d.signature?.id === id ? null : d.signature })),
});

/** Stores the server's copy of a register and applies unsent changes to it. */
export const takeRegister = async (db: PersonDb, register: Register, left: readonly Entry[]): Promise<void> => {
  const before = await db.registers.get(register.id);
  const names = new Map(
    [
      ...(before?.delegates.flatMap((d) => d.marks.map((m) => m.by)) ?? []),
      ...(before?.completed ? [before.completed.by] : []),
      register.trainer,
    ].map((by) => [by.id, by.name]),
  );
  // A mark that needs a choice is shown beside the other, not in its place.
  const waiting = left.filter((e) => e.state !== 'needs-person').sort((a, b) => a.n - b.n);
  await db.registers.put(waiting.reduce((r, e) => registerWith(r, e, names.get(e.actor) ?? ''), register));
};

/** Registers. Each delegate's mark has its own lane, because two people may have marked them differently. */
export const registerLane: LaneOf<'register'> = {
  atOnce: 200,
  send: (id, changes, headers) => request<Register>('PATCH', `/training-sessions/${id}/register`, { body: { changes }, compress: true, headers }),
  tables: (db) => [db.registers],
  take: takeRegister,
};
