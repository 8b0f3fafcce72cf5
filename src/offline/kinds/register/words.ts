import type { MarkArgs, Register } from '#contract/entities/training-session.ts';
import { errors } from '#contract/errors.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { currentMark } from '#contract/rules/register.ts';
import { countOf, formatDay, formatMoment } from '#src/lib/format.ts';
import { delegateBy } from '#src/offline/kinds/register/lane.ts';
import { type GradingMethod, outcomeWords } from '#src/offline/kinds/register/outcome-words.ts';
import { always, sideLabels, type Words } from '#src/offline/kinds/words.ts';

const markWords = ({ presence, arrived, left, note, ...mark }: MarkArgs, grading: GradingMethod): string =>
  presence === 'absent'
    ? 'was not there'
    : [`was there${arrived ? ` from ${arrived}` : ''}${left ? ` until ${left}` : ''}`, outcomeWords(mark, grading), note && `“${note}”`]
        .filter(Boolean)
        .join(', ');

export const registerWords: Words<'register'> = {
  commands: {
    'register.mark': { was: 'Noting who was there', did: (n) => `attendance noted ${n === 1 ? 'once' : `${n} times`}` },
    'register.walk_in': { was: 'Adding somebody to a register', did: (n) => countOf(n, 'walk-in') },
    'register.sign': { was: 'Signing a register', did: (n) => countOf(n, 'signature') },
    'register.complete': { was: 'Finishing a register', did: always('finished') },
  },
  refusals: {
    marked_elsewhere: 'Somebody else, or you on another device, noted something else of this person. Both are kept. Choose what counts.',
    session_to_come: errors.session_to_come.message,
    not_found:
      'You do not take this register any more: the session was given to somebody else or deleted, or you no longer train. What you noted is kept on this device. Ask whoever plans the training: once it is yours again, it is sent. You can also export it.',
  },
  unnamed: 'A register',
  names: async (db, ids) =>
    (await db.registers.bulkGet(ids)).flatMap((r) => (r ? [[r.id, `Register of ${r.course.name}, ${formatDay(r.date)}`]] : [])),
  sides: (entry, later) => {
    if (entry.command !== 'register.mark') return null;
    const args = entry.args as ArgsOf<typeof entry.command>;
    const current = (entry.trouble?.current ?? null) as Register | null;
    const delegate = current && delegateBy(current, args.delegate_id);
    const theirs = delegate && currentMark(delegate);
    if (!theirs) return null;
    const words = (mark: MarkArgs) => markWords(mark, current.grading_method);
    const noted = [entry, ...later].map((e) => ({ at: formatMoment(e.at), said: words(e.args as ArgsOf<'register.mark'>) }));
    const last = noted.at(-1)?.said ?? '';
    return {
      mine: `You, ${noted.map(({ at, said }, i) => `${at}: ${i === 0 ? `${delegate.name} ` : ''}${said}`).join('; then, ')}`,
      theirs: `${theirs.by.name}, ${formatMoment(theirs.at)}: ${delegate.name} ${words(theirs)}`,
      ...sideLabels(last, words(theirs)),
      keptMine: 'What you noted counts. The other one stays in the history.',
      keptTheirs: 'What they noted counts. Yours stays in the archive.',
    };
  },
};
