import { can } from '#contract/can.ts';
import { mostRegisters, registersAheadDays } from '#contract/entities/training-session.ts';
import { currentActingAs, currentUser } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { keepPage } from '#src/device/kept-pages.ts';
import { noteOwnRegisters, noteServerRegister } from '#src/offline/kinds/register/commands.ts';
import { dayFrom } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { personDb } from '#src/offline/store/person-db.ts';

const takesRegisters = 'delegate.mark';
const keptDays = 14;

/**
 * Stores the registers of the trainer's own sessions, from yesterday to a week ahead, with their delegates and the keys of their check-in
 * codes. Older ones, and those that are no longer theirs, are deleted once everything has been sent. Returns whether the server answered.
 */
export const keepRegisters = async (): Promise<boolean> => {
  const user = currentUser();
  // Stored data is the person's own, also while acting for another organisation.
  if (!user || currentActingAs() || !can(user, takesRegisters)) return true;
  const result = await call('GET /registers', {}, { quiet: true });
  if (result.kind !== 'ok' || currentUser()?.uuid !== user.uuid || currentActingAs()) return false;
  const db = personDb(user.uuid);
  const today = correctedNow();
  // A day less at both ends: the server counts days in the time zone of the organisation.
  const days = { from: dayFrom(today, 0), until: dayFrom(today, registersAheadDays - 1) };
  const moved = result.data.length < mostRegisters ? await noteOwnRegisters(db, result.data, days) : [];
  if (result.data.length >= mostRegisters) for (const register of result.data) await noteServerRegister(db, register);
  for (const id of moved) await keepPage(`check-in-key:${id}`, null);
  const keys = await call('GET /registers/check-in-keys', {}, { quiet: true });
  if (keys.kind === 'ok' && currentUser()?.uuid === user.uuid) for (const key of keys.data) await keepPage(`check-in-key:${key.session_id}`, key);
  const oldest = dayFrom(correctedNow(), -keptDays);
  const waiting = new Set((await db.outbox.where('lane').startsWith('register:').toArray()).map((e) => e.lane.slice(9, 45)));
  const outdated = (await db.registers.toArray()).filter((r) => r.date < oldest && !waiting.has(r.id));
  await db.registers.bulkDelete(outdated.map((r) => r.id));
  for (const { id } of outdated) await keepPage(`check-in-key:${id}`, null);
  return keys.kind === 'ok';
};
