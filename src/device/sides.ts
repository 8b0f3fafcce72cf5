import type { ArgsOf } from '#contract/kinds.ts';
import type { MarkArgs, Register } from '#contract/entities/training-session.ts';
import { markNow } from '#contract/rules/register.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { CareCertificate, CriterionOutcome } from '#contract/entities/care-certificate.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import type { Entry } from '#src/offline/ports.ts';

/** The two sides of a conflict, and what choosing each is called. In the words of somebody who was not there. */
export type Sides = { mine: string; theirs: string; keepMine: string | null; keepTheirs: string; keptMine: string; keptTheirs: string };

const percent = (n: number) => `${Math.round(n)} %`;
const outcomes: Record<CriterionOutcome, string> = { met: 'met', not_yet_met: 'not yet met', not_observed: 'not observed' };

const quizSides = (entry: Entry, args: ArgsOf<'attempt.submit_quiz'>): Sides => {
  const last = ((entry.trouble?.current ?? null) as Attempt | null)?.submissions.filter((s) => s.quiz_id === args.quiz_id).at(-1);
  return {
    mine: `Handed in ${formatMoment(entry.at)}, ${countOf(Object.keys(args.answers).length, 'answer')}, not marked`,
    theirs: last ? `Handed in ${formatMoment(last.submitted_at)}, ${percent(last.score)}, ${last.passed ? 'passed' : 'not passed'}` : 'Nothing yet',
    keepMine: null,
    keepTheirs: 'Keep the one on the server',
    keptMine: '',
    keptTheirs: 'The other one is kept. Yours stays in the archive.',
  };
};

const resumeSides = (entry: Entry, args: ArgsOf<'attempt.scorm_resume'>): Sides | null => {
  const item = ((entry.trouble?.current ?? null) as Attempt | null)?.scorm.find((i) => i.item_id === args.item_id);
  const mine = item?.sessions.find((s) => s.session_id === args.session_id);
  const theirs = item?.sessions.find((s) => s.session_id === item.resume);
  if (!mine || !theirs) return null;
  const minutes = (seconds: number) => countOf(Math.max(1, Math.round(seconds / 60)), 'minute');
  return {
    mine: `At ${percent(mine.percent)}, after ${minutes(mine.seconds)}, last on ${formatMoment(mine.at)}`,
    theirs: `At ${percent(theirs.percent)}, after ${minutes(theirs.seconds)}, last on ${formatMoment(theirs.at)}`,
    keepMine: `Go on at ${percent(mine.percent)} (this tablet)`,
    keepTheirs: `Go on at ${percent(theirs.percent)} (the other tablet)`,
    keptMine: `You go on at ${percent(mine.percent)}. The other one is kept.`,
    keptTheirs: `You go on at ${percent(theirs.percent)}. What you did on this tablet is kept.`,
  };
};

const decisionSides = (entry: Entry, args: ArgsOf<'observation.decide'>): Sides | null => {
  const current = (entry.trouble?.current ?? null) as CareCertificate | null;
  const theirs = current?.decisions.find((d) => d.criterion === args.criterion);
  if (!theirs) return null;
  const seen = (id: string) => {
    const text = current?.observations.find((o) => o.id === id)?.record?.seen;
    return text ? `: “${text.length > 200 ? `${text.slice(0, 200)} …` : text}”` : '';
  };
  return {
    mine: `You, ${formatMoment(entry.at)}: ${outcomes[args.outcome]}${seen(args.observation_id)}`,
    theirs: `${theirs.by.name}, ${formatMoment(theirs.at)}: ${outcomes[theirs.outcome]}${seen(theirs.observation_id)}`,
    keepMine: `Mine counts: ${outcomes[args.outcome]}`,
    keepTheirs: `Theirs counts: ${outcomes[theirs.outcome]}`,
    keptMine: 'Your decision counts. Both records stay.',
    keptTheirs: 'Their decision counts. Your record stays.',
  };
};

const markWords = ({ presence, arrived, left, outcome, note }: MarkArgs): string =>
  presence === 'absent'
    ? 'was not there'
    : [
        `was there${arrived ? ` from ${arrived}` : ''}${left ? ` until ${left}` : ''}`,
        outcome === 'passed' && 'practical passed',
        outcome === 'not_yet' && 'practical not yet',
        note && `“${note}”`,
      ]
        .filter(Boolean)
        .join(', ');
const markSides = (entry: Entry, args: ArgsOf<'register.mark'>): Sides | null => {
  const current = (entry.trouble?.current ?? null) as Register | null;
  const delegate = current?.delegates.find((d) => d.id === args.delegate_id || d.also.includes(args.delegate_id));
  const theirs = delegate && markNow(delegate);
  if (!theirs) return null;
  return {
    mine: `You, ${formatMoment(entry.at)}: ${delegate.name} ${markWords(args)}`,
    theirs: `${theirs.by.name}, ${formatMoment(theirs.at)}: ${delegate.name} ${markWords(theirs)}`,
    keepMine: `Mine counts: ${markWords(args)}`,
    keepTheirs: `Theirs counts: ${markWords(theirs)}`,
    keptMine: 'What you noted counts. The other one stays in the history.',
    keptTheirs: 'What they noted counts.',
  };
};

/** The sides of an entry that needs the person; null where there is nothing to set side by side. */
export const sidesOf = (entry: Entry): Sides | null => {
  switch (entry.command) {
    case 'attempt.submit_quiz':
      return quizSides(entry, entry.args as ArgsOf<typeof entry.command>);
    case 'attempt.scorm_resume':
      return resumeSides(entry, entry.args as ArgsOf<typeof entry.command>);
    case 'observation.decide':
      return decisionSides(entry, entry.args as ArgsOf<typeof entry.command>);
    case 'register.mark':
      return markSides(entry, entry.args as ArgsOf<typeof entry.command>);
    default:
      return null;
  }
};
