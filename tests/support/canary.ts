import { type Db, sql } from '#server/db/sql.ts';
import { demoId } from '#server/db/demo/authoring.ts';

type Things = Record<
  | 'role'
  | 'type'
  | 'course'
  | 'content'
  | 'category'
  | 'tag'
  | 'compliance'
  | 'import'
  | 'bulk'
  | 'result'
  | 'message'
  | 'evidence'
  | 'pathway'
  | 'session'
  | 'delegate'
  | 'mark'
  | 'job'
  | 'booking'
  | 'venue'
  | 'item'
  | 'order'
  | 'line'
  | 'licence'
  | 'inspection'
  | 'layout'
  | 'preset'
  | 'schedule'
  | 'delivery'
  | 'lesson'
  | 'topic'
  | 'quiz'
  | 'question'
  | 'design'
  | 'trainingClient'
  | 'document',
  string
>;
type Place = { entity: string; user: string; other: string };

/** Creates one of each kind of data for an organisation, with a token in every text. */
export const plantThings = async (db: Db, token: string, place: Place, ids: Things): Promise<void> => {
  const text = (what: string) => `${token} ${what}`;
  await db.run(sql`insert into roles (id, entity_id, name) values (${ids.role}, ${place.entity}, ${text('role')})`);
  await db.run(sql`insert into types (id, entity_id, name) values (${ids.type}, ${place.entity}, ${text('type')})`);
  await db.run(sql`insert into courses (id, title, short_title, entity_id) values (${ids.course}, ${text('course')}, ${text('c')}, ${place.entity})`);
  await db.run(
    sql`insert into contents (id, course_id, type, title, published, current_version, entity_id) values (${ids.content}, ${ids.course}, 'elearning', ${text('content')}, true, 1, ${place.entity})`,
  );
  await db.run(sql`insert into content_versions (content_id, version, document, answer_keys)
    select ${ids.content}, 1, jsonb_set(jsonb_set(document, '{title}', to_jsonb(${text('document')}::text)), '{id}', to_jsonb(${ids.content}::text)), answer_keys from content_versions
    join contents c on c.id = content_id where c.type = 'elearning' and c.entity_id <> ${place.entity} limit 1`);
  await db.run(sql`insert into lessons (id, entity_id, title) values (${ids.lesson}, ${place.entity}, ${text('lesson')})`);
  await db.run(sql`insert into topics (id, entity_id, title, blocks) values (${ids.topic}, ${place.entity}, ${text('topic')},
    ${JSON.stringify([{ kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: text('block') }] }] } }])})`);
  await db.run(sql`insert into quizzes (id, entity_id, title) values (${ids.quiz}, ${place.entity}, ${text('quiz')})`);
  await db.run(sql`insert into questions (id, quiz_id, place, question, answer_key) values (${ids.question}, ${ids.quiz}, 1,
    ${JSON.stringify({ id: ids.question, kind: 'true_false', prompt: text('question') })}, ${JSON.stringify({ kind: 'true_false', value: true, feedback: text('feedback') })})`);
  await db.run(
    sql`insert into contents (id, course_id, type, title, designed, current_version, entity_id) values (${ids.design}, ${ids.course}, 'elearning', ${text('designed')}, true, 0, ${place.entity})`,
  );
  const page = { id: ids.design, title: text('page'), required: true, rows: [] };
  await db.run(
    sql`insert into designs (content_id, design) values (${ids.design}, ${JSON.stringify({ theme: 'plain', pass_percent: 80, max_tries: 0, pages: [page] })})`,
  );
  await db.run(sql`insert into content_lessons (content_id, lesson_id, place) values (${ids.content}, ${ids.lesson}, 1)`);
  await db.run(sql`insert into content_quizzes (content_id, quiz_id, place) values (${ids.content}, ${ids.quiz}, 1)`);
  await db.run(sql`insert into lesson_topics (lesson_id, topic_id, place) values (${ids.lesson}, ${ids.topic}, 1)`);
  await db.run(
    sql`insert into content_files (entity_id, hash, name) select ${place.entity}, hash, ${text('file')} from media order by bytes limit 1`,
  );
  await db.run(sql`insert into course_categories (id, entity_id, name) values (${ids.category}, ${place.entity}, ${text('category')})`);
  await db.run(sql`insert into tags (id, entity_id, name) values (${ids.tag}, ${place.entity}, ${text('tag')})`);
  await db.run(sql`insert into compliance (id, role_id, course_id, type) values (${ids.compliance}, ${ids.role}, ${ids.course}, 'primary')`);
  await db.run(sql`insert into imports (id, entity_id, actor_id, address, kind, file_name, format, columns, mapping, options, state, total, created_at)
    values (${ids.import}, ${place.entity}, ${place.user}, '', 'people', ${text('file')}, '"CSV"', '["a"]', '{}', '{"update_existing":true,"send_welcome_email":false}', 'done', 1, now())`);
  await db.run(sql`insert into jobs (id, kind, key, subject, entity_id, owner_id, state, next_at, asked_at, changed_at, ended_at)
    values (${ids.job}, 'import', ${ids.import}, ${text('job')}, ${place.entity}, ${place.user}, 'done', now(), now(), now(), now())`);
  await db.run(
    sql`insert into import_rows (import_id, no, place, cells, action, name, problems) values (${ids.import}, 2, 2, ${JSON.stringify([text('cell')])}, 'refused', ${text('row')}, '[]')`,
  );
  await db.run(
    sql`insert into bulk_events (id, entity_id, actor_id, course_id, type, completed_on, note, created_at) values (${ids.bulk}, ${place.entity}, ${place.user}, ${ids.course}, 'exempt', '2026-01-01', ${text('note')}, now())`,
  );
  await db.run(sql`insert into inspections (id, entity_id, name, asked, chosen, asked_by, asked_at, frozen_at, hash, manifest, signature, data_hash, pdf_hash, zip_hash, pdf_bytes, zip_bytes)
    select ${ids.inspection}, ${place.entity}, ${text('pack')}, '{}', ${text('chosen')}, ${place.user}, now(), now(), encode(sha256(${ids.inspection}::text::bytea), 'hex'),
      ${text('manifest')}, '{"algorithm":"Ed25519","public_key":"","signature":""}', hash, hash, hash, bytes, bytes from media order by bytes limit 1`);
  await db.run(sql`insert into evidence (id, hash, name, type, bytes, entity_id, uploaded_by, created_at)
    select ${ids.evidence}, hash, ${text('evidence')}, 'application/pdf', 1, ${place.entity}, ${place.user}, now() from media order by bytes limit 1`);
  await db.run(sql`update bulk_events set evidence_id = ${ids.evidence} where id = ${ids.bulk}`);
  // A message tells of a change, in its transaction.
  await db.tx(async (tx) => {
    await tx.run(
      sql`insert into results (id, user_id, course_id, type, completed_at, evidence_id, note) values (${ids.result}, ${place.user}, ${ids.course}, 'historical', now(), ${ids.evidence}, ${text('result note')})`,
    );
    await tx.run(
      sql`insert into messages (id, sender_id, recipient_id, message, sent_at, received_at) values (${ids.message}, ${place.user}, ${place.other}, ${text('message')}, now(), now())`,
    );
  });
  await db.run(
    sql`insert into pathways (id, entity_id, name, description, created_at, updated_at) values (${ids.pathway}, ${place.entity}, ${text('pathway')}, ${text('about it')}, now(), now())`,
  );
  await db.run(sql`insert into pathway_steps (pathway_id, place, course_id) values (${ids.pathway}, 0, ${ids.course})`);
  await db.run(
    sql`insert into pathway_allocations (id, pathway_id, user_id, allocated_on, allocated_by) values (gen_random_uuid(), ${ids.pathway}, ${place.user}, '2026-01-01', ${place.other})`,
  );
  await db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, area, grading_method, created_by, created_at)
    values (${ids.session}, ${place.entity}, ${ids.course}, ${place.other}, current_date + 1, '09:00', '12:00', ${text('venue')}, '', ${text('aim')}, ${text('area')}, 'attendance', ${place.user}, now())`);
  await db.run(sql`insert into venues (id, entity_id, name, address, step_free, hearing_loop, parking, access_notes)
    values (${ids.venue}, ${place.entity}, ${text('venue')}, ${text('address')}, true, true, true, ${text('access')})`);
  await db.run(sql`insert into venue_rooms (id, venue_id, name, capacity, place) values (${ids.venue}, ${ids.venue}, ${text('room')}, 12, 0)`);
  await db.run(sql`insert into marketplace_items (id, entity_id, type, course_id, title, description, price_pence, vat_rate, seats, licence_months, platform_share, published, available_to, created_by, created_at, changed_at)
    values (${ids.item}, ${place.entity}, 'elearning', ${ids.course}, ${text('item')}, ${text('about it')}, 1000, 20, 10, 12, 20, false, 'all', ${place.user}, now(), now())`);
  await db.run(sql`insert into training_orders (id, entity_id, provider_id, state, reference, note, created_by, created_at, submitted_at, approved_at, gross_pence)
    select ${ids.order}, ${place.entity}, l.id, 'fulfilled', ${text('reference')}, ${text('note')}, ${place.user}, now(), now(), now(), 1200 from entities l where l.slug = 'lantern'`);
  await db.run(sql`insert into training_order_lines (id, order_id, item_id, place, quantity, title, type, course_id, price_pence, vat_rate, seats, licence_months, platform_share)
    values (${ids.line}, ${ids.order}, ${ids.item}, 0, 1, ${text('line')}, 'elearning', ${ids.course}, 1000, 20, 10, 12, 20)`);
  await db.run(
    sql`insert into training_order_steps (id, order_id, step, reason, by_id, at) values (${ids.order}, ${ids.order}, 'submit', ${text('reason')}, ${place.user}, now())`,
  );
  await db.run(sql`insert into training_licences (id, order_id, line_id, entity_id, course_id, for_all, user_id, assigned_by, assigned_at, created_at)
    values (${ids.licence}, ${ids.order}, ${ids.line}, ${place.entity}, ${ids.course}, false, ${place.user}, ${place.other}, now(), now())`);
  await db.run(sql`insert into training_budgets (entity_id, year, amount_pence, changed_by, changed_at)
    values (${place.entity}, extract(year from now())::int, 100000, ${place.user}, now()) on conflict do nothing`);
  await db.run(sql`insert into session_delegates (id, session_id, user_id, name, note, added_by, added_at)
    values (${ids.delegate}, ${ids.session}, ${place.user}, ${text('delegate')}, ${text('note')}, ${place.other}, now())`);
  for (const [id, audience] of [
    [ids.document, 'delegates'],
    [ids.session, 'trainers'],
  ] as const)
    await db.run(sql`insert into session_documents (id, session_id, shared_id, name, ending, type, bytes, hash, audience, added_by, added_at)
      select ${id}, ${ids.session}, ${id}, ${text(`document for ${audience}`)}, 'pdf', 'application/pdf', bytes, hash, ${audience}, ${place.other}, now() from media order by bytes limit 1`);
  await db.run(sql`insert into bookings (id, provider_id, client_id, number, reference, notes, requested_by, requested_at, cancellation_reason, created_by, created_at)
    values (${ids.booking}, ${place.entity}, ${place.entity}, 1, ${text('reference')}, ${text('notes')}, ${place.other}, now(), '', ${place.other}, now())`);
  await db.run(
    sql`insert into booking_places (id, booking_id, session_id, user_id) values (${ids.booking}, ${ids.booking}, ${ids.session}, ${place.user})`,
  );
  await db.run(sql`insert into register_marks (id, session_id, delegate_id, presence, note, by_id, at, received_at, seq)
    values (${ids.mark}, ${ids.session}, ${ids.delegate}, 'present', ${text('mark')}, ${place.other}, now(), now(), 1)`);
  await db.run(sql`update check_in_keys set key = ${text('check-in key')} where session_id = ${ids.session}`);
  await db.run(sql`insert into check_ins (id, session_id, user_id, at, step, received_at, late)
    values (${ids.mark}, ${ids.session}, ${place.user}, now(), 1, now(), false)`);
  await db.run(sql`insert into session_evaluations (session_id, user_id, course_rating, message, written_at, received_at)
    values (${ids.session}, ${place.user}, 4, ${text('how it was')}, now(), now())`);
  await db.run(sql`insert into register_reopenings (id, session_id, completions, reason, by_id, at)
    values (${ids.mark}, ${ids.session}, '{}', ${text('reopening')}, ${place.other}, now())`);
  await db.run(sql`insert into dashboard_layouts (rev, entity_id, dashboard, layout, changed_at)
    values (${ids.layout}, ${place.entity}, 'manager-dashboard', '[{"id":"views","hidden":true}]', now())`);
  const filter = JSON.stringify({ includeApproved: true, includeAwaitingApproval: true, includeOutstanding: true, includeWorkingTowards: true });
  await db.run(sql`insert into report_presets (id, owner_id, entity_id, report, name, filter, shared, changed_at)
    values (${ids.preset}, ${place.other}, ${place.entity}, 'care-certificate', ${text('preset')}, ${filter}, true, now())`);
  await db.run(sql`insert into report_schedules (id, owner_id, entity_id, name, report, filter, format, as_link, link_days, frequency, send_at, user_ids, role_ids, addresses, next_at, changed_at)
    values (${ids.schedule}, ${place.other}, ${place.entity}, ${text('schedule')}, 'care-certificate', ${filter}, 'pdf', true, 7, 'daily', '07:00', ${[place.user]}::uuid[], '{}', '{}', '2999-01-01', now())`);
  await db.run(sql`insert into report_deliveries (id, schedule_id, owner_id, entity_id, title, report, filter, search, format, as_link, link_days, due_at, state, file_name, expires_at)
    values (${ids.delivery}, ${ids.schedule}, ${place.other}, ${place.entity}, ${text('delivery')}, 'care-certificate', ${filter}, '', 'pdf', true, 7, now(), 'sent', ${text('file')}, '2999-01-01')`);
  await db.run(sql`insert into report_delivery_people (delivery_id, user_id) values (${ids.delivery}, ${place.user})`);
  const preferences = JSON.stringify([{ kind: 'booked', email: true, text: text('booked') }]);
  await db.run(sql`insert into training_company_settings (entity_id, bookings_organiser_reference_prefix, communication_preferences_json, updated_at, updated_by)
    values (${place.entity}, ${text('prefix')}, ${preferences}, now(), ${place.user})`);
  await db.run(sql`insert into training_clients (id, provider_id, client_id, added_by, added_at)
    values (${ids.trainingClient}, ${place.entity}, ${demoId('entity:lantern')}, ${place.user}, now())`);
  await db.run(
    sql`insert into calendar_feeds (user_id, secret_hash, made_at, reads_since) values (${place.user}, ${text('calendar feed')}, now(), now())`,
  );
  await db.run(sql`update users set is_trainer = true where id = ${place.user}`);
  const away = JSON.stringify([{ from: '2026-01-01', to: '2026-01-02', reason: text('away') }]);
  await db.run(sql`insert into trainers (user_id, home_base, away, updated_at, updated_by)
    values (${place.user}, ${text('home base')}, ${away}, now(), ${place.other})`);
  await db.run(sql`insert into trainer_courses (user_id, course_id) values (${place.user}, ${ids.course})`);
  await db.run(sql`insert into training_client_invitations (id, provider_id, code_hash, name, email, created_by, created_at, expires_at)
    values (${ids.trainingClient}, ${place.entity}, ${text('hash')}, ${text('invited')}, ${text('mail')}, ${place.user}, now(), '2999-01-01')`);
  await db.run(sql`insert into training_prices (id, entity_id, course_id, per_person_pence, vat_rate, valid_from)
    values (${ids.trainingClient}, ${place.entity}, ${ids.course}, 4500, 20, '2026-01-01')`);
  await db.run(sql`insert into tag_users (tag_id, user_id) values (${ids.tag}, ${place.user})`);
};

/** The token in every text of the canary organisation. */
export const canary = 'CANARY-quarry-51c8';

/** Adds that organisation; only super administrators may receive any of its data. */
export const plantCanary = async (db: Db): Promise<void> => {
  const id = (what: string) => demoId(`canary:${what}`);
  const entity = id('entity');
  await db.run(
    sql`insert into entities (id, name, slug, level, notes, address, code) values (${entity}, ${`${canary} House`}, 'quarry', 'A', ${canary}, ${canary}, ${canary})`,
  );
  await db.run(sql`insert into whitelabels (entity_id, document) values (${entity}, ${JSON.stringify({ companyName: canary })})`);
  for (const name of ['Ivo', 'Mira'])
    await db.run(
      sql`insert into users (id, name, email, primary_entity_id) values (${id(name)}, ${`${canary} ${name}`}, ${`${name.toLowerCase()}@quarry.test`}, ${entity})`,
    );
  const names = [
    'role',
    'type',
    'course',
    'content',
    'category',
    'tag',
    'compliance',
    'import',
    'bulk',
    'result',
    'message',
    'evidence',
    'pathway',
    'session',
    'delegate',
    'mark',
    'job',
    'booking',
    'venue',
    'item',
    'order',
    'line',
    'licence',
    'inspection',
    'layout',
    'preset',
    'schedule',
    'delivery',
    'lesson',
    'topic',
    'quiz',
    'question',
    'design',
    'trainingClient',
    'document',
  ] as const;
  await plantThings(db, canary, { entity, user: id('Ivo'), other: id('Mira') }, Object.fromEntries(names.map((n) => [n, id(n)])) as Things);
  await db.run(sql`insert into audit_log (id, at, actor_id, entity_id, action, subject_kind, subject_id, subject_name, after, address)
    values (${id('audit')}, now(), ${id('Ivo')}, ${entity}, 'created', 'user', ${id('Mira')}, ${canary}, ${JSON.stringify({ name: canary })}, '127.0.0.1')`);
};
