import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { protocol } from '#contract/protocol.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { house, namingChanges, sweepOf } from '#tests/support/tenancy-sweep.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

/** Calls by POST that read: what they are asked stands in a body because it is long, or they make a file of it. */
const reads = (e: Endpoint): boolean =>
  /^\/reports\/|\/preview$|\/download-multiple$|^\/users\/wallet-cards$|^\/auth\/permission-check$/.test(e.path);
/** Calls that answer as done where nothing was left to do, each with the reason why that is right. */
const holds = 'What is asked for holds already: repeated after a lost answer it is no error, and the answer is the thing as it is.';
const shown = 'The answer is the thing with its state, which the screen shows: there is nothing left to stop or to start.';
const fine: Readonly<Record<string, string>> = {
  assignCareCertificate: holds,
  cancelTrainingSession: holds,
  deleteDashboardLayout: holds,
  endTrainingClient: holds,
  releaseCertificates: holds,
  reopenRegister: holds,
  restoreDelegate: holds,
  undoBulkEvent: holds,
  updateRegister: holds,
  cancelJob: shown,
  retryJob: shown,
  stopImport: shown,
  decideResults: 'The answer names each result that it left as it was, with the reason.',
  logoutUser: 'It ends sessions, which are not counted here.',
  sendWelcomeEmails: 'It says how many e-mails it sends, and stores a job, which is not counted here.',
};

/**
 * A call that changes what it names, and touches no row, does not answer as done: row-level security and conditions that match nothing report
 * no error, so a screen would say that something happened which did not. Every such call of the contract is made about the House's things, with
 * every permission there is: by a training company whose client the House is, by a client of the House, and by the House's own people after
 * they removed the things.
 */
describe('a call that changes what it names', () => {
  let server: TestApp;
  let tenancy: ReturnType<typeof sweepOf>;
  const brightpath = demoId('entity:brightpath');
  const people = { provider: 'admin@brightpath.test', parent: 'admin@willowbrook.test' };
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const wrong = (found: readonly string[]) => found.filter((id) => !(id in fine) && !namingChanges.some((e) => e.id === id && reads(e)));

  beforeAll(async () => {
    server = await startTestApp();
    tenancy = sweepOf(server);
    await tenancy.prepare();
    for (const email of Object.values(people)) await tenancy.giveEverything(email);
    await tenancy.countRows();
  }, 120_000);
  afterAll(() => server.close());
  const relate = async (provider: string, client: string) => {
    const { db } = server.database;
    await db.run(sql`delete from training_clients where provider_id in (${provider}, ${client}) and client_id in (${provider}, ${client})`);
    await db.run(sql`insert into training_clients (id, provider_id, client_id, added_by, added_at)
      values (gen_random_uuid(), ${provider}, ${client}, ${demoId(`user:${people.provider}`)}, now())`);
    await db.run(sql`update training_sessions set available_to = 'clients' where entity_id = ${provider}`);
    await db.run(
      sql`update entities set can_view_external_bookings = true, can_manage_bookings = true where id = any(${[provider, client]}::uuid[])`,
    );
  };

  it('does not answer as done to a training company that names its client’s things', async () => {
    await relate(brightpath, house);
    expect(wrong(await tenancy.answeredForNothing({ name: 'provider', client: await signedIn(people.provider), headers: {} }))).toEqual([]);
  }, 300_000);

  it('does not answer as done to a client that names its provider’s things', async () => {
    await relate(house, brightpath);
    expect(wrong(await tenancy.answeredForNothing({ name: 'client', client: await signedIn(people.provider), headers: {} }))).toEqual([]);
  }, 300_000);

  it('does not answer as done about what was just removed', async () => {
    const who = { name: 'parent', client: await signedIn(people.parent), headers: { [protocol.actingAsHeader]: house } };
    // Removals come last: the second time, what is named is gone.
    await tenancy.answeredForNothing(who);
    expect(wrong(await tenancy.answeredForNothing(who))).toEqual([]);
  }, 300_000);

  it('has a reason where it does nevertheless', () => {
    for (const id of Object.keys(fine)) expect(namingChanges.map((e) => e.id)).toContain(id);
  });
});
