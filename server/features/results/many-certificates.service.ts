import { can } from '#contract/can.ts';
import { certificatesAtOnce, type ChosenCertificates } from '#contract/entities/result.ts';
import { protocol } from '#contract/protocol.ts';
import { csvLines, csvStart } from '#contract/rules/csv.ts';
import type { Actor } from '#server/actor.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import { certificatePdfs } from '#server/features/results/certificate-pdf.service.ts';
import { certificateOf, certificateSource, certificatesWhere, createLooks } from '#server/features/results/certificates.rows.ts';
import { isCertified, seesDeleted } from '#server/features/results/results.rows.ts';
import { fileNamePart, uniqueNames } from '#server/files/file-names.ts';
import { storedZip, type ZippedFile } from '#server/files/stored-zip.ts';
import { JobEnds } from '#server/jobs/job.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { ProductError } from '#server/product-error.ts';
import { createReportFiles } from '#server/reports/report-files.ts';
import type { Services } from '#server/services.ts';

/** Up to this many are made during the request; more by a job. */
const atOnce = 100;
/** Certificates drawn with one font, and held in memory. */
const batch = 200;

/** Why a result `r` has no certificate. */
const whyNot = sql`case when r.status = 'pending' then 'Not approved yet.' when r.status = 'rejected' then 'Rejected.' when r.status = 'deleted' then 'Deleted.'
  when r.type = 'exempt' then 'An exemption has no certificate.' else 'The certificate is suppressed.' end`;

type Found = {
  /** Whether the actor may download all of them. */
  allowed: boolean;
  /** The results with a certificate, and those without, in the order of people and courses. */
  certified: readonly string[];
  without: readonly string[];
  /** People without any result. */
  people: readonly { name: string }[];
};

/** Certificates of many results or people as one ZIP. */
export const manyCertificatesOf = (services: Services) => {
  const { db, files, config, now } = services;

  /** The selected ones that the actor sees. Others are ignored. */
  const find = async (actor: Actor, { result_ids, user_ids }: ChosenCertificates): Promise<Found> => {
    const rows = await db.all<{ id: string; user_id: string; certified: boolean }>(sql`
      with chosen as (
        select r.id from results r where r.id = any(${result_ids}::uuid[])
        union (select distinct on (r.user_id, r.course_id) r.id from results r
          where r.user_id = any(${user_ids}::uuid[]) and r.status = 'approved' and r.type <> 'exempt'
          order by r.user_id, r.course_id, r.completed_at desc, r.created_at desc, r.id desc)
        union select r.id from results r where r.user_id = any(${user_ids}::uuid[]) and (r.status = 'pending' or (r.status = 'approved' and r.type = 'exempt')))
      select r.id, r.user_id, ${isCertified} as certified from chosen join results r on r.id = chosen.id
        join users u on u.id = r.user_id join course_titles c on c.id = r.course_id
      where ${visiblePerson(actor)} and ${seesDeleted(actor)} order by u.name, u.id, c.title, r.completed_at, r.id`);
    const seen = await db.all<{ id: string; name: string }>(
      sql`select u.id, u.name from users u where u.id = any(${user_ids}::uuid[]) and ${visiblePerson(actor)} order by u.name, u.id`,
    );
    const withResult = new Set(rows.map((r) => r.user_id));
    const people = [...withResult, ...seen.map((u) => u.id)];
    return {
      allowed: people.every((id) => can(actor.user, id === actor.user.uuid ? 'certificate.own' : 'certificate.user')),
      certified: rows.filter((r) => r.certified).map((r) => r.id),
      without: rows.filter((r) => !r.certified).map((r) => r.id),
      people: seen.filter((u) => !withResult.has(u.id)),
    };
  };

  /** Who and what is left out, and why, as CSV. */
  const leftOut = async (actor: Actor, ids: readonly string[], people: Found['people']): Promise<Buffer> => {
    const rows = await db.all<{ name: string; course: string; completed_at: string; zone: string; why: string }>(
      sql`select u.name, c.title as course, r.completed_at, e.time_zone as zone, case when ${isCertified} then 'It was changed meanwhile.' else ${whyNot} end as why
        from ${certificateSource} where r.id = any(${[...ids]}::uuid[]) and ${visiblePerson(actor)} order by u.name, u.id, c.title, r.completed_at, r.id`,
    );
    return Buffer.from(
      csvStart +
        csvLines([
          ['Person', 'Course', 'Completed', 'Why it is left out'],
          ...rows.map((r) => [r.name, r.course, downloadDay(new Date(r.completed_at), r.zone), r.why]),
          ...people.map((p) => [p.name, '', '', 'Nothing recorded yet.']),
        ]),
    );
  };

  const filesOf = async function* (
    actor: Actor,
    { certified, without, people }: Found,
    onRows: (done: number) => Promise<void>,
  ): AsyncGenerator<ZippedFile> {
    const lookOf = createLooks(db, files, config);
    const unique = uniqueNames();
    const withoutRow: string[] = [];
    for (let from = 0; from < certified.length; from += batch) {
      const ids = certified.slice(from, from + batch);
      const rows = new Map(
        (await certificatesWhere(db, sql`r.id = any(${[...ids]}::uuid[]) and ${visiblePerson(actor)}`)).map((row) => [row.id, row]),
      );
      withoutRow.push(...ids.filter((id) => !rows.has(id)));
      const present = ids.flatMap((id) => rows.get(id) ?? []);
      const certificates = [];
      for (const row of present) certificates.push(certificateOf(row, await lookOf(row)));
      let i = 0;
      for await (const pieces of certificatePdfs(certificates)) {
        const row = present[i++] as (typeof present)[number];
        const day = downloadDay(new Date(row.completed_at), row.zone);
        yield { name: unique(`${fileNamePart(row.name)} - ${fileNamePart(row.course)} - ${day}`, 'pdf'), pieces };
      }
      await onRows(Math.min(from + batch, certified.length));
    }
    if (without.length + withoutRow.length + people.length > 0)
      yield { name: 'left-out.csv', pieces: [await leftOut(actor, [...without, ...withoutRow], people)] };
  };

  const made = createReportFiles<ChosenCertificates>(services, 'certificates', 'certificates', async function* (actor, _name, chosen, onRows) {
    const found = await find(actor, chosen);
    if (!found.allowed) throw new JobEnds('stopped', 'The person who asked for them can no longer download them.');
    yield* storedZip(filesOf(actor, found, onRows), now());
  });

  const download = async (actor: Actor, { result_ids, user_ids }: ChosenCertificates) => {
    const once = (ids: readonly string[]) => [...new Set(ids)].sort();
    const chosen = { result_ids: once(result_ids), user_ids: once(user_ids) };
    const found = await find(actor, chosen);
    if (!found.allowed) throw new ProductError('forbidden');
    const total = found.certified.length;
    const headers = { [protocol.leftOutHeader]: String(found.without.length + found.people.length) };
    if (total === 0) return { file: Buffer.alloc(0), type: 'text/plain', status: 204, headers };
    const thousands = (n: number) => n.toLocaleString('en-GB');
    if (total > certificatesAtOnce)
      throw new ProductError('report_too_large', {
        message: `These are ${thousands(total)} certificates, and a file holds ${thousands(certificatesAtOnce)} at most. Choose fewer people.`,
        extra: { rows: total, most: certificatesAtOnce },
      });
    const type = 'application/zip';
    const name = `certificates ${actor.user.name} ${downloadDay(now(), actor.user.time_zone)}.zip`;
    if (total <= atOnce) {
      const parts: Uint8Array[] = [];
      for await (const part of storedZip(
        filesOf(actor, found, async () => undefined),
        now(),
      ))
        parts.push(part);
      return { file: Buffer.concat(parts), type, name, headers };
    }
    const file = await made.ask({
      ...{ actor, report: 'certificates', question: chosen },
      ...{ title: `${thousands(total)} certificates`, name, type, total },
    });
    if (file.kind === 'ready') return { file: file.bytes, type: file.type, name: file.name, headers };
    return { file: Buffer.from(JSON.stringify({ data: file.progress })), type: 'application/json; charset=utf-8', status: 202 };
  };
  return { download, job: made.job };
};
