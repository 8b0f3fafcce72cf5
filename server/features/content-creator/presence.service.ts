import type { tellPresence } from '#contract/api/content-presence.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { type OtherAuthor, type PresenceKind, presenceTimes } from '#contract/entities/presence.ts';
import { existing } from '#server/db/rows.ts';
import { instant, type Statement, sql } from '#server/db/sql.ts';
import { own } from '#server/features/content-creator/contents.rows.ts';
import { ownCourse } from '#server/features/content-creator/courses.rows.ts';
import { ownPart } from '#server/features/content-creator/parts.rows.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** The owner of something, if the actor can change it. */
const changeable: Record<PresenceKind, (actor: Actor, id: string) => Statement> = {
  course: (actor, id) => sql`select k.entity_id from courses k where k.id = ${id} and ${ownCourse(actor)}`,
  content: (actor, id) => sql`select c.entity_id from contents c where c.id = ${id} and c.deleted_at is null and ${own(actor)}`,
  lesson: (actor, id) => sql`select t.entity_id from lessons t where t.id = ${id} and ${ownPart(actor)}`,
  topic: (actor, id) => sql`select t.entity_id from topics t where t.id = ${id} and ${ownPart(actor)}`,
  quiz: (actor, id) => sql`select t.entity_id from quizzes t where t.id = ${id} and ${ownPart(actor)}`,
  h5p: (actor, id) => sql`select t.entity_id from h5ps t where t.id = ${id} and ${ownPart(actor)}`,
};

/** Who has what open for editing: kept in the database, so that all servers know the same. */
export const presenceOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => ({
  /** Records that a tab has something open, or closed it, and returns who else has it open. 404 if the actor cannot change it. */
  tell: async (actor: Actor, { kind, id, tab, leaving = false }: BodyOf<typeof tellPresence>): Promise<OtherAuthor[]> => {
    const me = actor.user.uuid;
    const { entity_id } = existing(await db.one<{ entity_id: string }>(changeable[kind](actor, id)));
    const at = now();
    const oldestReport = new Date(at.getTime() - presenceTimes.goneAfterMs);
    await db.run(sql`delete from presences where thing_id = ${id} and seen_at <= ${oldestReport}`);
    // A tab belongs to the caller: another person's id changes nothing. A closed one stays closed: an earlier message may arrive later.
    await db.run(sql`insert into presences (thing_id, tab, user_id, entity_id, since, seen_at, closed) values (${id}, ${tab}, ${me}, ${entity_id}, ${at}, ${at}, ${leaving})
      on conflict (thing_id, tab, user_id) do update set seen_at = excluded.seen_at, closed = presences.closed or excluded.closed`);
    return db.all<OtherAuthor>(sql`select p.user_id as id, n.name, p.user_id = ${me} as you, ${instant(sql`min(p.since)`)} as since
      from presences p join person_names n on n.id = p.user_id where p.thing_id = ${id} and not (p.tab = ${tab} and p.user_id = ${me}) and p.seen_at > ${oldestReport} and not p.closed
      group by p.user_id, n.name order by p.user_id = ${me}, min(p.since), p.user_id limit 20`);
  },
});
