import type { PersonCompliance } from '#contract/entities/compliance.ts';
import { askedAt, complianceOf } from '#contract/rules/compliance-status.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { walkRequired } from '#server/features/compliance/required-walk.rows.ts';

/**
 * The courses that are required now of each of these people who has not left, those due first before the others. As `eventsOf` has them,
 * without looking for the contents in which a course is taken: a tenth of the work, for many people at once.
 */
export const requiredOfEach = async (db: Db, userIds: readonly string[], now: Date): Promise<Map<string, PersonCompliance[]>> => {
  const found = new Map<string, PersonCompliance[]>();
  await walkRequired(db, now, sql`u.id = any(${[...userIds]}::uuid[])`, sql`true`, (person, { course_id, title, type }, stands) => {
    if (askedAt(stands.asked, now) !== 'now') return;
    const facts = stands.facts();
    const { status, due_at, reason } = complianceOf(facts, now);
    const { completed_at = null, expires_at = null } = facts.result ?? {};
    const one = { course_id, course_title: title, type, status, due_at, completed_at, expires_at, reason };
    const all = found.get(person.id);
    if (all) all.push(one);
    else found.set(person.id, [one]);
  });
  const never = '9';
  const due = (one: PersonCompliance) => one.due_at ?? never;
  for (const all of found.values()) all.sort((a, b) => (due(a) < due(b) ? -1 : due(a) > due(b) ? 1 : 0));
  return found;
};
