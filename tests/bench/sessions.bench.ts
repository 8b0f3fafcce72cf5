import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { protocol } from '#contract/protocol.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { readConfig } from '#server/config.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { insertRow } from '#server/db/rows.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { launch } from '#tests/bench/chromium.ts';
import { median, report } from '#tests/bench/report.ts';
import { demoFolder } from '#tests/support/demo-folder.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';
import { RealServer } from '#tests/support/real-server.ts';
import { signedIn } from '#tests/support/signed-in.ts';

const rounds = Number(process.env.ROUNDS ?? 100);
/** Not counted: a connection plans a statement five times before it keeps its plan, and a server that has just started compiles what it runs. */
const first = 60;
const looks = Number(process.env.LOOKS ?? 31);
const many = 5000;
const places = 2000;
const peopleEach = 100;

/**
 * Booking one person among 200,000, by the request of a browser to a server as it is deployed until it is answered, against the transaction alone that leaves the same behind
 * (the places, the number, what is told and mailed, the audit log) and asks nothing but whether there is a place; target at most 2. The calendar of 5,000
 * sessions of a quarter, from the start of the navigation until its days are painted, against a month without any; target at most 1.3.
 */
export const run = async () => {
  const cluster = await startPostgres(['-c shared_buffers=1GB', '-c max_wal_size=8GB']);
  const folder = await demoFolder();
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: folder, DATABASE_URL: cluster.url, NODE_ENV: 'production' });
  const { db, pool, close } = await openDatabase(config);
  await migrate(pool);
  await fillWithDemoData(db, createFileStore(`${folder}/files`), new Date());
  await db.run(sql`insert into entities (id, name, slug, level, parent_id)
    select gen_random_uuid(), 'House ' || n, 'house-' || n, 'B', ${demoId('entity:group')} from generate_series(1, ${places}::int) n`);
  await db.run(sql`insert into users (id, name, email, primary_entity_id, role_id, started_on)
    select gen_random_uuid(), 'Person ' || p, p || '@' || e.slug || '.test', e.id, ${demoId('role:group:care')}, current_date - (p * 17 % 2000)
    from entities e cross join generate_series(1, ${peopleEach}::int) p where e.slug like 'house-%'`);
  const today = dayIn(new Date(), 'Europe/London');
  const group = demoId('entity:group');
  const [admin, trainer, course] = [demoId('user:admin@willowbrook.test'), demoId('user:trainer@willowbrook.test'), demoId('course:Fire safety')];
  const plan = (count: number, from: string, days: number, venue: string) =>
    db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, max_delegates, grading_method, created_by, created_at)
      select gen_random_uuid(), ${demoId('entity:group')}, ${course}, ${trainer}, ${from}::date + (n % ${days}::int), make_time(7 + n % 10, 0, 0), make_time(8 + n % 10, 0, 0), ${venue}, '', '', 20, 'attendance', ${admin}, now()
      from generate_series(1, ${count}::int) n`);
  await plan((rounds + first) * 2, addDays(today, 400), 300, 'For bookings');
  await db.run(sql`vacuum analyze`);

  const server = await RealServer.create({ DATABASE_URL: cluster.url, NODE_ENV: 'production' }, false, folder);
  const headers = { ...(await signedIn(server, 'admin@willowbrook.test')), 'Content-Type': 'application/json' };
  const people = await db.all<{ id: string }>(
    sql`select id from users where email like '%@house-%' order by md5(id::text) limit ${(rounds + first) * 2}`,
  );
  const sessions = await db.all<{ id: string }>(sql`select id from training_sessions where venue = 'For bookings' order by date`);
  const message = 'You are booked on “Fire safety”.';
  const bare = (user_id: string, session_id: string) =>
    db.tx(async (tx) => {
      const [id, at] = [randomUUID(), new Date()];
      await tx.one(sql`select pg_advisory_xact_lock(hashtextextended(${session_id}, 0))`);
      const taken = await tx.one<{ n: number }>(
        sql`select count(*)::int as n from session_delegates where session_id = ${session_id} and removed_at is null`,
      );
      if ((taken?.n ?? 0) >= 20) throw new Error('full');
      await tx.one(sql`select pg_advisory_xact_lock(hashtextextended(${`booking of ${group}`}, 0))`);
      const next = await tx.one<{ n: number }>(sql`select coalesce(max(number), 0) + 1 as n from bookings where provider_id = ${group}`);
      const of = { provider_id: group, client_id: group, number: next?.n as number, reference: `B-${next?.n}` };
      await tx.run(insertRow('bookings', { id, ...of, notes: '', created_by: admin, created_at: at, confirmed_at: at, confirmed_by: admin }));
      await tx.run(insertRow('booking_places', { id: randomUUID(), booking_id: id, session_id, user_id }));
      await tx.run(insertRow('session_delegates', { id: randomUUID(), session_id, user_id, name: '', added_by: admin, added_at: at }));
      await tx.run(sql`update training_sessions set rev = rev + 1 where id = ${session_id}`);
      await tx.run(
        insertRow('messages', { id: randomUUID(), sender_id: admin, recipient_id: user_id, message, sent_at: at, received_at: at, by_product: true }),
      );
      await tx.run(sql`insert into outgoing_mail (id, recipient, subject, body, at, next_at, urgent, sent_at)
        select ${randomUUID()}, email, ${message}, ${message}, ${at}, ${at}, false, ${at} from users where id = ${user_id}`);
      const said = { subject_kind: 'booking', subject_id: id, subject_name: of.reference, after: JSON.stringify({ booked: 'Person' }) };
      await tx.run(insertRow('audit_log', { id: randomUUID(), at, actor_id: admin, entity_id: group, action: 'created', ...said, address: '::1' }));
    });
  const book = async (person: string, session: string) => {
    const answer = await fetch(`${server.url}/api/bookings`, {
      ...{ method: 'POST', headers: { ...headers, [protocol.idempotencyHeader]: randomUUID() } },
      body: JSON.stringify({ session_ids: [session], user_ids: [person], notes: '', waiting: false }),
    });
    if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
  };
  // A server that has just started computes everybody's figures, which is not part of a booking.
  const busy = sql`select 1 from jobs where state = 'running' or (state = 'waiting' and next_at <= now())`;
  while (await db.one(busy)) await db.one(sql`select pg_sleep(0.2)`);
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let i = 0; i < rounds + first; i++)
    for (const which of i % 2 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
      const n = 2 * i + (which === 'ours' ? 0 : 1);
      const [person, session] = [people[n]?.id as string, sessions[n]?.id as string];
      const began = performance.now();
      await (which === 'ours' ? book(person, session) : bare(person, session));
      if (i >= first) times[which].push(performance.now() - began);
    }
  const [ours, plain] = [median(times.ours), median(times.bare)];
  report('booking one of 200,000 people', ours, 'ms', ours / plain, `target at most 2 of its bare transaction (${plain.toFixed(1)} ms)`);

  await plan(many, addDays(today, 1), 90, 'In the calendar');
  await db.run(sql`vacuum analyze training_sessions`);
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  // When the days are in the page, and a frame with them has been made.
  await context.addInitScript(() => {
    const look = () =>
      document.querySelector('table tbody td')
        ? requestAnimationFrame(() => Object.assign(window, { paintedAt: performance.now() }))
        : requestAnimationFrame(look);
    look();
  });
  const page = await context.newPage();
  await page.goto(`${server.url}/login`);
  await page.getByLabel('E-mail address').fill('admin@willowbrook.test');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: /Good/ }).waitFor();
  const painted = async (on: Page, day: string, sessionsThere: boolean) => {
    await on.goto(`${server.url}/manage-bookings/calendar?day=${day}`);
    const at = await on.waitForFunction(() => (window as unknown as { paintedAt?: number }).paintedAt);
    if ((await on.locator('tbody td a').count()) > 0 !== sessionsThere) throw new Error('not the month that was meant');
    return (await at.jsonValue()) as number;
  };
  const seen = { full: [] as number[], empty: [] as number[] };
  for (let i = 0; i < looks + 1; i++)
    for (const which of i % 2 ? (['full', 'empty'] as const) : (['empty', 'full'] as const)) {
      const ms = await painted(page, which === 'full' ? addDays(today, 45) : addDays(today, 1000), which === 'full');
      if (i > 0) seen[which].push(ms);
    }
  const [full, empty] = [median(seen.full), median(seen.empty)];
  report(
    'calendar of a month, of 5,000 sessions, painted',
    full,
    'ms',
    full / empty,
    `target at most 1.3 of an empty month (${empty.toFixed(0)} ms)`,
  );

  await browser.close();
  await close();
  await server.close();
  cluster.stop();
};
