import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { permissions } from '#contract/permissions.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { schemaOf } from '#server/http/open-api.ts';
import { plantThings } from '#tests/support/canary.ts';
import { forgetResults } from '#tests/support/forget-results.ts';
import type { TestApp, TestClient } from '#tests/support/test-app.ts';

/** The token in every text of the tested organisation. */
export const token = 'CANARY-7f3a';
export const house = demoId('entity:home');
const things = {
  user: demoId('user:learner@willowbrook.test'),
  entity: house,
  role: demoId('tenancy:role'),
  type: demoId('tenancy:type'),
  pathway: demoId('tenancy:pathway'),
  course: demoId('tenancy:course'),
  content: demoId('tenancy:content'),
  category: demoId('tenancy:category'),
  tag: demoId('tenancy:tag'),
  compliance: demoId('tenancy:compliance'),
  import: demoId('tenancy:import'),
  bulk: demoId('tenancy:bulk'),
  result: demoId('tenancy:result'),
  evidence: demoId('tenancy:evidence'),
  attempt: demoId('tenancy:attempt'),
  message: demoId('tenancy:message'),
  feedback: demoId('tenancy:feedback'),
  certificate: demoId('tenancy:certificate'),
  package: demoId('tenancy:package'),
  h5p: demoId('tenancy:h5p'),
  refusal: demoId('tenancy:refusal'),
  sample: demoId('tenancy:sample'),
  historical: demoId('tenancy:historical'),
  file: demoId('tenancy:file'),
  session: demoId('tenancy:session'),
  delegate: demoId('tenancy:delegate'),
  mark: demoId('tenancy:mark'),
  job: demoId('tenancy:job'),
  booking: demoId('tenancy:booking'),
  venue: demoId('tenancy:venue'),
  item: demoId('tenancy:item'),
  order: demoId('tenancy:order'),
  line: demoId('tenancy:line'),
  licence: demoId('tenancy:licence'),
  inspection: demoId('tenancy:inspection'),
  layout: demoId('tenancy:layout'),
  preset: demoId('tenancy:preset'),
  schedule: demoId('tenancy:schedule'),
  delivery: demoId('tenancy:delivery'),
  lesson: demoId('tenancy:lesson'),
  topic: demoId('tenancy:topic'),
  quiz: demoId('tenancy:quiz'),
  question: demoId('tenancy:question'),
  design: demoId('tenancy:design'),
  trainingClient: demoId('tenancy:training client'),
  document: demoId('tenancy:document'),
};

/** The House's id for a path parameter or field. */
const idFor = (name: string, path: string): string => {
  const n = name.toLowerCase();
  if (path.startsWith('/reports/drill-down/') && n.length === 1) return n === 'x' ? things.entity : things.role;
  if (/delegate/.test(n)) return things.delegate;
  if (/^mark/.test(n)) return things.mark;
  if (/user|uuid|recipient|sender|person|trainer/.test(n)) return things.user;
  if (/venue|room/.test(n)) return things.venue;
  if (/^licence/.test(n)) return things.licence;
  if (/^line_/.test(n)) return things.line;
  if (/^item_/.test(n)) return things.item;
  if (/^session(s|_ids)?$/.test(n) && path.startsWith('/bookings')) return things.session;
  if (n === 'people') return things.user;
  if (n === 'provider' && path.startsWith('/bookings')) return things.entity;
  if (['client', 'provider', 'invitation'].includes(n)) return things.trainingClient;
  if (/role/.test(n)) return things.role;
  if (/type/.test(n)) return things.type;
  if (/lesson/.test(n)) return things.lesson;
  if (/topic/.test(n)) return things.topic;
  if (/quiz/.test(n)) return things.quiz;
  if (/question/.test(n)) return things.question;
  if (/course/.test(n)) return things.course;
  if (/content/.test(n)) return things.content;
  if (/category/.test(n)) return things.category;
  if (/entity|parent|organisation/.test(n)) return things.entity;
  if (/message/.test(n)) return things.message;
  if (/evidence/.test(n)) return things.evidence;
  if (n === 'file') return things.file;
  if (n === 'document') return things.document;
  if (/package/.test(n)) return things.package;
  const place: [RegExp, string][] = [
    [/^\/users\/bulk-add-events/, things.bulk],
    [/^\/users\//, things.user],
    [/course-categories/, things.category],
    [/\/tags\//, things.tag],
    [/\/roles/, things.role],
    [/\/types/, things.type],
    [/^\/entities/, things.entity],
    [/^\/system\/message/, things.entity],
    [/attempt/, things.attempt],
    [/^\/results/, things.result],
    [/^\/compliance/, things.compliance],
    [/^\/importer/, things.import],
    [/^\/jobs/, things.job],
    [/^\/courses/, things.course],
    [/^\/lessons/, things.lesson],
    [/^\/topics/, things.topic],
    [/^\/quizzes/, things.quiz],
    [/^\/designed-contents/, things.design],
    [/^\/content|^\/feedback/, things.content],
    [/^\/learner-feedback/, things.feedback],
    [/^\/h5ps/, things.h5p],
    [/^\/packages/, things.package],
    [/^\/care-cert/, things.certificate],
    [/^\/care-samples/, things.sample],
    [/^\/historical-care/, things.historical],
    [/^\/care-evidence/, things.file],
    [/^\/refusals|^\/held-work/, things.refusal],
    [/^\/training-sessions/, things.session],
    [/^\/bookings\/own/, things.delegate],
    [/^\/bookings/, things.booking],
    [/^\/venues/, things.venue],
    [/^\/marketplace/, things.item],
    [/^\/training-orders/, things.order],
    [/^\/training-prices/, things.trainingClient],
    [/^\/inspections/, things.inspection],
    [/^\/reports\/presets/, things.preset],
    [/^\/reports\/schedules/, things.schedule],
    [/^\/reports\/deliveries/, things.delivery],
  ];
  return place.find(([pattern]) => pattern.test(path))?.[1] ?? things.user;
};

type Json = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
  items?: Json;
  minItems?: number;
  properties?: Record<string, Json>;
  required?: string[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maxLength?: number;
  default?: unknown;
};
/** A valid value for a schema, with ids of the House's data. */
const sample = (schema: Json, name: string, path: string): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return sample(choices.find((c) => c.type !== 'null') ?? (choices[0] as Json), name, path);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sample(part, name, path)));
  // A report that is narrowed by nothing has everything that the caller may see.
  if (schema.type === 'array' && path.startsWith('/reports/') && Array.isArray(schema.default)) return schema.default;
  if (schema.type === 'array') return schema.items ? [sample(schema.items, name, path)] : [];
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        // A report as a file is asked for where it has its own call.
        .filter(([field]) => field !== 'directFormat' && field !== 'emailFormat')
        .map(([field, of]) => [field, sample(of, field, path)]),
    );
  if (schema.type === 'boolean') return false;
  if (schema.type === 'integer' || schema.type === 'number') return name === 'permission_ids' ? 21 : Math.max(schema.minimum ?? 0, 1);
  if (schema.format === 'date') return '2026-01-02';
  const pattern = schema.pattern ?? '';
  if (pattern.includes('2[0-3]')) return name === 'endTime' ? '11:00' : '10:00';
  if (pattern.includes('[0-9a-f]{8}-')) return idFor(name, path);
  if (name === 'entityIds') return house;
  if (schema.format === 'email' || /email/.test(name)) return `${randomUUID()}@example.org`;
  if (pattern.includes('[a-z]{2,63}')) return 'example.org';
  if (pattern.includes('[A-Za-z0-9+/]{4}')) return 'AAAA';
  if (pattern.includes('https?')) return 'https://example.org';
  if (pattern.includes('T\\d\\d')) return '2026-01-02T03:04:05Z';
  if (pattern.includes('(19|20)')) return '2026-01-02';
  if (pattern.includes('#[0-9a-fA-F]')) return '#123456';
  if (/slug|organisation|entity$/.test(name) || pattern.includes('[a-z0-9][a-z0-9-]')) return 'willowbrook-house';
  if (pattern.includes('(M')) return 'M10 10L20 20';
  if (pattern.includes(',\\d')) return '0,1';
  if (name === 'time_zone') return 'Europe/London';
  if (name === 'renewal_on') return '03-31';
  return 'Something else';
};

/** Endpoints that start or end a session, or answer everyone alike; they have their own tests. */
const apart = new Set(['mobileLogout', 'lockSession', 'jobEvents']);
const order = { GET: 0, POST: 1, PATCH: 2, DELETE: 3 } as const;
export const operations = (endpoints as readonly Endpoint[])
  .filter((e) => e.access !== 'public' && !apart.has(e.id))
  .sort((a, b) => order[a.method] - order[b.method]);

/** Tables of what is said or noted beside a change: a call that only touches these has changed nothing. */
const aside = new Set([
  'sessions',
  'sign_in_failures',
  'outgoing_mail',
  'audit_log',
  'auth_events',
  'device_contacts',
  'settings',
  'jobs',
  'messages',
]);

const request = (e: Endpoint) => {
  const fill = (name: string): string => {
    if (name === 'name') return 'fire.svg';
    if (name === 'no') return '2';
    if (name === 'dashboard') return 'manager-dashboard';
    if (name === 'slug' || name === 'entity') return 'willowbrook-house';
    if (name === 'id' && e.path.startsWith('/permissions/')) return '21';
    return idFor(name, e.path);
  };
  const path = e.path.replace(/\{(\w+)\}/g, (_, name: string) => fill(name));
  const query = e.query ? (schemaOf(e.query, 'input').properties as Record<string, Json>) : {};
  // Lists, unfiltered and filtered by the House.
  const asked = Object.entries(query).filter(
    ([name, of]) => !['page', 'per_page', 'search', 'version'].includes(name) && !of.enum && name !== 'actingAs',
  );
  const required = e.query ? ((schemaOf(e.query, 'input').required as string[] | undefined) ?? []) : [];
  const params = new URLSearchParams();
  for (const [name, of] of Object.entries(query))
    if (required.includes(name) || asked.some(([n]) => n === name)) params.set(name, String(sample(of, name, e.path)));
  if (query.per_page) params.set('per_page', '100');
  const wide = new URLSearchParams([...params].filter(([name]) => required.includes(name) || name === 'per_page'));
  return { path, queries: [...new Set([params.toString(), wide.toString()])] };
};

const isId = (schema: Json): boolean =>
  (schema.pattern ?? '').includes('[0-9a-f]{8}-') ||
  [schema.items, ...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].some(
    (part) => part !== undefined && isId(part),
  );
/** The calls that may change something and name what it is, in their path or body. */
export const namingChanges = operations.filter(
  (e) => e.method !== 'GET' && (e.path.includes('{') || (e.body !== undefined && isId(schemaOf(e.body, 'input') as Json))),
);
/** Calls an endpoint with the House's data. */
const ask = (e: Endpoint, client: TestClient, headers: Record<string, string>, query = '') => {
  const { path } = request(e);
  const body = e.body ? sample(schemaOf(e.body, 'input') as Json, '', e.path) : undefined;
  const isForm = e.upload?.types.includes('multipart/form-data') === true;
  const payload = e.upload
    ? Buffer.from(isForm ? '--b\r\nContent-Disposition: form-data; name="companyName"\r\n\r\nTaken\r\n--b--\r\n' : 'email\nx@x.org\n')
    : body;
  const type = isForm ? 'multipart/form-data; boundary=b' : e.upload ? 'application/octet-stream' : 'application/json';
  return client.send(e.method, query ? `${path}?${query}` : path, payload, {
    ...headers,
    ...(payload === undefined ? {} : { 'content-type': type }),
  });
};

/** `outside`: may not receive anything of the organisation. */
export type Who = { name: string; client: TestClient; headers: Record<string, string>; outside: boolean };

/** Calls every endpoint of the contract with Willowbrook House's data. */
export const sweepOf = (server: TestApp) => {
  /** The answers of each endpoint, by caller in order. */
  const answers = new Map<string, string[]>();
  const all = permissions.map((p) => p.id);
  const give = (email: string, ids: readonly number[]) =>
    server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, unnest(${[...ids]}::int[]) from users where email = ${email} on conflict do nothing`,
    );
  const prepare = async () => {
    const { db } = server.database;
    const text = (what: string) => `${token} ${what}`;
    await db.run(
      sql`update entities set name = ${text('House')}, notes = ${text('notes')}, address = ${text('address')}, code = ${text('code')} where id = ${house}`,
    );
    await db.run(sql`update users set name = ${token} || ' ' || name where primary_entity_id = ${house}`);
    // What the demo's House has booked with the training company, and ordered of it, is told to that on purpose.
    const provider = demoId('entity:brightpath');
    const offered = sql`(select id from training_sessions where entity_id = ${provider})`;
    await forgetResults(db, sql`delegate_id in (select id from session_delegates where session_id in ${offered})`);
    await db.tx(async (tx) => {
      // Registers are only ever added to.
      await tx.run(sql`set local session_replication_role = replica`);
      const ofSessions = ['session_evaluations', 'register_completions', 'register_marks', 'session_waiting', 'session_delegates'];
      for (const what of [...ofSessions, 'booking_prices', 'booking_places'])
        await tx.run({ text: `delete from ${what} where session_id in ${offered.text}`, values: offered.values });
      await tx.run(sql`delete from bookings where provider_id = ${provider}`);
      const orders = sql`(select id from training_orders where provider_id = ${provider})`;
      await tx.run(sql`delete from training_licences where line_id in (select id from training_order_lines where order_id in ${orders})`);
      await tx.run(sql`delete from training_order_lines where order_id in ${orders}`);
      await tx.run(sql`delete from training_order_steps where order_id in ${orders}`);
      await tx.run(sql`delete from training_orders where provider_id = ${provider}`);
    });
    await plantThings(db, token, { entity: house, user: things.user, other: demoId('user:manager@willowbrook.test') }, things);
    // Moves the demo's data of these kinds to the House.
    const taken = async (statement: Statement) => (await db.one<{ id: string }>(statement))?.id as string;
    things.attempt = await taken(
      sql`select a.id from attempts a join users u on u.id = a.user_id where u.primary_entity_id = ${house} order by a.id limit 1`,
    );
    things.certificate = await taken(
      sql`select c.id from care_certificates c join users u on u.id = c.user_id where u.primary_entity_id = ${house} order by c.id limit 1`,
    );
    const { id: record } = (await db.one<{ id: string }>(
      sql`select id from observations where certificate_id = ${things.certificate} and kind = 'observation' order by id limit 1`,
    )) as { id: string };
    const manager = demoId('user:manager@willowbrook.test');
    await db.run(
      sql`insert into observation_samples (id, certificate_id, observation_id, chosen_by, chosen_at) values (${things.sample}, ${things.certificate}, ${record}, ${manager}, now())`,
    );
    await db.run(sql`insert into historical_certificates (id, user_id, achieved_on, issuer, note, added_by, added_at)
      values (${things.historical}, ${things.user}, '2020-01-01', ${text('issuer')}, ${text('note')}, ${manager}, now())`);
    await db.run(
      sql`insert into assessor_competence (user_id, standard, basis, noted_by, noted_at) values (${things.user}, '1', ${text('basis')}, ${manager}, now())`,
    );
    await db.run(sql`insert into care_evidence (id, certificate_id, bytes, uploaded_by, begun_at, received_at, fit, type, kept_bytes, hash, sent_hash)
      select ${things.file}, ${things.certificate}, 1, ${manager}, now(), now(), true, 'application/pdf', 1, hash, hash from media order by bytes limit 1`);
    await db.run(sql`insert into feedback (id, user_id, content_id, kind, message, state)
      values (${things.feedback}, ${things.user}, ${things.content}, 'question', ${text('asked')}, 'open')`);
    things.h5p = await taken(
      sql`update h5ps set entity_id = ${house}, title = ${text('h5p')} where id = (select id from h5ps order by id limit 1) returning id`,
    );
    things.package = await taken(
      sql`update packages set entity_id = ${house}, manifest = jsonb_set(manifest, '{title}', to_jsonb(${text('package')}::text)) where id = (select id from packages order by id limit 1) returning id`,
    );
  };
  /** All rows of the House in any table: with its token, its id or the id of its data. */
  const ownRows = async (): Promise<string[]> => {
    const people = await server.database.db.all<{ id: string }>(sql`select id from users where name like ${`${token}%`}`);
    const marks = [token, house, ...Object.values(things), ...people.map((p) => p.id)];
    const noise = new Set([
      'sessions',
      'sign_in_failures',
      'outgoing_mail',
      'audit_log',
      'one_time_tokens',
      'device_contacts',
      'copy_keys',
      'settings',
      'ledger',
    ]);
    const tables = await server.database.db.all<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    );
    const rows: string[] = [];
    for (const { name } of tables) {
      if (noise.has(name)) continue;
      const found = await server.database.db.all<{ row: string }>(
        // What the server itself sends people in the meantime.
        sql`select row from (select (to_jsonb(t) - '{reminded_at,link_sent}'::text[])::text as row from ${{ text: `"${name}"`, values: [] }} t) r where row like any(${marks.map((m) => `%${m}%`)}::text[])`,
      );
      // A refusal recorded for an outsider is their own, and names what they requested.
      const theirs = name === 'refusals' ? found.filter(({ row }) => people.some((p) => row.includes(`"user_id": "${p.id}"`))) : found;
      rows.push(...theirs.map(({ row }) => `${name} ${row}`));
    }
    return rows.sort();
  };
  const sweep = async ({ name, client, headers, outside }: Who) => {
    let seen = 0;
    for (const e of operations) {
      const { path, queries } = request(e);
      let status = 0;
      let sees = false;
      for (const query of queries) {
        const answer = await ask(e, client, headers, query);
        status = answer.statusCode;
        const here = answer.rawPayload.includes(token);
        sees ||= here;
        expect([name, e.id, status < 500], `${name} ${e.method} ${path}: ${status} ${answer.body.slice(0, 300)}`).toEqual([name, e.id, true]);
        if (outside) expect(here, `${name} received a text of the House by ${e.method} ${path}?${query}: ${answer.body.slice(0, 400)}`).toBe(false);
      }
      if (sees) seen++;
      answers.set(e.id, [...(answers.get(e.id) ?? []), `${status}${sees ? ' ●' : ''}`]);
    }
    const graph = await client.send(
      'POST',
      '/graphql',
      {
        query:
          '{ eventCounts { current overdue completed } activeEvents { data { id course_title } } completedEvents { data { id course_title } } courses(first: 100) { data { id title } } users(first: 100) { data { uuid name email role { name } primary_entity { name } } } entities(first: 100) { data { name } } roles { data { name entity { name } } } types { data { name } } contents(first: 100) { data { title course { title } } } bookings(first: 100) { data { id reference notes provider { name } client { name } } } training_sessions(first: 100) { data { id venue aim area course { name } trainer { name } delegates { name user { name } } } } pathways(first: 100) { data { name description entity { name } steps { course_title } people(first: 100) { data { name place } } allocations { user { name } role { name } } } } }',
      },
      headers,
    );
    // Outsiders' changes are refused without echoing names.
    for (const query of [
      `mutation { upsertPathway(input: { id: "${things.pathway}", name: "Taken", steps: [{ course_id: "${things.course}" }] }) { id name steps { course_title } } }`,
      `mutation { upsertPathway(input: { name: "Taken ${name}", steps: [{ course_id: "${things.course}" }] }) { id name steps { course_title } } }`,
      `mutation { allocatePathway(pathway_id: "${things.pathway}", kind: user, allocation_ids: ["${things.user}"]) { id name } }`,
      `mutation { allocatePathway(pathway_id: "${things.pathway}", kind: role, allocation_ids: ["${things.role}"]) { id name } }`,
      `mutation { deletePathway(id: "${things.pathway}") }`,
      `{ booking(id: "${things.booking}") { reference notes sessions { course { name } places { user { name } } } history { words } } }`,
      `mutation { upsertBooking(input: { id: "${things.booking}", notes: "Taken" }) { reference notes } }`,
      `mutation { upsertBooking(input: { training_session_ids: ["${things.session}"], user_ids: ["${things.user}"] }) { reference sessions { venue } } }`,
      `mutation { cancelBooking(id: "${things.booking}", cancellation_reason: "Taken") { reference } }`,
      `mutation { upsertTrainingSession(input: { id: "${things.session}", aim: "Taken" }) { venue aim } }`,
      `mutation { completeTrainingSession(id: "${things.session}") { venue delegates { name } } }`,
      `mutation { completeTrainingSession(id: "${things.session}", incomplete: true, reason: "Taken") { venue } }`,
      `mutation { updateDelegate(id: "${things.delegate}", accepted: true) { name user { name } } }`,
      `mutation { updateDelegate(id: "${things.delegate}", deleted: true) { name } }`,
      `mutation { copyDelegates(id: "${things.session}", training_session_id: "${things.session}") { booked { name } } }`,
      `{ user(id: "${things.user}") { name email } }`,
      `mutation { createUser(input: { name: "Taken", email: "taken@elsewhere.test", primary_entity_id: "${things.entity}" }) { name primary_entity { name } } }`,
      `mutation { updateUser(input: { id: "${things.user}", name: "Taken" }) { name email } }`,
      `{ entity(id: "${things.entity}") { name above { name } } }`,
      `mutation { upsertEntity(input: { id: "${things.entity}", code: "Taken" }) { name code } }`,
      `mutation { upsertEntity(input: { name: "Taken ${name}", level: "B", parent_id: "${things.entity}" }) { name parent { name } } }`,
      '{ roles(entity: "willowbrook-house") { data { name } } }',
      '{ types(entity: "willowbrook-house") { data { name } } }',
      `{ pathway(id: "${things.pathway}") { name progress { people } people { data { name } } } }`,
    ]) {
      if (!outside) continue;
      const answer = await client.send('POST', '/graphql', { query }, headers);
      expect(answer.body, `${name} by GraphQL: ${query}`).not.toContain(token);
      const { errors, code } = answer.json<{ errors?: unknown[]; code?: string }>();
      expect(errors?.length === 1 || code !== undefined, `${name} by GraphQL: ${query}`).toBe(true);
    }
    if (outside) expect(graph.rawPayload.includes(token), `${name} by GraphQL: ${graph.body.slice(0, 300)}`).toBe(false);
    else if (graph.rawPayload.includes(token)) seen++;
    return seen;
  };

  const { db } = server.database;
  /** Counts the rows that statements touch from now on, whether they commit or not. */
  const countRows = async () => {
    await db.run(sql`create sequence touched_rows minvalue 0 start 0`);
    await db.run(sql`create function touch_row() returns trigger language plpgsql security definer set search_path = public as $$
      begin perform nextval('touched_rows'); return null; end $$`);
    const tables = await db.all<{ name: string }>(
      sql`select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    for (const { name } of tables)
      if (!aside.has(name))
        await db.run({
          text: `create trigger touch_row after insert or update or delete on "${name}" for each row execute function touch_row()`,
          values: [],
        });
  };
  const touchedRows = async () => (await db.one<{ n: number }>(sql`select last_value as n from touched_rows`))?.n ?? 0;
  /**
   * Makes every call that names what it changes, except `except`. Returns those that answered as done and touched no row: of the data, or of the
   * history of results, attempts and registers. What is only said beside it (sessions, e-mails, the audit log) does not count.
   */
  const answeredForNothing = async ({ name, client, headers }: Omit<Who, 'outside'>): Promise<string[]> => {
    const found: string[] = [];
    for (const e of namingChanges) {
      const before = await touchedRows();
      const answer = await ask(e, client, headers, request(e).queries[0]);
      expect(answer.statusCode, `${name} ${e.method} ${e.path}: ${answer.body.slice(0, 300)}`).toBeLessThan(500);
      if (answer.statusCode < 300 && (await touchedRows()) === before) found.push(e.id);
    }
    return found;
  };

  return { prepare, giveEverything: (email: string) => give(email, all), ownRows, sweep, answers, countRows, answeredForNothing };
};
