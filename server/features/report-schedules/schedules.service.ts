import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { type createSchedule, type Delivery, type Schedule, scheduleLimits } from '#contract/api/report-schedules.ts';
import { can } from '#contract/can.ts';
import { mayTakeAs, type Report } from '#contract/reports/report.ts';
import { reports } from '#contract/reports/reports.ts';
import { nextRun } from '#contract/rules/next-run.ts';
import type { Actor } from '#server/actor.ts';
import { countOf, existing, insertRow, updateRows } from '#server/db/rows.ts';
import { beyondScope } from '#server/db/scope.ts';
import { entityAndAbove, visibleEntity } from '#server/db/seen.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { chosenOf } from '#server/reports/chosen.rows.ts';
import { domainsOf, noteDelivery } from '#server/reports/deliveries.ts';
import { deliveryOf, scheduleColumns, type ScheduleRow } from '#server/reports/schedules.ts';
import type { Services } from '#server/services.ts';
import { read } from '#server/validation.ts';

type Fields = BodyOf<typeof createSchedule>;
type Row = Omit<Schedule, 'names' | 'gone' | 'deliveries'>;

const reportOf = (id: string): Report => reports.find((r) => r.id === id) as Report;
const deliveryColumns = sql`d.id, d.title, d.report as report_type, d.format, d.state, d.problem, ${instant(sql`d.due_at`)} as due_at, ${instant(sql`d.ended_at`)} as ended_at,
  d.recipients, d.rows, d.bytes, ${instant(sql`d.expires_at`)} as expires_at`;
const ref = (names: string): Statement => ({ text: `json_build_object('id', ${names}.id, 'name', ${names}.name)`, values: [] });

/** Scheduled reports, and files that were sent to people as links. */
export const schedulesOf = ({ db, now, jobs }: Pick<Services, 'db' | 'now' | 'jobs'>) => {
  const visible = (actor: Actor): Statement => sql`exists (select 1 from entities e where e.id = s.entity_id and ${visibleEntity(actor)})`;
  const rows = (on: Db, actor: Actor, where: Statement): Promise<Row[]> =>
    on.all<Row>(sql`select s.id, s.rev, s.name, s.report as report_type, s.format, s.as_link, s.link_days, s.frequency, s.weekday, s.month_day, s.send_at, s.addresses, s.filter,
        case when s.paused or s.stopped_why is not null then null else ${instant(sql`s.next_at`)} end as next_at, s.paused, s.stopped_why, n.time_zone,
        ${ref('o')} as owner, ${ref('n')} as organisation,
        coalesce((select json_agg(${ref('p')} order by p.name, p.id) from person_names p where p.id = any(s.user_ids)), '[]') as users,
        coalesce((select json_agg(${ref('r')} order by r.name, r.id) from roles r where r.id = any(s.role_ids)), '[]') as roles
      from report_schedules s join person_names o on o.id = s.owner_id join entity_names n on n.id = s.entity_id
      where ${visible(actor)} and ${where} order by lower(s.name), s.id`);
  const shown = async (on: Db, actor: Actor, found: readonly Row[], runs: number): Promise<Schedule[]> => {
    const chosen = await chosenOf(
      on,
      actor,
      found.map((r) => r.filter),
    );
    const sent = await on.all<
      Delivery & { schedule_id: string }
    >(sql`select d.schedule_id, ${deliveryColumns} from unnest(${found.map((r) => r.id)}::uuid[]) s (id)
      cross join lateral (select * from report_deliveries x where x.schedule_id = s.id order by x.due_at desc limit ${runs}) d order by d.due_at desc`);
    return found.map((row, n) => {
      const { names = {}, gone = [] } = chosen[n] ?? {};
      const deliveries = sent.filter((d) => d.schedule_id === row.id).map(({ schedule_id: _id, ...delivery }) => delivery);
      return { ...row, names, gone, deliveries };
    });
  };
  const one = async (on: Db, actor: Actor, id: string): Promise<Schedule> =>
    existing((await shown(on, actor, await rows(on, actor, sql`s.id = ${id}`), scheduleLimits.runs))[0]);

  /** The columns of these fields, after checking that the owner may read the report and every recipient may get it. */
  const columnsOf = async (tx: Db, actor: Actor, entity: string, fields: Fields) => {
    const { report_type, filter, user_ids, role_ids, addresses, rev: _rev, ...columns } = fields;
    const report = reportOf(report_type);
    if (!can(actor.user, report.access)) throw invalid('report_type', 'You do not have permission to see this report.');
    if (!mayTakeAs(report, fields.format, (need) => can(actor.user, need)))
      throw invalid('format', 'You do not have permission to have this report as such a file.');
    const chosen = read(report.filter, filter) as Record<string, unknown>;
    const people = await tx.all(sql`select u.id from users u where u.id = any(${user_ids}::uuid[]) and u.disabled_at is null
      and (u.id = ${actor.user.uuid} or u.primary_entity_id in (select b.below from entity_below b where b.above = ${entity}))`);
    if (people.length < new Set(user_ids).size) throw invalid('user_ids', 'Choose people of the organisation who have not left.');
    const roles = await tx.all(sql`select r.id from roles r where r.id = any(${role_ids}::uuid[])
      and (r.entity_id in (${entityAndAbove(entity)}) or r.entity_id in (select b.below from entity_below b where b.above = ${entity}))`);
    if (roles.length < new Set(role_ids).size) throw invalid('role_ids', 'Choose job roles of the organisation.');
    const domains = await domainsOf(tx, entity);
    const outside = addresses.find((a) => !domains.has(a.split('@')[1] ?? ''));
    if (outside) {
      const ours = [...domains].sort();
      throw invalid(
        'addresses',
        ours.length === 0
          ? 'Your organisation has no e-mail domains yet, so reports go to its people only. They are entered in the organisation’s details.'
          : `${outside} is not within your organisation’s domains: ${ours.join(', ')}.`,
      );
    }
    return {
      ...columns,
      report: report_type,
      filter: JSON.stringify(chosen),
      user_ids: [...new Set(user_ids)],
      role_ids: [...new Set(role_ids)],
      addresses: [...new Set(addresses)],
    };
  };
  const zoneOf = async (on: Db, entity: string): Promise<string> =>
    (await on.one<{ time_zone: string }>(sql`select time_zone from entity_names where id = ${entity}`))?.time_zone as string;
  const auditFields = ({
    id: _id,
    rev: _rev,
    names: _names,
    gone: _gone,
    deliveries: _sent,
    organisation: _at,
    time_zone: _zone,
    next_at: _next,
    owner,
    users,
    roles,
    filter,
    ...row
  }: Schedule) => ({
    ...{ ...row, owner: owner.name, users: users.map((u) => u.name), roles: roles.map((r) => r.name) },
    filter: JSON.stringify(filter),
  });
  const note = (tx: Db, by: By, before: Schedule | null, after: Schedule | null) => {
    const row = (after ?? before) as Schedule;
    return noteChange(tx, by, now(), {
      ...{ entityId: row.organisation.id, action: before ? (after ? 'updated' : 'deleted') : 'created' },
      subject: { kind: 'report_schedule', id: row.id, name: row.name },
      ...(before ? { before: auditFields(before) } : {}),
      ...(after ? { after: auditFields(after) } : {}),
    });
  };
  /** Changes one that the actor sees, in a transaction. */
  const changed = (by: By, id: string, write: (tx: Db, before: Schedule) => Promise<void>): Promise<Schedule> =>
    db.tx(async (tx) => {
      await tx.run(sql`select 1 from report_schedules where id = ${id} for update`);
      const before = await one(tx, by.actor, id);
      await write(tx, before);
      const after = await one(tx, by.actor, id);
      await note(tx, by, before, after);
      return after;
    });

  type Received = Delivery & { owner_id: string; made_by: string | null; file_name: string | null; file_type: string | null };
  /** A sending whose file the actor may download: their own, or sent to them at an organisation to which they still belong. */
  const received = async ({ user }: Actor, id: string): Promise<Received> =>
    existing(
      await db.one<Received>(sql`select ${deliveryColumns}, d.owner_id, d.made_by, d.file_name, d.file_type from report_deliveries d where d.id = ${id}
        and (d.owner_id = ${user.uuid} or exists (select 1 from report_delivery_people p where p.delivery_id = d.id and p.user_id = ${user.uuid}
          and exists (select 1 from entity_below b where b.above = d.entity_id and b.below = ${user.primary_entity.id})))`),
    );

  return {
    list: async (actor: Actor): Promise<Schedule[]> => shown(db, actor, await rows(db, actor, sql`true`), 1),
    get: (actor: Actor, id: string): Promise<Schedule> => one(db, actor, id),
    create: (by: By, fields: Fields): Promise<Schedule> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const entity = actor.place.id;
        const columns = await columnsOf(tx, actor, entity, fields);
        if ((await countOf(tx, sql`report_schedules where entity_id = ${entity}`)) >= scheduleLimits.perPlace)
          throw invalid('name', `There are ${scheduleLimits.perPlace} schedules here. Delete one first.`);
        const id = randomUUID();
        const next_at = nextRun(fields, now(), await zoneOf(tx, entity));
        await tx.run(insertRow('report_schedules', { id, owner_id: actor.user.uuid, entity_id: entity, ...columns, next_at, changed_at: now() }));
        const made = await one(tx, actor, id);
        await note(tx, by, null, made);
        return made;
      }),
    update: (by: By, id: string, fields: Fields): Promise<Schedule> =>
      changed(by, id, async (tx, before) => {
        if (fields.rev !== undefined && fields.rev !== before.rev) throw new ProductError('rev_mismatch', { extra: { current: before } });
        // It stays at its organisation, even if it is changed by somebody from above.
        const columns = await columnsOf(tx, by.actor, before.organisation.id, fields);
        const owner = before.organisation.id === by.actor.place.id || by.actor.user.uuid === before.owner.id;
        if (!owner)
          throw new ProductError('forbidden', { message: `Act for ${before.organisation.name} to change this: it sends what its owner sees there.` });
        const next_at = nextRun(fields, now(), before.time_zone);
        await updateRows(
          tx,
          'report_schedules',
          { ...columns, rev: before.rev + 1, owner_id: by.actor.user.uuid, next_at, stopped_why: null, changed_at: now() },
          sql`id = ${id}`,
        );
      }),
    pause: (by: By, id: string, paused: boolean): Promise<Schedule> =>
      changed(by, id, async (tx) => {
        const row = existing(
          await tx.one<ScheduleRow>(
            sql`select ${scheduleColumns} from report_schedules s join entity_names n on n.id = s.entity_id where s.id = ${id}`,
          ),
        );
        await updateRows(tx, 'report_schedules', { paused, next_at: nextRun(row, now(), row.zone), changed_at: now() }, sql`id = ${id}`);
      }),
    send: async ({ actor }: By, id: string): Promise<Schedule> => {
      const after = await db.tx(async (tx) => {
        await tx.run(sql`select 1 from report_schedules where id = ${id} for update`);
        const before = await one(tx, actor, id);
        if (before.stopped_why) throw new ProductError('in_use', { message: 'This schedule is stopped. Open it and save it again first.' });
        if (before.deliveries.some((d) => d.state === 'waiting')) throw new ProductError('in_use', { message: 'This is being sent already.' });
        const row = existing(
          await tx.one<ScheduleRow>(
            sql`select ${scheduleColumns} from report_schedules s join entity_names n on n.id = s.entity_id where s.id = ${id}`,
          ),
        );
        await noteDelivery(tx, jobs, deliveryOf(row, now()));
        return one(tx, actor, id);
      });
      jobs.wake();
      return after;
    },
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        await tx.run(sql`select 1 from report_schedules where id = ${id} for update`);
        const before = await one(tx, by.actor, id);
        await tx.run(sql`delete from report_schedules where id = ${id}`);
        await note(tx, by, before, null);
      }),
    delivery: async (actor: Actor, id: string): Promise<Delivery> => {
      const { owner_id, made_by: _by, file_name: _name, file_type: _type, ...delivery } = await received(actor, id);
      // Who else was left out is only for the sender.
      return owner_id === actor.user.uuid ? delivery : { ...delivery, problem: null };
    },
    file: async (actor: Actor, id: string) => {
      const { report_type, expires_at, made_by, file_name, file_type } = await received(actor, id);
      if (!can(actor.user, reportOf(report_type).access)) throw new ProductError('forbidden');
      if (!expires_at || Date.parse(expires_at) <= now().getTime() || !made_by)
        throw new ProductError('link_expired', { message: 'This report is no longer available here. Request a new one.' });
      const piece = (no: number) =>
        beyondScope(() =>
          db.one<{ bytes: Buffer }>(sql`select bytes from report_delivery_pieces where delivery_id = ${id} and made_by = ${made_by} and no = ${no}`),
        );
      const bytes = async function* () {
        for (let no = 0; ; no++) {
          const found = await piece(no);
          if (!found) return;
          yield Buffer.from(found.bytes);
        }
      };
      return { file: Readable.from(bytes()), type: file_type ?? 'application/octet-stream', name: file_name ?? 'report' };
    },
  };
};
