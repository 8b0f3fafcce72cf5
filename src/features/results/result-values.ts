import type { Evidence } from '#contract/entities/bulk-event.ts';
import { type enteredTypes, type Result, resultLimits } from '#contract/entities/result.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import { lastValidDay } from '#contract/rules/result-dates.ts';
import { dayOf } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import type { Option } from '#src/screens/pickers.tsx';

export type EnteredType = (typeof enteredTypes)[number];
type Typed = string | number;
/** The values of the form in which results are entered and corrected. */
export type ResultValues = {
  id: string;
  type: EnteredType;
  user_ids: readonly Option[];
  course_ids: readonly Option[];
  completed_on: string;
  expiry: Result['expiry'];
  expires_on: string;
  score: Typed;
  note: string;
  evidence_id: Evidence | null;
  remove_evidence: boolean;
  minutes: Typed;
  cpd_hours: Typed;
  rev: number;
  certificate_suppressed: boolean;
  reason: string;
};

/** A new result, for preselected people and courses. */
export const newValues = (type: EnteredType, people: readonly Option[], courses: readonly Option[]): ResultValues => ({
  ...{ id: crypto.randomUUID(), type, user_ids: people.slice(0, resultLimits.atOnce), course_ids: courses, completed_on: dayOf(correctedNow()) },
  ...{
    expiry: type === 'exempt' ? 'never' : 'rule',
    expires_on: '',
    score: '',
    note: '',
    evidence_id: null,
    remove_evidence: false,
    minutes: '',
    cpd_hours: '',
  },
  ...{ rev: 0, certificate_suppressed: false, reason: '' },
});

/** The values to correct. Its evidence stays unless another file is chosen. */
export const valuesOf = (r: Result): ResultValues => ({
  ...newValues('historical', [], []),
  ...{ completed_on: dayIn(r.completed_at, r.zone), expiry: r.expiry },
  expires_on: r.expiry === 'day' && r.expires_at ? lastValidDay(r.expires_at, r.zone) : '',
  ...{ score: r.score ?? '', note: r.note, minutes: r.minutes ?? '', cpd_hours: r.cpd_hours ?? '' },
  ...{ rev: r.rev, certificate_suppressed: r.certificate_suppressed },
});

const numberOf = (typed: Typed): number | null => (typed === '' ? null : Number(typed));
/** The input of the contract's rules. */
export const inputOf = ({ user_ids, course_ids, evidence_id, ...typed }: ResultValues) => ({
  ...typed,
  user_ids: user_ids.map((p) => p.id),
  course_ids: course_ids.map((c) => c.id),
  expires_on: typed.expiry === 'day' && typed.expires_on ? typed.expires_on : null,
  ...{ score: numberOf(typed.score), minutes: numberOf(typed.minutes), cpd_hours: numberOf(typed.cpd_hours) },
  evidence_id: evidence_id?.id ?? null,
});

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);
const day = (text: string) => (isDay(text) ? dayWords(text) : text);
/** The chosen expiry. */
const validity = ({ expiry, expires_on }: ResultValues) =>
  ({ rule: 'By the renewal rule', day: `Until ${day(expires_on)}`, never: 'Without an end' })[expiry];
const facts: readonly [string, (values: ResultValues) => string][] = [
  ['Completed', (v) => day(v.completed_on)],
  ['Valid', validity],
  ['Score', (v) => (v.score === '' ? 'none' : `${v.score}%`)],
  ['Note', (v) => v.note.trim() || 'none'],
  ['Learning time', (v) => (v.minutes === '' ? 'none' : `${v.minutes} minutes`)],
  ['CPD hours', (v) => (v.cpd_hours === '' ? 'none' : String(v.cpd_hours))],
  ['Evidence', (v) => v.evidence_id?.name ?? (v.remove_evidence ? 'removed' : 'as it is')],
  ['Certificate', (v) => (v.certificate_suppressed ? 'withheld' : 'available')],
];
/** The differences between two corrections, a line for each. */
export const differences = (mine: ResultValues, theirs: ResultValues): { mine: string; theirs: string } => {
  const differ = facts.filter(([, factOf]) => factOf(mine) !== factOf(theirs));
  const lines = (v: ResultValues) => differ.map(([name, factOf]) => `${name}: ${factOf(v)}`).join('\n') || 'The same';
  return { mine: lines(mine), theirs: lines(theirs) };
};
