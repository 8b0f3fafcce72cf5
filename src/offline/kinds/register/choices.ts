import type { Register } from '#contract/entities/training-session.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { currentMark, mergeMarks, sameMark } from '#contract/rules/register.ts';
import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';
import { mayMerge } from '#src/offline/outbox/merge-entry.ts';
import type { Entry } from '#src/offline/ports.ts';
import { delegateBy, registerWith, registerWithout } from '#src/offline/kinds/register/lane.ts';

/** A person's name as shown in the register. */
const nameOn = ({ trainer, delegates }: Register, actor: string): string =>
  [trainer, ...delegates.flatMap((d) => d.marks.map((m) => m.by))].find((by) => by.id === actor)?.name ?? '';

/** The mark that counts on the server for the delegate of an entry. */
const theirsOf = ({ args, trouble }: Entry) => {
  const current = trouble?.current as Register | null | undefined;
  const delegate = current && delegateBy(current, (args as ArgsOf<'register.mark'>).delegate_id);
  return delegate ? currentMark(delegate) : null;
};

export const registerChoices: Choices = {
  takeBack: async (db, { id, lane }) => {
    const register = await db.registers.get(placeOfLane(lane).id);
    if (register) await db.registers.put(registerWithout(register, id));
  },
  between: (entry) => (entry.command === 'register.mark' ? { mine: entry.id, theirs: theirsOf(entry)?.id ?? null } : null),
  agrees: (entry, later) => {
    const theirs = theirsOf(entry);
    const said = later.map((e) => e.args as ArgsOf<'register.mark'>);
    const last = said.at(-1);
    const together = theirs && last ? mergeMarks(null, last, theirs) : null;
    // What was noted in view of theirs also means what it leaves out.
    return together !== null && last !== undefined && (said.every((s) => s.instead_of !== theirs?.id) || sameMark(together, last));
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
