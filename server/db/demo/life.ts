import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { type Db, sql } from '#server/db/sql.ts';

const day = 86_400_000;
const zone = 'Europe/London';
const person = (who: string) => demoId(`user:${who}@willowbrook.test`);
const place = (key: 'group' | 'home' | 'branch') => demoId(`entity:${key}`);

/** Who starts in so many days, and where. None of them has signed in yet. */
const toCome = [
  ['Adaeze Obi', 'care', 'home', 6],
  ['Callum Fraser', 'care', 'branch', 13],
  ['Leila Haddad', 'senior', 'home', 27],
] as const;
/** Who works here already and has never signed in. */
const neverSeen = ['doreen.baxter', 'bogdan.radu'];
/** Who moved so many days ago, from where to where. */
const moves = [
  ['ben.carter', 'Ben Carter', 'home', 'branch', 150],
  ['lucia.fernandes', 'Lucia Fernandes', 'branch', 'home', 64],
] as const;
/** Who used which tablet or phone, how many hours ago, and how many of their changes have not been sent since. */
const devices = [
  ['d0000001', 'grace.adeyemi', 3, 0],
  ['d0000001', 'liam.murphy', 9, 0],
  ['d0000001', 'aisha.khan', 27, 0],
  ['d0000002', 'megan.davies', 30, 2],
  ['d0000002', 'daniel.osei', 51, 0],
  ['d0000003', 'sian.griffiths', 12, 0],
  ['d0000003', 'joyce.mensah', 76, 0],
  ['d0000004', 'ben.carter', 101, 3],
  ['d0000005', 'trainer', 20, 0],
  ['d0000006', 'nia.thomas', 160, 0],
] as const;
const weeksOfFigures = 8;

/**
 * What makes a demo look lived in: starters, movers, people who never signed in, devices of the last week, and the dashboards' figures of
 * earlier days. For a server that somebody tries; tests start without it.
 */
export const fillWithLife = (db: Db, now: Date): Promise<void> =>
  db.tx(async (tx) => {
    const today = dayIn(now, zone);
    for (const [name, role, at, days] of toCome) {
      const email = `${name.toLowerCase().replace(' ', '.')}@willowbrook.test`;
      await tx.run(sql`insert into users (id, name, email, email_verified_at, primary_entity_id, role_id, type_id, started_on)
        values (${demoId(`user:${email}`)}, ${name}, ${email}, ${now}, ${place(at)}, ${demoId(`role:group:${role}`)}, ${demoId('type:group:learner')}, ${addDays(today, days)})`);
    }
    const unseen = neverSeen.map(person);
    await tx.run(sql`delete from auth_events where user_id = any(${unseen}::uuid[])`);
    await tx.run(sql`update users set password_hash = null where id = any(${unseen}::uuid[])`);
    const names = { group: 'Willowbrook Care Group', home: 'Willowbrook House', branch: 'Willowbrook Home Care' };
    for (const [who, name, from, to, ago] of moves) {
      await tx.run(sql`insert into past_placements (user_id, until, entity_id, role_id)
        select u.id, ${new Date(now.getTime() - ago * day)}, ${place(from)}, u.role_id from users u where u.id = ${person(who)}`);
      await tx.run(sql`insert into audit_log (id, at, actor_id, entity_id, action, subject_kind, subject_id, subject_name, before, after, address)
        values (${demoId(`moved:${who}`)}, ${new Date(now.getTime() - ago * day)}, ${person('admin')}, ${place(to)}, 'updated', 'user', ${person(who)}, ${name},
          ${JSON.stringify({ belongs_to: names[from] })}, ${JSON.stringify({ belongs_to: names[to] })}, '')`);
    }
    for (const [device, who, hours, waiting] of devices) {
      const contact = new Date(now.getTime() - hours * 3_600_000);
      const oldest = waiting > 0 ? new Date(contact.getTime() - 5 * 3_600_000) : null;
      await tx.run(sql`insert into device_contacts (device_id, user_id, contact_at, app_version, waiting, needs_person, oldest_waiting_at, storage_used, storage_quota, persisted, clock_behind_ms, locked_by)
        select ${`${device}-0000-4000-8000-000000000000`}, u.id, ${contact}, '1.0.0', ${waiting}, 0, ${oldest}, 190000000, 6000000000, true, 0, '{}'::text[]
        from users u where u.id = ${person(who)}`);
    }
    // Better week by week, with a dip, and no two days alike.
    await tx.run(sql`insert into place_figures (entity_id, day, counted_at, people, overdue, turn_red, starters, required, in_date)
      select e.id, d.day, (d.day + 1)::timestamp at time zone e.time_zone, n.people, round(n.people * least(0.95, 0.35 + (1 - s.share) * 4))::int,
        array[round(n.people * 0.6), round(n.people * 0.82), round(n.people * 0.88)]::int[], (d.ago % 9 / 4)::int, n.people * 16, round(n.people * 16 * s.share)::int
      from entities e cross join lateral (select count(*)::int as people from users u where u.primary_entity_id = e.id and u.started_on <= ${today}::date) n
      cross join lateral (select ago, ${today}::date - ago as day from generate_series(1, ${weeksOfFigures * 7}::int) ago) d
      cross join lateral (select 0.9 - 0.0012 * d.ago - 0.02 * abs(sin(d.ago / 6.0 + length(e.slug))) as share) s
      where e.slug like 'willowbrook%' on conflict do nothing`);
  });
