import { randomUUID } from 'node:crypto';
import type { BodyOf, QueryOf } from '#contract/api/endpoint.ts';
import { type createPreset, type listPresets, presetLimits, type ReportPreset, type updatePreset } from '#contract/api/report-presets.ts';
import { can } from '#contract/can.ts';
import { filterFields, type Report } from '#contract/reports/report.ts';
import { reports } from '#contract/reports/reports.ts';
import { texts } from '#contract/texts.ts';
import type { Actor } from '#server/actor.ts';
import { countOf, insertRow, updateRows } from '#server/db/rows.ts';
import { entityAndAbove, visibleEntity } from '#server/db/seen.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { chosenOf } from '#server/reports/chosen.rows.ts';
import type { Services } from '#server/services.ts';
import { read } from '#server/validation.ts';

type Fields = Record<string, unknown>;
type Row = Pick<ReportPreset, 'id' | 'rev' | 'name' | 'report_type' | 'shared' | 'is_default' | 'owner' | 'organisation' | 'changed_at'> & {
  filter: Fields;
  governed: boolean;
};

const unknownPreset = () => new ProductError('not_found', { message: texts.failedToFetchPreset });
const reportOf = (id: string): Report => reports.find((r) => r.id === id) as Report;
/** The reports that somebody may read. */
const readable = (actor: Actor): string[] => reports.filter((r) => can(actor.user, r.access)).map((r) => r.id);
/** The filter among these fields, validated by its report's schema. */
const filterIn = (report: string, fields: Fields): Fields => read(reportOf(report).filter, fields) as Fields;

/** Saved filters of reports: everybody's own, and those shared at their organisation. */
export const presetsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  const visible = (actor: Actor): Statement =>
    sql`(p.owner_id = ${actor.user.uuid} or p.shared) and p.entity_id in (${entityAndAbove(actor.place.id)}) and p.report = any(${readable(actor)}::text[])`;
  const rows = (on: Db, actor: Actor, where: Statement) =>
    on.all<Row>(sql`select p.id, p.rev, p.name, p.report as report_type, p.shared, p.filter, ${instant(sql`p.changed_at`)} as changed_at,
        exists (select 1 from report_preset_defaults d where d.preset_id = p.id and d.user_id = ${actor.user.uuid}) as is_default,
        json_build_object('id', o.id, 'name', o.name) as owner, json_build_object('id', n.id, 'name', n.name) as organisation,
        exists (select 1 from entities e where e.id = p.entity_id and ${visibleEntity(actor)}) as governed
      from report_presets p join person_names o on o.id = p.owner_id join entity_names n on n.id = p.entity_id
      where ${visible(actor)} and ${where} order by p.report, lower(p.name), p.id`);
  const mayChange = (actor: Actor, row: Row): boolean =>
    row.owner.id === actor.user.uuid || (row.shared && row.governed && can(actor.user, 'entity.update'));
  const shown = async (on: Db, actor: Actor, found: readonly Row[]): Promise<ReportPreset[]> => {
    const chosen = await chosenOf(
      on,
      actor,
      found.map((r) => r.filter),
    );
    return found.map(({ filter: _saved, governed, ...row }, n) => {
      const { filter, names, gone } = chosen[n] as (typeof chosen)[number];
      return { ...filter, ...row, can_change: mayChange(actor, { ...row, filter, governed }), names, gone };
    });
  };
  const find = async (on: Db, actor: Actor, id: string): Promise<Row> => {
    const [row] = await rows(on, actor, sql`p.id = ${id}`);
    if (!row) throw unknownPreset();
    return row;
  };
  const one = async (on: Db, actor: Actor, id: string) => (await shown(on, actor, [await find(on, actor, id)]))[0] as ReportPreset;
  const setDefault = async (tx: Db, { user }: Actor, { id, report_type }: Pick<Row, 'id' | 'report_type'>, on: boolean | undefined) => {
    if (on === undefined) return;
    if (on)
      await tx.run(sql`insert into report_preset_defaults (user_id, report, preset_id) values (${user.uuid}, ${report_type}, ${id})
        on conflict (user_id, report) do update set preset_id = excluded.preset_id`);
    else await tx.run(sql`delete from report_preset_defaults where user_id = ${user.uuid} and preset_id = ${id}`);
  };
  /** The fields of a shared one in the audit log: private ones are not recorded. */
  const auditFields = ({ name, report_type, shared, filter }: Row) => ({ name, report_type, shared, ...filter });
  const note = async (tx: Db, by: By, before: Row | null, after: Row | null) => {
    const row = (after ?? before) as Row;
    if (!before?.shared && !after?.shared) return;
    await noteChange(tx, by, now(), {
      ...{ entityId: row.organisation.id, action: before ? (after ? 'updated' : 'deleted') : 'created' },
      subject: { kind: 'report_preset', id: row.id, name: row.name },
      ...(before ? { before: auditFields(before) } : {}),
      ...(after ? { after: auditFields(after) } : {}),
    });
  };

  return {
    list: async (actor: Actor, { actingAs, report_type }: QueryOf<typeof listPresets>): Promise<ReportPreset[]> => {
      const ofReport = report_type ? sql`p.report = ${report_type}` : sql`true`;
      const placeId = actingAs
        ? sql`p.entity_id in (select a from entities e cross join lateral entity_and_above(e.id) a where (e.slug = ${actingAs} or e.id::text = ${actingAs}) and ${visibleEntity(actor)})`
        : sql`true`;
      return shown(db, actor, await rows(db, actor, sql`${ofReport} and ${placeId}`));
    },
    get: (actor: Actor, id: string): Promise<ReportPreset> => one(db, actor, id),
    create: (by: By, body: BodyOf<typeof createPreset>): Promise<ReportPreset> =>
      db.tx(async (tx) => {
        const { actor } = by;
        const { name, report_type, shared, is_default, acting_as_id: at = actor.place.id, ...fields } = body;
        if (!readable(actor).includes(report_type)) throw new ProductError('forbidden');
        const filter = filterIn(report_type, fields);
        if (at !== actor.place.id && !(await tx.one(sql`select 1 from entities e where e.id = ${at} and ${visibleEntity(actor)}`)))
          throw invalid('acting_as_id', 'Choose an organisation that you can see.');
        if ((await countOf(tx, sql`report_presets where entity_id = ${at} and owner_id = ${actor.user.uuid}`)) >= presetLimits.perPlace)
          throw invalid('name', `You have ${presetLimits.perPlace} presets here. Delete one first.`);
        const id = randomUUID();
        const columns = { id, owner_id: actor.user.uuid, entity_id: at, report: report_type, name, shared, changed_at: now() };
        await tx.run(insertRow('report_presets', { ...columns, filter: JSON.stringify(filter) }));
        await setDefault(tx, actor, { id, report_type }, is_default || undefined);
        // One saved at an organisation below is not in the list of the one above.
        const there = at === actor.place.id ? actor : { ...actor, place: { ...actor.place, id: at } };
        const made = await find(tx, there, id);
        await note(tx, by, null, made);
        return (await shown(tx, actor, [made]))[0] as ReportPreset;
      }),
    update: (by: By, id: string, { name, shared, is_default, rev, ...fields }: BodyOf<typeof updatePreset>): Promise<ReportPreset> =>
      db.tx(async (tx) => {
        await tx.run(sql`select 1 from report_presets where id = ${id} for update`);
        const before = await find(tx, by.actor, id);
        const known = filterFields(reportOf(before.report_type));
        const chosen = Object.fromEntries(Object.entries(fields).filter(([field]) => known.includes(field)));
        const changes = name !== undefined || shared !== undefined || Object.keys(chosen).length > 0;
        if (changes && !mayChange(by.actor, before)) throw new ProductError('forbidden');
        if (shared === false && before.owner.id !== by.actor.user.uuid)
          throw new ProductError('forbidden', { fields: { shared: ['Only its owner can stop sharing it. You can delete it.'] } });
        if (changes && rev !== undefined && rev !== before.rev)
          throw new ProductError('rev_mismatch', { extra: { current: (await shown(tx, by.actor, [before]))[0] } });
        if (changes) {
          // Sharing it does not make a new version.
          const next = name !== undefined || Object.keys(chosen).length > 0 ? before.rev + 1 : before.rev;
          const filter = JSON.stringify(filterIn(before.report_type, { ...before.filter, ...chosen }));
          await updateRows(tx, 'report_presets', { name, shared, filter, rev: next, changed_at: now() }, sql`id = ${id}`);
        }
        await setDefault(tx, by.actor, before, is_default);
        const after = await find(tx, by.actor, id);
        await note(tx, by, before, after);
        return (await shown(tx, by.actor, [after]))[0] as ReportPreset;
      }),
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        await tx.run(sql`select 1 from report_presets where id = ${id} for update`);
        const before = await find(tx, by.actor, id);
        if (!mayChange(by.actor, before)) throw new ProductError('forbidden');
        await tx.run(sql`delete from report_presets where id = ${id}`);
        await note(tx, by, before, null);
      }),
  };
};
