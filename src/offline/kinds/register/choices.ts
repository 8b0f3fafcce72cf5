import type { Register } from '#contract/entities/training-session.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { currentMark } from '#contract/rules/register.ts';
import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';
import { delegateBy, registerWith, registerWithout } from '#src/offline/kinds/register/lane.ts';

/** A person's name as shown in the register. */
const nameOn = ({ trainer, delegates }: Register, actor: string): string =>
  [trainer, ...delegates.flatMap((d) => d.marks.map((m) => m.by))].find((by) => by.id === actor)?.name ?? '';

export const registerChoices: Choices = {
  takeBack: async (db, { id, lane }) => {
    const register = await db.registers.get(placeOfLane(lane).id);
    if (register) await db.registers.put(registerWithout(register, id));
  },
  between: (entry) => {
    if (entry.command !== 'register.mark') return null;
    const current = entry.trouble?.current as Register | null | undefined;
    const delegate = current && delegateBy(current, (entry.args as ArgsOf<typeof entry.command>).delegate_id);
    return { mine: entry.id, theirs: (delegate && currentMark(delegate)?.id) ?? null };
  },
  choose: async (db, entry, next) => {
    const register = await db.registers.get(placeOfLane(entry.lane).id);
    if (register) await db.registers.put(registerWith(register, { ...next, actor: entry.actor }, nameOn(register, entry.actor)));
  },
  // Signatures of a mark refer to its replacement, which says the same.
  saidOf: (entries, entry, next) =>
    entries
      .filter((e) => e.command === 'register.sign' && e.dependsOn.includes(entry.id))
      .map((e) => ({ ...e, args: { ...(e.args as object), mark_id: next.id } })),
};
