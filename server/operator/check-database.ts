import { type Db, sql } from '#server/db/sql.ts';
import { readTree } from '#server/features/packages/package-trees.ts';
import { wrongStandings } from '#server/features/results/standings.rows.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { failedChanges } from '#server/ledger/failed-changes.ts';
import { mostTries, unsentMail, unsentProblems } from '#server/mail/mailer.ts';
import { checkJobs } from '#server/operator/check-jobs.ts';

/** A description of an inconsistency. */
export type Finding = { check: string; problem: string };

/** Checks of invariants that the schema cannot enforce. Each returns a message per violation. */
const checks: Record<string, (db: Db, files: FileStore, serverExpected: boolean, sendsMail: boolean) => Promise<string[]>> = {
  'organisations form a tree': async (db) =>
    (
      await db.all<{
        name: string;
      }>(sql`with recursive down as (select id from entities where parent_id is null union select c.id from entities c join down d on c.parent_id = d.id)
        select name from entities where id not in (select id from down)`)
    ).map((e) => `${e.name} belongs, in the end, to itself.`),
  'the list of organisations below each organisation is correct': async (db) =>
    (
      await db.all<{ name: string }>(sql`with recursive up as (select id as below, id as above from entities
          union select u.below, e.parent_id from up u join entities e on e.id = u.above where e.parent_id is not null)
        select distinct e.name from entities e join (
          (select below, above from up except select below, above from entity_below) union all (select below, above from entity_below except select below, above from up)) d on d.below = e.id`)
    ).map((e) => `${e.name} is missing from or wrongly included in that list.`),
  'people have job roles and user types available in their organisation': async (db) =>
    (
      await db.all<{
        name: string;
        what: string;
      }>(sql`select u.name, 'job role' as what from users u join held_roles h on h.user_id = u.id join roles g on g.id = h.role_id where g.entity_id not in (select entity_and_above(u.primary_entity_id))
        union all select u.name, 'user type' from users u join types g on g.id = u.type_id where g.entity_id not in (select entity_and_above(u.primary_entity_id))`)
    ).map((p) => `${p.name} has a ${p.what} of another organisation.`),
  'the audit log is append-only': async (db) =>
    (await db.one(sql`select 1 as one from pg_trigger where tgname = 'audit_log_stays' and tgenabled <> 'D'`))
      ? []
      : ['The trigger that protects it was removed or disabled.'],
  'the entries of care certificates are unaltered': async (db) =>
    (
      await db.all<{ name: string; entry: string; problem: string }>(
        sql`select u.name, b.entry, b.problem from broken_chains() b join care_certificates c on c.id = b.certificate_id join users u on u.id = c.user_id order by u.name`,
      )
    ).map((b) => `The care certificate of ${b.name} was altered from this entry on: ${b.entry}: ${b.problem}.`),
  'how people stand with their courses is right': async (db) =>
    (await wrongStandings(db)).map(
      (id) => `What is kept of ${id} differs from their results. “npm run operator -- mend-standings” computes it again.`,
    ),
  'every address belongs to one person': async (db) =>
    (await db.all<{ email: string }>(sql`select lower(email) as email from users group by 1 having count(*) > 1`)).map(
      (u) => `${u.email} belongs to several people.`,
    ),
  'changes from devices can be accepted': async (db) =>
    (await failedChanges(db, sql`true`)).map(
      (f) =>
        `${f.command} of ${f.user.name} (${f.organisation}) failed ${f.times === 1 ? 'once' : `${f.times} times`} between ${f.first_at} and ${f.last_at}: ${f.error ?? 'the server has no record of the failure, so check the proxy in front of it'}.${f.request_id ? ` The last request was ${f.request_id}.` : ''}${f.given_up_at ? ` Device ${f.device_id} has stopped trying.` : ''} Its id is ${f.id}.`,
    ),
  'job roles ask for courses that their organisations have': async (db) =>
    (await db.all<{ id: string }>(sql`select id from compliance k where k.given <> role_has_course(k.role_id, k.course_id) order by id`)).map(
      ({ id }) => `The requirement ${id} does not say whether the organisation of its job role has the course.`,
    ),
  'e-mail is sent': async (db, _files, _serverExpected, sendsMail) => {
    const waiting =
      (await db.one<{ n: number }>(sql`select count(*)::int as n from outgoing_mail where sent_at is null and tries < ${mostTries}`))?.n ?? 0;
    return [
      ...(sendsMail
        ? []
        : [`SMTP_URL is not set: nobody can be invited or set a new password by e-mail. ${waiting} e-mails wait, and are sent once it is set.`]),
      ...unsentProblems(await unsentMail(db)),
    ];
  },
  'background tasks get on': async (db, _files, serverExpected) => checkJobs(db, serverExpected),
  'files of courses and brandings exist': async (db, files) => {
    const known = await db.all<{ hash: string; bytes: number; what: string }>(
      sql`select hash, bytes, name as what from media union all select hash, bytes, 'a picture of a branding' from brand_pictures
        union all select hash, bytes, 'evidence: ' || name from evidence
          union all select hash, kept_bytes, 'evidence of an observation' from care_evidence where hash is not null
          union all select zip_hash, zip_bytes, 'inspection pack: ' || name from inspections where hash is not null
          union all select pdf_hash, pdf_bytes, 'inspection pack: ' || name from inspections where hash is not null`,
    );
    const problems: string[] = [];
    for (const { hash, bytes, what } of known) {
      const size = await files.size(hash);
      if (size === null) problems.push(`${what} is missing (${hash}).`);
      else if (size !== bytes) problems.push(`${what} has ${size} bytes instead of ${bytes} (${hash}).`);
    }
    return problems;
  },
  'files of course packages exist': async (db, files) => {
    const problems: string[] = [];
    for (const { id, tree } of await db.all<{ id: string; tree: string }>(sql`select id, tree from packages`)) {
      const list = await readTree(files, tree);
      if (!list) {
        problems.push(`The list of the files of package ${id} is missing.`);
        continue;
      }
      for (const [path, [hash, bytes]] of Object.entries(list.files))
        if ((await files.size(hash)) !== bytes) problems.push(`${path} of package ${id} is missing or truncated.`);
    }
    return problems;
  },
};

/**
 * Checks the data for inconsistencies. Changes nothing. `serverExpected`: a server should be running on it now. `sendsMail`: its mail should
 * reach somebody.
 */
export const checkDatabase = async (
  db: Db,
  files: FileStore,
  serverExpected = false,
  sendsMail = true,
): Promise<{ checks: string[]; findings: Finding[] }> => {
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(checks))
    for (const problem of await look(db, files, serverExpected, sendsMail)) findings.push({ check, problem });
  return { checks: Object.keys(checks), findings };
};
