import { cutText } from '#contract/rules/cut-text.ts';
import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { importEndpoints } from '#contract/api/imports.ts';
import { fieldsOf, type Import, type ImportKind, type ImportMapping, type ImportRow, importKinds, importLimits } from '#contract/entities/import.ts';
import { can } from '#contract/can.ts';
import type { TableEncoding } from '#contract/rules/table-encoding.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';
import { noteChange } from '#server/note-change.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { guessedMapping, missingFields, type PlannedRow, type PlanOptions, planTable } from '#server/features/importer/plan.ts';
import type { Table } from '#server/features/importer/read-table.ts';
import { contains, countOf, existing, orderBy, pageOf, pagesOf, pagePart, reference } from '#server/db/rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';
import { wholeBody } from '#server/http/whole-body.ts';
import { parseTable } from '#server/workers/parsing.ts';

const columnsKey = (columns: readonly string[]) => createHash('sha256').update(JSON.stringify(columns)).digest('hex');

/** A row as it was read. */
type Line = Table['rows'][number];
type Entity = { id: string; name: string; slug: string };
type Kept = {
  id: string;
  entity: Entity;
  kind: ImportKind;
  file_name: string;
  columns: string[];
  mapping: ImportMapping;
  options: PlanOptions;
  state: Import['state'];
};

/** Reads a table, keeps it with what would be done with each row, and hands it to the runner. Also for the command line. */
export const createImporter = ({ db, now, jobs }: Pick<Services, 'db' | 'now' | 'jobs'>) => {
  const writePlan = async (tx: Db, id: string, rows: readonly PlannedRow[], lines: ReadonlyMap<number, Line>) => {
    await tx.run(sql`delete from import_rows where import_id = ${id}`);
    const part = 2000;
    for (let at = 0; at < rows.length; at += part) {
      const some = rows.slice(at, at + part);
      await tx.run(sql`insert into import_rows (import_id, no, place, cells, ragged, action, name, subject_id, planned, problems)
        select ${id}, (r ->> 'no')::int, (r ->> 'place')::int, r -> 'cells', (r ->> 'ragged')::boolean, r ->> 'action', r ->> 'name', (r ->> 'subjectId')::uuid, r -> 'values', r -> 'problems'
        from jsonb_array_elements(${JSON.stringify(some.map((r) => ({ ...r, name: cutText(r.name, 200), cells: lines.get(r.no)?.cells ?? [], ragged: lines.get(r.no)?.ragged ?? false })))}::jsonb) r`);
    }
  };
  const entityOf = async (actor: Actor, slug: string): Promise<Entity> => {
    const entity = await db.one<Entity>(sql`select e.id, e.name, e.slug from entities e where e.slug = ${slug} and ${visibleEntity(actor)}`);
    if (!entity) throw invalid('organisation', 'Choose an organisation that you can see.');
    return entity;
  };
  const requireKind = (actor: Actor, kind: ImportKind) => {
    if (!can(actor.user, importKinds[kind].add) || !can(actor.user, importKinds[kind].change)) throw new ProductError('forbidden');
  };
  /** Where a field that no row can do without has no column, every row says so. */
  const planned = async (
    actor: Actor,
    table: Pick<Table, 'columns' | 'rows'>,
    what: Omit<Parameters<typeof planTable>[3], 'now'>,
  ): Promise<PlannedRow[]> => {
    const missing = missingFields(what.kind, what.mapping);
    const remedy = 'Choose the column that holds it.';
    return missing.length > 0
      ? table.rows.map(({ no }) => ({
          ...{ no, place: no, name: `Row ${no}`, action: 'refused' as const, subjectId: null, values: {} },
          problems: missing.map((label) => ({ column: label, problem: `No column holds “${label}”.`, remedy })),
        }))
      : planTable(db, actor, table, { ...what, now: now() });
  };
  return {
    requireKind,
    /** As it is kept, whoever asks. */
    kept: (id: string): Promise<Kept | undefined> =>
      db.one<Kept>(sql`select i.id, i.kind, i.file_name, i.columns, i.mapping, i.options, i.state, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity
        from imports i join entities e on e.id = i.entity_id where i.id = ${id}`),
    /** Reads, guesses and plans. Answers the id. */
    open: async (
      by: { actor: Actor; address: string },
      bytes: Buffer,
      what: {
        kind: ImportKind;
        organisation: string;
        file_name: string;
        encoding?: TableEncoding | undefined;
        mapping?: ImportMapping;
        options?: PlanOptions;
      },
    ): Promise<string> => {
      requireKind(by.actor, what.kind);
      const entity = await entityOf(by.actor, what.organisation);
      const table = await parseTable(bytes, what.encoding);
      const remembered = await db.one<{ mapping: ImportMapping }>(
        sql`select mapping from import_mappings where entity_id = ${entity.id} and kind = ${what.kind} and columns_key = ${columnsKey(table.columns)}`,
      );
      const mapping = what.mapping ?? remembered?.mapping ?? guessedMapping(what.kind, table.columns);
      const options = what.options ?? { update_existing: true, send_welcome_email: false };
      const rows = await planned(by.actor, table, { kind: what.kind, entity, mapping, options });
      const id = randomUUID();
      const acting = by.actor.actingAs?.id ?? null;
      await db.tx(async (tx) => {
        await tx.run(sql`insert into imports (id, entity_id, actor_id, acting_as_id, address, kind, file_name, format, columns, mapping, options, state, total, created_at)
          values (${id}, ${entity.id}, ${by.actor.user.uuid}, ${acting}, ${by.address}, ${what.kind}, ${what.file_name}, ${JSON.stringify(table.format)},
            ${JSON.stringify(table.columns)}, ${JSON.stringify(mapping)}, ${JSON.stringify(options)}, 'planned', ${rows.length}, ${now()})`);
        await writePlan(tx, id, rows, new Map(table.rows.map((r) => [r.no, r])));
      });
      return id;
    },
    plan: async (actor: Actor, kept: Kept, mapping: ImportMapping, options: PlanOptions) => {
      for (const [field, column] of Object.entries(mapping)) {
        if (!(field in fieldsOf(kept.kind))) throw invalid('mapping', `“${field}” is not known here.`);
        if (column >= kept.columns.length) throw invalid('mapping', 'There is no such column.');
      }
      const lines = await db.all<Line>(sql`select no, cells, ragged from import_rows where import_id = ${kept.id} order by no`);
      const rows = await planned(actor, { columns: kept.columns, rows: lines }, { kind: kept.kind, entity: kept.entity, mapping, options });
      await db.tx(async (tx) => {
        const still = await tx.one(sql`select 1 as one from imports where id = ${kept.id} and state = 'planned' for update`);
        if (!still) throw new ProductError('import_begun');
        await writePlan(tx, kept.id, rows, new Map(lines.map((l) => [l.no, l])));
        await tx.run(sql`update imports set mapping = ${JSON.stringify(mapping)}, options = ${JSON.stringify(options)} where id = ${kept.id}`);
      });
    },
    /**
     * From now on it runs, in the name of who says so and not of who uploaded it; false where it does or did already. The mapping
     * is remembered for tables with the same columns.
     */
    start: async (by: { actor: Actor; address: string }, kept: Kept): Promise<boolean> =>
      db.tx(async (tx) => {
        const begun = await tx.run(
          sql`update imports set state = 'running', started_at = coalesce(started_at, ${now()}), run_by = ${by.actor.user.uuid}, run_acting_as_id = ${by.actor.actingAs?.id ?? null}, run_address = ${by.address}
            where id = ${kept.id} and state in ('planned', 'stopped')`,
        );
        if (begun === 0) return false;
        await jobs.note(tx, 'import', { key: kept.id, subject: kept.file_name, entity: kept.entity.id, owner: by.actor.user.uuid });
        const subject = { kind: 'import', id: kept.id, name: kept.file_name } as const;
        await noteChange(
          tx,
          { actor: by.actor, request: { ip: by.address } },
          { entityId: kept.entity.id, action: 'created', subject, after: { kind: kept.kind } },
          now(),
        );
        await tx.run(sql`insert into import_mappings (entity_id, kind, columns_key, mapping) values (${kept.entity.id}, ${kept.kind}, ${columnsKey(kept.columns)}, ${JSON.stringify(kept.mapping)})
          on conflict (entity_id, kind, columns_key) do update set mapping = excluded.mapping`);
        return true;
      }),
  };
};

export const importHandlers = (services: Services): HandlersOf<typeof importEndpoints> => {
  const { db, now, jobs } = services;
  const importer = createImporter(services);
  const source = sql`imports i join entities e on e.id = i.entity_id join person_names u on u.id = i.actor_id`;
  const columns = sql`i.id, i.kind, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity, json_build_object('id', u.id, 'name', u.name) as actor,
    ${reference('person_names', sql`i.run_by`)} as run_by,
    i.file_name, i.format, i.columns, i.mapping, i.options, i.state, i.total, ${instant(sql`i.created_at`)} as created_at, ${instant(sql`i.ended_at`)} as ended_at,
    coalesce((select json_object_agg(action, n) from (select action, count(*)::int as n from import_rows r where r.import_id = i.id group by action) c), '{}') as counts,
    (select count(*)::int from import_rows r where r.import_id = i.id and r.done_at is not null) as done,
    (select count(*)::int from import_rows r where r.import_id = i.id and r.action = 'refused' and r.resolved_at is null) as unresolved`;
  const found = async (actor: Actor, id: string): Promise<Import> => {
    return existing(await db.one<Import>(sql`select ${columns} from ${source} where i.id = ${id} and ${visibleEntity(actor)}`));
  };
  return {
    listImports: async ({ query, actor }) => {
      const kind = query.kind ? sql`i.kind = ${query.kind}` : sql`true`;
      const where = sql`${visibleEntity(actor)} and ${kind} and ${contains([sql`i.file_name`, sql`e.name`, sql`u.name`], query.search)}`;
      const order = orderBy(query.sort ?? '-created_at', { created_at: sql`i.created_at`, file_name: sql`i.file_name` }, sql`i.id`);
      return pageOf<Import>(db, '/importer/imports', query, { columns, from: source, where, order });
    },
    uploadImport: async ({ query, actor, request }) => {
      importer.requireKind(actor, query.kind);
      const id = await importer.open({ actor, address: request.ip }, await wholeBody(request.body as Readable, importLimits.bytes), query);
      return { data: await found(actor, id) };
    },
    getImport: async ({ params, actor }) => ({ data: await found(actor, params.id) }),
    planImport: async ({ params, body, actor }) => {
      const kept = await found(actor, params.id);
      importer.requireKind(actor, kept.kind);
      if (kept.state !== 'planned') throw new ProductError('import_begun');
      const { mapping, ...options } = body;
      await importer.plan(actor, kept, mapping, options);
      return { data: await found(actor, params.id) };
    },
    listImportRows: async ({ params, query, actor }) => {
      await found(actor, params.id);
      const action = query.action ? sql`r.action = ${query.action}` : sql`true`;
      const where = sql`r.import_id = ${params.id} and ${action} and ${contains([sql`r.name`], query.search)}`;
      const total = await countOf(db, sql`import_rows r where ${where}`);
      const data =
        await db.all<ImportRow>(sql`select r.no, r.name, r.action, r.cells, r.problems, r.done_at is not null as done, ${instant(sql`r.resolved_at`)} as resolved_at
        from import_rows r where ${where} order by r.no ${pagePart(query)}`);
      return { data, ...pagesOf(`/importer/imports/${params.id}/rows`, query, total) };
    },
    runImport: async ({ params, actor, request }) => {
      const kept = await found(actor, params.id);
      importer.requireKind(actor, kept.kind);
      if (!(await importer.start({ actor, address: request.ip }, kept))) throw new ProductError('import_begun');
      jobs.wake();
      return { data: await found(actor, params.id) };
    },
    stopImport: async ({ params, actor }) => {
      const kept = await found(actor, params.id);
      importer.requireKind(actor, kept.kind);
      await db.run(sql`update imports set state = 'stopped' where id = ${params.id} and state = 'running'`);
      await jobs.cancel('import', params.id);
      return { data: await found(actor, params.id) };
    },
    resolveImportRow: async ({ params, actor }) => {
      await found(actor, params.id);
      existing(
        await db.run(
          sql`update import_rows set resolved_at = ${now()}, resolved_by = ${actor.user.uuid} where import_id = ${params.id} and no = ${Number(params.no)} and action = 'refused' and resolved_at is null`,
        ),
      );
      return { data: { unresolved: (await found(actor, params.id)).unresolved } };
    },
  };
};
