import type { Register } from '#contract/entities/training-session.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { currentMark } from '#contract/rules/register.ts';
import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';
import { mayMerge } from '#src/offline/outbox/merge-entry.ts';
import type { Entry } from '#src/offline/ports.ts';
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
  // Signatures of a mark refer to its replacement, which says the same; an unsent completion names the mark that counts.
  saidOf: (entries, gone, next) =>
    entries.flatMap((e): Entry[] => {
      if (e.command === 'register.sign') {
        const args = e.args as ArgsOf<typeof e.command>;
        return next !== null && gone.has(args.mark_id) ? [{ ...e, args: { ...args, mark_id: next } }] : [];
      }
      // One that was sent stays as it was: the server may have it.
      if (e.command !== 'register.complete' || !mayMerge(e)) return [];
      const args = e.args as ArgsOf<typeof e.command>;
      if (!args.marks.some((id) => gone.has(id))) return [];
      const marks = args.marks.flatMap((id) => (gone.has(id) ? (next ?? []) : id));
      return [{ ...e, args: { ...args, marks: [...new Set(marks)] } }];
    }),
};
