import { createHash, randomUUID } from 'node:crypto';
import { can } from '#contract/can.ts';
import { fieldsOf, type Import, type ImportKind, type ImportMapping, importKinds } from '#contract/entities/import.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import type { TableEncoding } from '#contract/rules/table-encoding.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { guessedMapping, missingFields, type PlannedRow, type PlanOptions, planTable } from '#server/features/importer/plan.ts';
import type { Table } from '#server/features/importer/read-table.ts';
import type { Actor } from '#server/actor.ts';
import { noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';
import { parseTable } from '#server/workers/parsing.ts';

const columnsKey = (columns: readonly string[]) => createHash('sha256').update(JSON.stringify(columns)).digest('hex');

/** A parsed row. */
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

/** Reads a table, stores it with the plan for each row, and hands it to the runner. Also for the command line. */
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
  /** If a required field has no column, every row reports it. */
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
    /** The stored import, without an access check. */
    kept: (id: string): Promise<Kept | undefined> =>
      db.one<Kept>(sql`select i.id, i.kind, i.file_name, i.columns, i.mapping, i.options, i.state, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity
        from imports i join entities e on e.id = i.entity_id where i.id = ${id}`),
    /** Reads, maps and plans. Returns the id. */
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
      await db.tx(async (tx) => {
        await tx.run(
          insertRow('imports', {
            ...{ id, entity_id: entity.id, actor_id: by.actor.user.uuid, acting_as_id: by.actor.actingAs?.id ?? null, address: by.address },
            ...{ kind: what.kind, file_name: what.file_name, format: JSON.stringify(table.format), columns: JSON.stringify(table.columns) },
            ...{ mapping: JSON.stringify(mapping), options: JSON.stringify(options), state: 'planned', total: rows.length, created_at: now() },
          }),
        );
        await writePlan(tx, id, rows, new Map(table.rows.map((r) => [r.no, r])));
      });
      return id;
    },
    plan: async (actor: Actor, found: Kept, mapping: ImportMapping, options: PlanOptions) => {
      requireKind(actor, found.kind);
      if (found.state !== 'planned') throw new ProductError('import_begun');
      for (const [field, column] of Object.entries(mapping)) {
        if (!(field in fieldsOf(found.kind))) throw invalid('mapping', `“${field}” is not known here.`);
        if (column >= found.columns.length) throw invalid('mapping', 'There is no such column.');
      }
      const lines = await db.all<Line>(sql`select no, cells, ragged from import_rows where import_id = ${found.id} order by no`);
      const rows = await planned(actor, { columns: found.columns, rows: lines }, { kind: found.kind, entity: found.entity, mapping, options });
      await db.tx(async (tx) => {
        const still = await tx.one(sql`select 1 as one from imports where id = ${found.id} and state = 'planned' for update`);
        if (!still) throw new ProductError('import_begun');
        await writePlan(tx, found.id, rows, new Map(lines.map((l) => [l.no, l])));
        const chosen = { mapping: JSON.stringify(mapping), options: JSON.stringify(options) };
        await updateRows(tx, 'imports', chosen, sql`id = ${found.id}`);
      });
    },
    /**
     * Starts the import, in the name of the caller and not of the uploader; false if it has already started. The mapping is remembered for
     * tables with the same columns.
     */
    start: async (by: { actor: Actor; address: string }, found: Kept): Promise<boolean> =>
      db.tx(async (tx) => {
        const begun = { state: 'running', started_at: sql`coalesce(started_at, ${now()})`, run_by: by.actor.user.uuid };
        const from = { run_acting_as_id: by.actor.actingAs?.id ?? null, run_address: by.address };
        const which = sql`id = ${found.id} and state in ('planned', 'stopped')`;
        if ((await updateRows(tx, 'imports', { ...begun, ...from }, which)) === 0) return false;
        await jobs.note(tx, 'import', { key: found.id, subject: found.file_name, entity: found.entity.id, owner: by.actor.user.uuid });
        const subject = { kind: 'import', id: found.id, name: found.file_name } as const;
        await noteChange(tx, { actor: by.actor, request: { ip: by.address } }, now(), {
          entityId: found.entity.id,
          action: 'created',
          subject,
          after: { kind: found.kind },
        });
        const { entity, kind, columns, mapping } = found;
        const remembered = { entity_id: entity.id, kind, columns_key: columnsKey(columns), mapping: JSON.stringify(mapping) };
        await tx.run(sql`${insertRow('import_mappings', remembered)}
          on conflict (entity_id, kind, columns_key) do update set mapping = excluded.mapping`);
        return true;
      }),
    stop: async (found: Pick<Kept, 'id' | 'kind'>, actor: Actor): Promise<void> => {
      requireKind(actor, found.kind);
      await updateRows(db, 'imports', { state: 'stopped' }, sql`id = ${found.id} and state = 'running'`);
      await jobs.cancel('import', found.id);
    },
    /** Marks a refused row as handled by a person; 404 if it was not refused. */
    resolve: async (id: string, no: number, actor: Actor): Promise<void> => {
      const which = sql`import_id = ${id} and no = ${no} and action = 'refused' and resolved_at is null`;
      existing(await updateRows(db, 'import_rows', { resolved_at: now(), resolved_by: actor.user.uuid }, which));
    },
  };
};
