import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { compiled, RealServer, shortLived } from '#tests/support/real-server.ts';
import { signedIn } from '#tests/support/signed-in.ts';
import { makeTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const program = new URL('../operator.ts', import.meta.url).pathname;

/** Runs the operator program on its own data. */
const operator = (data: TestDatabase, ...args: string[]) => operatorWith({}, data, ...args);
const operatorWith = (env: Record<string, string>, { folder, url = '' }: TestDatabase, ...args: string[]) =>
  promisify(execFile)(process.execPath, [...shortLived, program, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, DATA_DIR: folder, DATABASE_URL: url, NODE_ENV: 'test', ...env },
  }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, out: error.stdout + error.stderr }),
  );

describe('the operator’s commands', () => {
  let data: TestDatabase;
  const made: TestDatabase[] = [];
  const database = async (how?: { empty: true }) => {
    const one = await makeTestDatabase(how);
    made.push(one);
    return one;
  };
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const table = join(folder, 'people.csv');
  beforeAll(async () => {
    data = await database();
    writeFileSync(table, 'Work e-mail,Called\nop@example.org,Opal Quinn\nno address,Nobody\n');
    writeFileSync(join(folder, 'mapping.json'), JSON.stringify({ email: 'Work e-mail', name: 1 }));
    writeFileSync(join(folder, 'wrong.json'), JSON.stringify({ email: 'Elsewhere' }));
  }, 60_000);
  afterAll(async () => {
    for (const one of made) await one.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('import a table: as a dry run, then for real, with every problem as JSON', async () => {
    const about = ['--organisation', 'willowbrook', '--mapping', join(folder, 'mapping.json'), '--json'];
    const dry = await operator(data, 'import', 'people', table, '--dry-run', ...about);
    expect([dry.code, JSON.parse(dry.out)]).toMatchObject([
      1,
      { dry_run: true, counts: { create: 1, refused: 1 }, problems: [{ row: 3, column: 'Work e-mail' }] },
    ]);
    const done = JSON.parse((await operator(data, 'import', 'people', table, ...about)).out) as { counts: object; state: string };
    expect(done).toMatchObject({ counts: { create: 1, refused: 1 }, state: 'done' });
    const again = JSON.parse((await operator(data, 'import', 'people', table, '--organisation', 'willowbrook', '--json')).out) as { counts: object };
    expect(again.counts).toEqual({ same: 1, refused: 1 });
  });
  it('report a change on which the server fails, without its content', async () => {
    const own = await database();
    const { db, close } = await openDatabase({ DATA_DIR: own.folder, DATABASE_URL: own.url });
    await db.run(
      sql`create function unfit() returns trigger language plpgsql as $$ begin raise exception 'no room for "%"', new.message using detail = new.message; end $$`,
    );
    await db.run(sql`create trigger unfit before insert on messages for each row execute function unfit()`);
    const peer = await db.one<{ id: string }>(sql`select id from users where email = 'manager@willowbrook.test'`);
    await close();
    const server = await RealServer.create(own.url ? { DATABASE_URL: own.url } : {}, false, own.folder);
    try {
      const headers = {
        ...(await signedIn(server, 'learner@willowbrook.test')),
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      };
      const send = () =>
        fetch(`${server.url}/api/users/${peer?.id}/message`, { method: 'POST', headers, body: JSON.stringify({ message: 'My secret "is out"' }) });
      const answers = [await send(), await send(), await send()];
      expect(answers.map((a) => a.status)).toEqual([500, 500, 500]);
      const last = answers[2]?.headers.get('x-request-id') as string;
      await vi.waitUntil(() => server.said.includes('"times":3'));
      const noted = server.said.split('\n').find((line) => line.includes('"times":3')) as string;
      expect(JSON.parse(noted)).toMatchObject({
        ...{ msg: 'a change failed', reqId: last, change: headers['Idempotency-Key'], command: 'message.send', times: 3 },
        error: expect.stringMatching(/P0001 at server\/features\/messages/),
      });
      expect(server.said).not.toMatch(/secret|is out/);
      await server.stop();
      expect(await operator(own, 'check')).toMatchObject({
        code: 1,
        out: expect.stringMatching(new RegExp(`message\\.send of .* failed 3 times .*P0001.*${last}`)),
      });
      expect((await operator(own, 'check')).out).not.toMatch(/secret/);
    } finally {
      await server.close();
    }
  });
  it('report mistakes in one line and exit with an error', async () => {
    expect(await operator(data, 'import', 'people', table, '--organisation', 'nowhere', '--json')).toMatchObject({
      code: 1,
      out: expect.stringContaining('Choose an organisation'),
    });
    expect(await operator(data, 'import', 'people', table, '--organisation', 'willowbrook', '--mapping', join(folder, 'wrong.json'))).toMatchObject({
      code: 1,
      out: expect.stringContaining('no column “Elsewhere” for email. It has: Work e-mail, Called.'),
    });
    expect(await operator(data, 'import', 'pets', table)).toMatchObject({ code: 2, out: expect.stringContaining('KIND must be one of people') });
    expect(await operator(data, 'dance')).toMatchObject({ code: 2 });
  });
  it('create an administrator, once, and make a link to choose a password', async () => {
    const made = await operator(data, 'create-admin', 'boss@example.org', '--name', 'Boss', '--json');
    expect([made.code, JSON.parse(made.out)]).toMatchObject([0, { email: 'boss@example.org', link: expect.stringContaining('/reset-password/') }]);
    expect(await operator(data, 'create-admin', 'BOSS@example.org', '--name', 'Boss')).toMatchObject({
      code: 1,
      out: expect.stringContaining('already belongs to an account'),
    });
    expect(await operator(data, 'password-link', 'BOSS@example.org')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Boss can set a password within \d+ hours at\n.*\/reset-password\/[\w-]+/),
    });
    expect(await operator(data, 'password-link', 'nobody@example.org')).toMatchObject({ code: 1 });
  });
  it('back up, restore into an empty database, and check it', async () => {
    const [first, second, elsewhere] = [join(folder, 'first'), join(folder, 'second'), await database({ empty: true })];
    const backedUp = JSON.parse((await operator(data, 'backup', first, '--json')).out) as { rows: number; files: number };
    expect(backedUp.rows).toBeGreaterThan(1000);
    expect(await operator(data, 'backup', first)).toMatchObject({ code: 1, out: expect.stringContaining('is not empty') });
    expect(await operator(data, 'restore', first)).toMatchObject({ code: 1, out: expect.stringContaining('already contains people') });
    expect(JSON.parse((await operator(elsewhere, 'restore', first, '--json')).out)).toEqual({
      rows: backedUp.rows,
      files: backedUp.files,
      warnings: [],
    });
    expect(JSON.parse((await operator(elsewhere, 'check', '--json')).out)).toMatchObject({ findings: [] });
    expect(JSON.parse((await operator(elsewhere, 'backup', second, '--json')).out)).toMatchObject({ rows: backedUp.rows });
    // A missing file is detected.
    rmSync(join(elsewhere.folder, 'files'), { recursive: true });
    expect(await operator(elsewhere, 'check')).toMatchObject({ code: 1, out: expect.stringMatching(/is missing/) });
  });
  it('encrypt a backup on request, with a passphrase that is never on the command line', async () => {
    const [kept, elsewhere, file] = [join(folder, 'encrypted'), await database({ empty: true }), join(folder, 'passphrase')];
    writeFileSync(file, 'four words of my own\n');
    const words = { BACKUP_PASSPHRASE: 'four words of my own' };
    expect(await operator(data, 'backup', kept, '--encrypt')).toMatchObject({ code: 2, out: expect.stringContaining('needs a passphrase') });
    expect(await operatorWith({ BACKUP_PASSPHRASE: 'too short' }, data, 'backup', kept, '--encrypt')).toMatchObject({ code: 2 });
    expect(await operator(data, 'backup', kept, '--passphrase-file', file)).toMatchObject({ code: 2 });
    const done = await operatorWith(words, data, 'backup', kept, '--encrypt');
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/with \d+ files\. It is encrypted/) });
    expect(await operator(elsewhere, 'restore', kept)).toMatchObject({ code: 1, out: expect.stringContaining('is encrypted') });
    expect(await operatorWith({ BACKUP_PASSPHRASE: 'another one altogether' }, elsewhere, 'restore', kept)).toMatchObject({
      code: 1,
      out: expect.stringContaining('not the passphrase'),
    });
    expect(await operator(elsewhere, 'restore', kept, '--passphrase-file', file)).toMatchObject({
      code: 0,
      out: expect.stringContaining('rows were restored'),
    });
    expect(JSON.parse((await operator(elsewhere, 'check', '--json')).out)).toMatchObject({ findings: [] });
  });
}, 120_000);
