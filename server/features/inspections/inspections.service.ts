import { randomUUID } from 'node:crypto';
import type { listInspections } from '#contract/api/inspections.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import { seesForecasts } from '#contract/api/forecast.ts';
import type { Inspection, InspectionCopy, InspectionFound, InspectionSignature, NewInspection } from '#contract/entities/inspection.ts';
import { inspectionLimits } from '#contract/entities/inspection.ts';
import { plainFilter } from '#contract/reports/filter.ts';
import type { Actor } from '#server/actor.ts';
import { contains, existing, insertRow, orderBy, pageOf } from '#server/db/rows.ts';
import { instant, type Statement, sql } from '#server/db/sql.ts';
import { chosenWords } from '#server/features/inspections/chosen-words.ts';
import { inspectionColumns, inspectionSource, visibleInspection } from '#server/features/inspections/inspections.rows.ts';
import { headOf } from '#server/features/matrix/head.rows.ts';
import { fileNamePart } from '#server/files/file-names.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { createThrottle } from '#server/security/throttle.ts';
import type { Services } from '#server/services.ts';

const dayMs = 86_400_000;
/** Inspection packs: requested, listed, downloaded, and identified for anyone who has one of their files. */
export const inspectionsOf = ({ db, files, jobs, now }: Services) => {
  const throttle = createThrottle(db, now);
  /** The permissions to see other people's compliance: a pack shows that of all people of its organisation. */
  const needsOthers = (actor: Actor): void => {
    if (!can(actor.user, seesForecasts)) throw new ProductError('forbidden');
  };
  const found = async <T>(actor: Actor, id: string, columns: Statement): Promise<T> => {
    needsOthers(actor);
    return existing(await db.one<T>(sql`select ${columns} from ${inspectionSource} where i.id = ${id} and ${visibleInspection(actor)}`));
  };
  const one = (actor: Actor, id: string): Promise<Inspection> => found<Inspection>(actor, id, inspectionColumns);

  return {
    one,
    list: async (actor: Actor, query: QueryOf<typeof listInspections>) => {
      needsOthers(actor);
      return pageOf<Inspection>(db, '/api/inspections', query, {
        ...{ columns: inspectionColumns, from: inspectionSource },
        where: sql`${visibleInspection(actor)} and ${contains([sql`i.name`, sql`i.chosen`], query.search)}`,
        order: orderBy(query.sort ?? '-asked_at', { asked_at: sql`i.asked_at`, name: sql`lower(i.name)` }, sql`i.id`),
      });
    },
    /** Records a requested pack; a job freezes it. */
    freeze: async (by: By, body: NewInspection): Promise<Inspection> => {
      const { actor } = by;
      needsOthers(actor);
      if (actor.seesAll) throw invalid('filter', 'A pack belongs to an organisation. Choose the one that you act for first.');
      const { people, askedOf } = await headOf(db, actor, { ...plainFilter, ...body.filter }, now());
      if (people.length === 0) throw invalid('filter', 'Nobody matches these choices.');
      const lines = people.reduce((sum, person) => sum + askedOf(person).length, 0);
      const thousands = (n: number) => n.toLocaleString('en-GB');
      if (people.length > inspectionLimits.people || lines > inspectionLimits.lines)
        throw new ProductError('report_too_large', {
          message: `A pack holds ${thousands(inspectionLimits.people)} people and ${thousands(inspectionLimits.lines)} required courses at most; these are ${thousands(people.length)} people and ${thousands(lines)} courses. Make one for each service.`,
          extra: { rows: lines, most: inspectionLimits.lines },
        });
      const id = randomUUID();
      const chosen = await chosenWords(db, actor, body.filter);
      await db.tx(async (tx) => {
        // One at a time for each organisation, so that two concurrent requests are both counted.
        await tx.one(sql`select pg_advisory_xact_lock(hashtext(${`inspections ${actor.place.id}`}))`);
        const since = new Date(now().getTime() - dayMs);
        const day = await tx.one<{ n: number }>(
          sql`select count(*)::int as n from inspections where entity_id = ${actor.place.id} and asked_at > ${since}`,
        );
        if (day && day.n >= inspectionLimits.aDay)
          throw new ProductError('too_many_attempts', {
            message: `${actor.place.name} asked for ${day.n} inspection packs within 24 hours, which is as many as it can. Use one of these, or try again tomorrow.`,
          });
        const row = { id, entity_id: actor.place.id, name: body.name, asked: JSON.stringify(body), chosen, asked_by: actor.user.uuid };
        await tx.run(insertRow('inspections', { ...row, acting_as_id: actor.actingAs?.id ?? null, asked_at: now() }));
        await jobs.note(tx, 'inspection', { key: id, subject: body.name, entity: actor.place.id, owner: actor.user.uuid });
        const subject = { kind: 'inspection' as const, id, name: body.name };
        await noteChange(tx, by, now(), { entityId: actor.place.id, action: 'created', subject });
      });
      jobs.wake();
      return one(actor, id);
    },
    copy: async (actor: Actor, id: string): Promise<InspectionCopy> => {
      const stored = await found<{ manifest: string | null; signature: InspectionSignature; data_hash: string }>(
        actor,
        id,
        sql`i.manifest, i.signature, i.data_hash`,
      );
      if (stored.manifest === null) throw new ProductError('not_found');
      const data = existing(await files.get(stored.data_hash));
      return { inspection: await one(actor, id), manifest: stored.manifest, signature: stored.signature, document: data.toString('utf8') };
    },
    file: async (actor: Actor, id: string, format: 'pdf' | 'zip') => {
      type Kept = { name: string; frozen_at: string; hash: string | null; bytes: number };
      const hash = format === 'pdf' ? sql`i.pdf_hash` : sql`i.zip_hash`;
      const bytes = format === 'pdf' ? sql`i.pdf_bytes` : sql`i.zip_bytes`;
      const stored = await found<Kept>(actor, id, sql`i.name, i.frozen_at, ${hash} as hash, ${bytes} as bytes`);
      if (stored.hash === null) throw new ProductError('not_found');
      const name = `${fileNamePart(stored.name)} ${downloadDay(new Date(stored.frozen_at), actor.user.time_zone)}.${format}`;
      return {
        ...{ file: files.read(stored.hash), type: format === 'pdf' ? 'application/pdf' : 'application/zip', name },
        headers: { 'Content-Length': String(stored.bytes) },
      };
    },
    /** The fingerprint proves possession of the file: guessing one is as hard as forging one. */
    verify: async (hash: string, ip: string): Promise<InspectionFound> => {
      const guess = await throttle.begin({ action: 'verify-inspection', ip });
      const row = existing(
        await db.one<InspectionFound>(sql`select (select e.name from entities e where e.id = i.entity_id) as organisation, i.name,
            ${instant(sql`i.frozen_at`)} as frozen_at, (select u.name from users u where u.id = i.asked_by) as frozen_by, f.name as file
          from (select inspection_id, name from inspection_files where hash = ${hash}
            union all select id, null from inspections where ${hash} in (pdf_hash, zip_hash, hash)) f
          join inspections i on i.id = f.inspection_id where i.hash is not null order by i.frozen_at, f.name nulls first limit 1`),
      );
      await guess.succeeded();
      return row;
    },
  };
};
