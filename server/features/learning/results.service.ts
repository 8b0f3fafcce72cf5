import { randomUUID } from 'node:crypto';
import type { TrainingRecord } from '#contract/entities/attempt.ts';
import { addMonths, defaultTimeZone, instantOf } from '#contract/rules/days.ts';
import { type Db, sql } from '#server/db/sql.ts';

export type NewResult = {
  user_id: string;
  course_id: string;
  content_id?: string | null;
  type: TrainingRecord['type'];
  /** An instant, or a date (YYYY-MM-DD), which stands for noon. */
  completed: string;
  /** Whose dates these are. Without it those of the person's organisation. */
  zone?: string;
  /** Only for a record that is copied: how long it was valid there. */
  expires_at?: string | null;
  score?: number | null;
  attempt_id?: string;
  delegate_id?: string;
  evidence_id?: string | null;
};

/**
 * Adds lines to training records; the only way in which that happens. How long each is valid follows from the person's job
 * roles, else from the course; an exemption does not expire. An attempt or a delegate has one line: a second is not added.
 * Answers the ids in the order of `results`.
 */
export const recordResults = async (tx: Db, results: readonly NewResult[], now: Date): Promise<string[]> => {
  const asked = results.map(({ user_id, course_id }, no) => ({ no, user_id, course_id }));
  const rules = await tx.all<{ zone: string | null; months: number | null }>(sql`select h.time_zone as zone,
      coalesce((select q.renewal_months from required_of(n.user_id) q where q.course_id = n.course_id), k.renewal_months) as months
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as n (no int, user_id uuid, course_id uuid)
    left join users u on u.id = n.user_id left join entity_names h on h.id = u.primary_entity_id left join courses k on k.id = n.course_id order by n.no`);
  const rows = results.map(({ completed, zone: given, ...result }, i) => {
    const zone = given ?? rules[i]?.zone ?? defaultTimeZone;
    const months = result.type === 'exempt' ? null : rules[i]?.months;
    const completed_at = completed.length === 10 ? instantOf(completed, '12:00', zone) : completed;
    return { id: randomUUID(), completed_at, expires_at: months ? addMonths(completed_at, months, zone) : null, ...result };
  });
  await tx.run(sql`insert into results (id, user_id, course_id, content_id, attempt_id, type, completed_at, expires_at, score, delegate_id, evidence_id, created_at)
    select r.id, r.user_id, r.course_id, r.content_id, r.attempt_id, r.type, r.completed_at, r.expires_at, r.score, r.delegate_id, r.evidence_id, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, user_id uuid, course_id uuid, content_id uuid, attempt_id uuid, type text,
      completed_at timestamptz, expires_at timestamptz, score integer, delegate_id uuid, evidence_id uuid) on conflict do nothing`);
  return rows.map((r) => r.id);
};
