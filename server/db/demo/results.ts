import type { ResultType } from '#contract/entities/result.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { completionOf, endOfValidity } from '#contract/rules/result-dates.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { insertRow } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';

const zone = 'Europe/London';
type Line = {
  who: string;
  course: string;
  type: ResultType;
  status?: 'pending' | 'rejected';
  origin: 'manual' | 'approval' | 'pathway' | 'import';
  /** Days ago. */
  completed: number;
  /** The last day on which it is valid, in days from now; without it it does not expire. */
  valid?: number;
  by: 'admin' | 'manager' | 'self';
  note: string;
  reason?: string;
  score?: number;
};
/** Results that people brought from elsewhere, that others recorded for them, and that wait for a decision. */
const lines: readonly Line[] = [
  {
    ...{ who: 'grace.adeyemi', course: 'Food hygiene', type: 'exempt', origin: 'manual', completed: 40, valid: 140, by: 'manager' },
    note: 'Returning from maternity leave; does not prepare food until then.',
  },
  {
    ...{ who: 'lucia.fernandes', course: 'Mental capacity and DoLS', type: 'exempt', origin: 'manual', completed: 90, by: 'admin' },
    note: 'Approved mental capacity professional.',
  },
  {
    ...{ who: 'chidi.nwosu', course: 'Oral health', type: 'historical', origin: 'import', completed: 700, valid: 395, by: 'admin' },
    note: 'Riverside College, certificate RC-20418.',
  },
  {
    ...{ who: 'shabnam.begum', course: 'Communication', type: 'historical', origin: 'approval', completed: 300, valid: 795, by: 'manager' },
    ...{ note: 'Previous employer.', reason: 'Checked against the certificate.' },
  },
  {
    ...{ who: 'ewa.kowalczyk', course: 'Person-centred care', type: 'assessment', origin: 'manual', completed: 120, valid: 975, by: 'manager' },
    ...{ note: 'Observed on two shifts.', score: 88 },
  },
  {
    ...{ who: 'liam.murphy', course: 'Dementia awareness', type: 'pathway', origin: 'pathway', completed: 200, valid: 895, by: 'admin' },
    note: 'Induction pathway.',
  },
  {
    ...{
      who: 'thandiwe.moyo',
      course: 'Emergency first aid at work',
      type: 'historical',
      status: 'pending',
      origin: 'manual',
      completed: 60,
      by: 'self',
    },
    note: 'St John Ambulance, three-day course.',
  },
  {
    ...{ who: 'sophie.turner', course: 'Basic life support', type: 'historical', status: 'pending', origin: 'manual', completed: 21, by: 'self' },
    note: 'Taken with my second employer.',
  },
  {
    ...{ who: 'rhys.evans', course: 'Food hygiene', type: 'assessment', status: 'pending', origin: 'manual', completed: 5, by: 'self' },
    note: 'Level 2, online.',
  },
  {
    ...{
      who: 'blessing.chukwu',
      course: 'Mental capacity and DoLS',
      type: 'historical',
      status: 'rejected',
      origin: 'manual',
      completed: 1500,
      by: 'self',
    },
    ...{ note: 'From 2021.', reason: 'The certificate has run out.' },
  },
];

/** Training records at Willowbrook beside what its people did in the product. */
export const fillWithResults = async (tx: Db, now: Date): Promise<void> => {
  const today = dayIn(now, zone);
  const person = (who: string) => demoId(`user:${who}@willowbrook.test`);
  for (const { who, course, type, status = 'approved', origin, completed, valid, by, note, reason = '', score = null } of lines) {
    const id = demoId(`record:${who}:${course}`);
    const recorded_by = by === 'self' ? person(who) : person(by);
    const self = by === 'self' || origin === 'approval';
    const at = new Date(now.getTime() - Math.min(completed, 30) * 86_400_000);
    await tx.run(
      insertRow('results', {
        ...{ id, user_id: person(who), course_id: demoId(`course:${course}`), type, note, score },
        ...{ status: self ? 'pending' : status, origin: self ? 'manual' : origin, expiry: valid === undefined ? 'never' : 'day' },
        completed_at: completionOf(addDays(today, -completed), zone),
        expires_at: valid === undefined ? null : endOfValidity(addDays(today, valid), zone),
        ...{ recorded_by: self ? person(who) : recorded_by, created_at: at, changed_at: at, changed_by: self ? person(who) : recorded_by },
        change: self ? 'submitted' : 'recorded',
      }),
    );
    const decided = origin === 'approval' ? 'approved' : status;
    if (self && decided !== 'pending')
      await tx.run(
        sql`update results set status = ${decided}, origin = ${origin}, change = ${decided}, changed_by = ${person('manager')}, changed_at = ${now}, change_reason = ${reason} where id = ${id}`,
      );
  }
  // Approvers were already notified of these, so the next new submission notifies them again.
  await tx.run(sql`update users set told_pending_at = ${now} where email like '%@willowbrook.test'`);
  // One course ends for everyone on the same day of the year, and somebody moved from one house to another.
  await tx.run(
    sql`update courses set renewal_kind = 'fixed', renewal_on = '03-31', renewal_window = 60 where id = ${demoId('course:Positive behaviour support')}`,
  );
};
