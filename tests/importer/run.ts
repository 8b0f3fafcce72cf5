import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportKind } from '#contract/entities/import.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createImporter } from '#server/features/importer/imports.service.ts';
import { createJobs } from '#server/jobs/runner.ts';
import { createSessions } from '#server/security/sessions.ts';
import { demoFolder } from '#tests/support/demo-folder.ts';

/**
 * `npm run imports -- FOLDER`: reads every table of a folder as the importer does, plans it for the demo's care group, and
 * compares what would be done with what is expected (expected.json). Nothing is imported. `--note` rewrites expected.json, for a
 * person to review before it is committed.
 */
type Expectation = { file: string; kind: ImportKind; seen: string };

const folder = process.argv[2];
const note = process.argv.includes('--note');
if (!folder || !existsSync(folder)) {
  console.error(`There is no folder ${folder ?? ''}. Say where the tables are: npm run imports -- FOLDER`);
  process.exit(2);
}
const table = new URL('expected.json', import.meta.url).pathname;
const expected = JSON.parse(readFileSync(table, 'utf8')) as Expectation[];

/** The kind of a table by its name. Courses of enrolments are courses; any other name means people. */
const kindOf = (file: string): ImportKind =>
  /courses/.test(file)
    ? 'courses'
    : /users|grades|attendees|completions|tabfile|user_data|enrollments/.test(file)
      ? 'people'
      : /org|cohort|groups|hierarchy/.test(file)
        ? 'organisations'
        : 'roles';

const data = await demoFolder();
const database = await openDatabase({ DATA_DIR: data });
const now = () => new Date();
const sessions = createSessions(database.db, readConfig({ NODE_ENV: 'test', DATA_DIR: data }), now);
const actor = await sessions.actorOf(demoId('user:admin@willowbrook.test'), '', 'token');
if (!actor) throw new Error('the demo has no administrator');
const importer = createImporter({ db: database.db, now, jobs: createJobs({ db: database.db, now, log: console as never }) });

const seenOf = async (file: string, kind: ImportKind): Promise<string> => {
  try {
    const id = await importer.open({ actor, address: '' }, readFileSync(join(folder, file)), { kind, organisation: 'willowbrook', file_name: file });
    const read = await database.db.one<{ format: string; mapping: Record<string, number>; columns: string[] }>(
      sql`select format, mapping, columns from imports where id = ${id}`,
    );
    const rows = await database.db.all<{ no: number; action: string; problems: { column: string | null; problem: string }[] }>(
      sql`select no, action, problems from import_rows where import_id = ${id} order by no`,
    );
    const counts = Map.groupBy(rows, (r) => r.action);
    const mapped = Object.entries(read?.mapping ?? {}).map(([field, column]) => `${field}=${read?.columns[column]}`);
    const problems = new Set(
      rows.flatMap((r) => r.problems.map((p) => (/No column holds/.test(p.problem) ? p.problem : `row ${r.no}: ${p.problem}`))),
    );
    return [
      [...counts].map(([action, some]) => `${action} ${some.length}`).join(', '),
      mapped.length > 0 ? `(${mapped.join(', ')})` : '(no column known)',
      ...[...problems].slice(0, 3),
    ].join(' ');
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
};

const files = (readdirSync(folder, { recursive: true }) as string[]).filter((f) => /\.(csv|xlsx)$/.test(f)).sort();
const seen: Expectation[] = [];
let wrong = 0;
for (const file of files) {
  const before = expected.find((e) => e.file === file);
  const kind = before?.kind ?? kindOf(file);
  const now = await seenOf(file, kind);
  seen.push({ file, kind, seen: now });
  const right = before?.seen === now;
  if (!right) wrong++;
  console.log(`${right ? '  ' : '! '}${file} [${kind}] ${now}${right ? '' : `\n    expected: ${before?.seen ?? 'nothing is said of this file'}`}`);
}
for (const { file } of expected) if (!files.includes(file)) console.log(`? ${file} is not in this folder`);
if (note) writeFileSync(table, `${JSON.stringify(seen, null, 1)}\n`);
await database.close();
rmSync(data, { recursive: true, force: true });
console.log(`${files.length - wrong} of ${files.length} tables as expected`);
process.exit(note || wrong === 0 ? 0 : 1);
