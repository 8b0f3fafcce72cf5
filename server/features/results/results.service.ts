import { createHash, randomUUID } from 'node:crypto';
import type * as z from 'zod/mini';
import type { decideResults, listResults } from '#contract/api/results.ts';
import { readSort } from '#contract/api/sorts.ts';
import type { BodyOf, QueryOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import type {
  NewResults,
  Result,
  ResultChange,
  ResultCorrection,
  ResultProblem,
  ResultStatus,
  ResultType,
  resultOrigins,
} from '#contract/entities/result.ts';
import { dayIn, defaultTimeZone } from '#contract/rules/days.ts';
import { completionOf, endOfValidity, expiryOf, type Renewal } from '#contract/rules/result-dates.ts';
import { contains, countOf, existing, orderBy, pagePart, pagesOf, updateRows } from '#server/db/rows.ts';
import { hasCourseHere, listedPerson, personAt, visiblePerson } from '#server/db/seen.ts';
import { type Db, often, type Statement, sql, type Value } from '#server/db/sql.ts';
import { messagesOf } from '#server/features/messages/messages.service.ts';
import { tellOfDecisions } from '#server/features/results/decisions.service.ts';
import { recordOf, resultsWhere, seesDeleted, versionsOf } from '#server/features/results/results.rows.ts';
import { evidenceIsAskedBy } from '#server/features/users/evidence.service.ts';
import type { Actor } from '#server/actor.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

export type NewResult = {
  /** Only where the same result may arrive twice. */
  id?: string;
  user_id: string;
  course_id: string;
  content_id?: string | null;
  content_version?: number | null;
  type: ResultType;
  origin: (typeof resultOrigins)[number];
  status?: Extract<ResultStatus, 'approved' | 'pending'>;
  /** An instant, or a date (YYYY-MM-DD), which means noon. */
  completed: string;
  /** The time zone of the dates. Default: that of the person's organisation. */
  zone?: string;
  /** The end of validity; by default from the rule of the job roles or the course. */
  expires_at?: string | null;
  expiry?: Result['expiry'];
  score?: number | null;
  attempt_id?: string;
  delegate_id?: string;
  evidence_id?: string | null;
  note?: string;
  minutes?: number | null;
  certificate_suppressed?: boolean;
  cpd_hours?: number | null;
  /** Who entered it; null if nobody did. */
  recorded_by?: string | null;
};

export type Rule = { zone: string | null; months: number | null; kind: Renewal['kind'] | null; window: number | null; on: string | null };
const renewalOf = ({ months, kind, window, on }: Rule): Renewal => ({ months, kind: kind ?? 'rolling', window: window ?? 0, on });

/**
 * The renewal rules of people's courses, from their job roles or else the courses, in the order of `pairs`. `offset 0`: each person is looked
 * up by their id; joined with a list, which the database takes for a hundred rows, all people would be read.
 */
const rulesOf = (tx: Db, pairs: readonly { user_id: string; course_id: string }[], now: Date) =>
  tx.all<Rule>(
    often(sql`select h.time_zone as zone, coalesce(r.renewal_months, k.renewal_months) as months,
      coalesce(r.renewal_kind, k.renewal_kind) as kind, case when r.renewal_kind is null then k.renewal_window else r.renewal_window end as "window",
      case when r.renewal_kind is null then k.renewal_on else r.renewal_on end as "on"
    from jsonb_to_recordset(${JSON.stringify(pairs.map(({ user_id, course_id }, no) => ({ no, user_id, course_id })))}::jsonb) as n (no int, user_id uuid, course_id uuid)
    left join lateral (select e.time_zone from users u join entity_names e on e.id = u.primary_entity_id where u.id = n.user_id offset 0) h on true
    left join courses k on k.id = n.course_id
    left join lateral (select q.id from required_of(n.user_id, ${now}::timestamptz) q where q.course_id = n.course_id) q on true left join compliance r on r.id = q.id order by n.no`),
  );

/** When the result before each one expires. */
const previousOf = (tx: Db, pairs: readonly { user_id: string; course_id: string; completed_at: string }[]) =>
  tx.all<{ expires_at: string | null }>(sql`select p.expires_at
    from jsonb_to_recordset(${JSON.stringify(pairs.map((a, no) => ({ no, ...a })))}::jsonb) as n (no int, user_id uuid, course_id uuid, completed_at timestamptz)
    left join lateral (select c.expires_at from current_results c where c.user_id = n.user_id and c.course_id = n.course_id and c.completed_at < n.completed_at
      order by c.completed_at desc, c.created_at desc limit 1) p on true order by n.no`);

/**
 * Adds results to training records; the only way to do so. Their validity follows from the person's job roles, else from the course; an
 * exemption does not expire unless it has an end. An attempt or a delegate has one result: a second one, or a known id, is not added.
 * Returns the ids in the order of `results`.
 */
export const recordResults = async (tx: Db, results: readonly NewResult[], now: Date): Promise<string[]> => {
  if (results.length === 0) return [];
  const rules = await rulesOf(tx, results, now);
  const dated = results.map(({ completed, zone: given, ...result }, i) => {
    const rule = rules[i] as Rule;
    const zone = given ?? rule.zone ?? defaultTimeZone;
    return { result, rule, zone, completed_at: completed.length === 10 ? completionOf(completed, zone) : completed };
  });
  const renews = dated.some(({ rule }) => rule.kind === 'window');
  const previous = renews
    ? await previousOf(
        tx,
        dated.map(({ result: { user_id, course_id }, completed_at }) => ({ user_id, course_id, completed_at })),
      ) // prettier-ignore
    : [];
  // Several results of one course at once: each follows the one before it.
  const last = new Map<string, string | null>();
  const inTime = dated.map((_, i) => i).sort((a, b) => ((dated[a]?.completed_at ?? '') < (dated[b]?.completed_at ?? '') ? -1 : 1));
  const ends: (string | null)[] = [];
  for (const i of inTime) {
    const { result, rule, zone, completed_at } = dated[i] as (typeof dated)[number];
    const key = `${result.user_id} ${result.course_id}`;
    const before = last.has(key) ? (last.get(key) ?? null) : (previous[i]?.expires_at ?? null);
    ends[i] = result.type === 'exempt' ? null : expiryOf(completed_at, before, renewalOf(rule), zone);
    last.set(key, result.expires_at === undefined ? (ends[i] ?? null) : result.expires_at);
  }
  const rows = dated.map(({ result, completed_at }, i) => ({
    ...{
      id: randomUUID(),
      status: 'approved',
      note: '',
      expiry: result.type === 'exempt' ? 'never' : 'rule',
      expires_at: ends[i],
      certificate_suppressed: false,
      ...result,
      completed_at,
    },
    change: result.status === 'pending' ? 'submitted' : 'recorded',
  }));
  const insert = sql`insert into results (id, user_id, course_id, content_id, content_version, attempt_id, type, origin, status, completed_at, expiry, expires_at, score, delegate_id, evidence_id,
      note, minutes, cpd_hours, recorded_by, certificate_suppressed, created_at, change, changed_at, changed_by)
    select r.id, r.user_id, r.course_id, r.content_id, r.content_version, r.attempt_id, r.type, r.origin, r.status, r.completed_at, r.expiry, r.expires_at, r.score, r.delegate_id, r.evidence_id,
      r.note, r.minutes, r.cpd_hours, r.recorded_by, r.certificate_suppressed, ${now}::timestamptz, r.change, ${now}::timestamptz, r.recorded_by
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, user_id uuid, course_id uuid, content_id uuid, content_version integer, attempt_id uuid, type text, origin text,
      status text, completed_at timestamptz, expiry text, expires_at timestamptz, score integer, delegate_id uuid, evidence_id uuid, note text, minutes integer, cpd_hours numeric, recorded_by uuid, certificate_suppressed boolean, change text)
    on conflict do nothing`;
  await tx.run(often(insert));
  return rows.map((r) => r.id);
};

type Change = { change: ResultChange; by: string | null; reason?: string };
/** Changes results (`results r` in `where`); the previous version stays in their history. Returns how many. */
export const changeResults = (tx: Db, where: Statement, values: Record<string, Value | undefined>, { change, by, reason = '' }: Change, now: Date) =>
  updateRows(tx, 'results', { ...values, change, changed_by: by, changed_at: now, change_reason: reason }, where);

/** A result that counts, with the fields for its dates. */
export type Dated = { id: string; user_id: string; course_id: string; completed_at: string; expires_at: string | null; expiry: Result['expiry'] };
/** Results (`r` in `where`) that count, in the order in which their expiry is computed. */
export const datedWhere = (on: Db, where: Statement, lock: Statement = sql``): Promise<Dated[]> =>
  on.all<Dated>(sql`select r.id, r.user_id, r.course_id, r.completed_at, r.expires_at, r.expiry from results r
    where r.status = 'approved' and ${where} order by r.user_id, r.course_id, r.completed_at, r.created_at, r.id ${lock}`);

/** The results (`datedWhere`) whose expiry differs under these rules, with the new one. A manually set expiry stays. */
export const redatedResults = (held: readonly Dated[], ruleOf: (result: Dated, i: number) => Rule): { id: string; expires_at: string | null }[] => {
  const last = new Map<string, string | null>();
  return held.flatMap((result, i) => {
    const { id, user_id, course_id, completed_at } = result;
    const rule = ruleOf(result, i);
    const key = `${user_id} ${course_id}`;
    const fixed = result.expiry !== 'rule';
    const expires_at = fixed ? result.expires_at : expiryOf(completed_at, last.get(key) ?? null, renewalOf(rule), rule.zone ?? defaultTimeZone);
    last.set(key, expires_at);
    return fixed || expires_at === result.expires_at ? [] : [{ id, expires_at }];
  });
};

/**
 * Redates results (`r` in `where`) of people by the current rules, in the order of completion. Results with a manually set expiry, and
 * those that do not count, stay. Returns how many changed.
 */
export const redateResults = async (tx: Db, where: Statement, { by, reason }: { by: string | null; reason: string }, now: Date): Promise<number> => {
  const lockedResults = await datedWhere(tx, where, sql`for update of r`);
  const rules = await rulesOf(tx, lockedResults, now);
  const redated = redatedResults(lockedResults, (_, i) => rules[i] as Rule);
  await tx.run(sql`update results r set expires_at = n.expires_at, change = 'redated', changed_by = ${by}, changed_at = ${now}, change_reason = ${reason}
    from jsonb_to_recordset(${JSON.stringify(redated)}::jsonb) as n (id uuid, expires_at timestamptz) where r.id = n.id`);
  return redated.length;
};

/** The id of one of the results that a client records at once: the same for the same call. */
const idIn = (batch: string, userId: string, courseId: string): string => {
  const hex = createHash('sha256').update(`result:${batch}:${userId}:${courseId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const order = {
  completed_at: sql`r.completed_at`,
  expires_at: sql`r.expires_at`,
  name: sql`u.name`,
  course: sql`c.title`,
  recorded_at: sql`r.created_at`,
};
/** Whether `r` is of one of these people, who are looked up once and not for each result. */
const ofPeople = (ids: Statement): Statement => sql`r.user_id = any(array(${ids}))`;
/** Where the columns of an order are, if not on the result. */
const orderJoins: Partial<Record<string, Statement>> = {
  name: sql`join users u on u.id = r.user_id`,
  course: sql`join course_titles c on c.id = r.course_id`,
};
const auditFields = ({ completed_at, expires_at, score, note, type, status, certificate_suppressed }: Result) => ({
  ...{ type, status, completed_at, expires_at, score, note, certificate_suppressed },
});

/** Training records: read, entered, corrected, decided, deleted. */
export const resultsOf = (services: Services) => {
  const { db, now } = services;
  const byId = async (on: Db, actor: Actor, id: string): Promise<Result> =>
    existing((await resultsWhere(on, sql`r.id = ${id} and ${visiblePerson(actor)} and ${seesDeleted(actor)}`, sql`r.id`, 1))[0]);
  const locked = async (tx: Db, actor: Actor, id: string): Promise<Result & { delegate_id: string | null }> => {
    const { delegate_id } = existing(
      await tx.one<{ delegate_id: string | null }>(
        sql`select r.delegate_id from results r join users u on u.id = r.user_id where r.id = ${id} and ${visiblePerson(actor)} for update of r`,
      ),
    );
    return { ...(await byId(tx, actor, id)), delegate_id };
  };
  const whole = async (on: Db, actor: Actor, id: string) => ({ result: await byId(on, actor, id), history: await versionsOf(on, id) });
  /** Writes a change of a result into the audit log. */
  const note = async (tx: Db, by: By, before: Result, after: Result, action: 'updated' | 'deleted', reason: string) => {
    const place = existing(await tx.one<{ id: string }>(sql`select primary_entity_id as id from users where id = ${before.user.id}`));
    const subject = { kind: 'user' as const, id: before.user.id, name: before.user.name };
    const auditRecord = (result: Result, more: object) => ({ training_record: { course: result.course_title, ...auditFields(result), ...more } });
    await noteChange(tx, by, now(), { entityId: place.id, action, subject, before: auditRecord(before, {}), after: auditRecord(after, { reason }) });
  };
  const ownEvidence = async (tx: Db, actor: Actor, evidenceId: string | null) => {
    if (evidenceId && !(await tx.one(sql`select 1 as one from evidence where id = ${evidenceId} and uploaded_by = ${actor.user.uuid}`)))
      throw invalid('evidence_id', 'Choose the file again.');
  };
  /** Entered days as instants. Throws the problems with them. */
  const datesOf = (
    { completed_on, expiry, expires_on }: Pick<z.infer<typeof ResultCorrection>, 'completed_on' | 'expiry' | 'expires_on'>,
    zone: string,
  ) => {
    if (completed_on > dayIn(now(), zone)) throw invalid('completed_on', 'This day has not come yet.');
    if (expiry === 'day' && expires_on !== null && expires_on <= completed_on)
      throw invalid('expires_on', 'This has to be later than the date of completion.');
    return {
      completed_at: completionOf(completed_on, zone),
      expiry,
      ...(expiry === 'never' ? { expires_at: null } : expiry === 'day' && expires_on ? { expires_at: endOfValidity(expires_on, zone) } : {}),
    };
  };
  /** Changes a result if it is still the version that was seen, otherwise answers 409 with the current one. */
  const change = async (
    by: By,
    id: string,
    rev: number | null,
    make: (
      tx: Db,
      result: Result & { delegate_id: string | null },
    ) => Promise<{ values: Record<string, Value | undefined>; change: ResultChange; reason: string }>,
  ) =>
    db.tx(async (tx) => {
      const before = await locked(tx, by.actor, id);
      if (rev !== null && before.rev !== rev) throw new ProductError('rev_mismatch', { extra: { current: await whole(tx, by.actor, id) } });
      const { values, change: what, reason } = await make(tx, before);
      await changeResults(tx, sql`id = ${id}`, values, { change: what, by: by.actor.user.uuid, reason }, now());
      const after = await byId(tx, by.actor, id);
      await note(tx, by, before, after, what === 'deleted' ? 'deleted' : 'updated', reason);
      return whole(tx, by.actor, id);
    });
  const notOfARegister = ({ delegate_id }: { delegate_id: string | null }) => {
    if (delegate_id)
      throw new ProductError('in_use', { message: 'This result comes from the register of a training session. Change it in the register.' });
  };

  return {
    list: async (actor: Actor, { status, type, search, sort = '-recorded_at', ...asked }: QueryOf<typeof listResults>) => {
      const listed = actor.seesAll && !actor.actingAs ? sql`true` : ofPeople(sql`select u.id from users u where ${listedPerson(actor)}`);
      const found = search
        ? sql`(${ofPeople(sql`select u.id from users u where ${contains([sql`u.name`], search)}`)}
            or r.course_id = any(array(select c.id from course_titles c where ${contains([sql`c.title`], search)})))`
        : sql`true`;
      const where = sql`${listed} and r.status = ${status} and ${type ? sql`r.type = ${type}` : sql`true`} and ${found}`;
      const total = await countOf(db, sql`results r where ${where}`);
      const sorted = orderBy(sort, order, sql`r.id`);
      // Only the rows of the page are read whole: there can be a million.
      const page = await db.all<{ id: string }>(
        sql`select r.id from results r ${orderJoins[readSort(sort).by] ?? sql``} where ${where} order by ${sorted} ${pagePart(asked)}`,
      );
      const data = await resultsWhere(db, sql`r.id = any(${page.map((r) => r.id)}::uuid[])`, sorted, page.length);
      return { data, ...pagesOf('/api/results', asked, total) };
    },
    /** A person's whole record, newest first; deleted results only for people who may delete. As JSON text. */
    ofPerson: async (actor: Actor, userId: string): Promise<string> => {
      await personAt(db, actor, userId);
      return recordOf(db, actor, userId);
    },
    get: (actor: Actor, id: string) => whole(db, actor, id),
    /** Records the valid ones and returns the problems of the others. */
    create: (by: By, { id: batch, type, user_ids, course_ids, ...body }: z.infer<typeof NewResults>) =>
      db.tx(async (tx) => {
        const { actor } = by;
        await ownEvidence(tx, actor, body.evidence_id);
        type Person = { id: string; name: string; place: string; zone: string; left_on: string | null };
        const people =
          await tx.all<Person>(sql`select u.id, u.name, u.primary_entity_id as place, h.time_zone as zone, (u.disabled_at at time zone h.time_zone)::date::text as left_on
          from users u join entity_names h on h.id = u.primary_entity_id where u.id = any(${user_ids}::uuid[]) and ${visiblePerson(actor)} order by u.name, u.id`);
        if (people.length !== new Set(user_ids).size) throw invalid('user_ids', 'Choose people that you can see.');
        const courses = await tx.all<{ id: string; title: string }>(
          sql`select k.id, k.title from courses k where k.id = any(${course_ids}::uuid[]) and ${hasCourseHere(actor)} order by k.title, k.id`,
        );
        if (courses.length !== new Set(course_ids).size) throw invalid('course_ids', 'Choose courses that your organisation has.');
        const asking = body.evidence_id || type === 'exempt' ? [] : await evidenceIsAskedBy(tx, user_ids);
        if (asking.length > 0) throw invalid('evidence_id', `Evidence is asked for by ${asking.join(', ')}: add a file.`);
        const already = await tx.all<{ id: string; user_id: string; course_id: string }>(sql`select r.id, r.user_id, r.course_id
          from results r join users u on u.id = r.user_id join entity_names h on h.id = u.primary_entity_id
          where r.user_id = any(${user_ids}::uuid[]) and r.course_id = any(${course_ids}::uuid[]) and r.status in ('approved', 'pending')
            and (r.completed_at at time zone h.time_zone)::date = ${body.completed_on}`);
        const batchIds = people.flatMap((person) => courses.map((course) => idIn(batch, person.id, course.id)));
        const withdrawn = await tx.all<{ id: string }>(
          sql`select id from results where id = any(${batchIds}::uuid[]) and status in ('deleted', 'rejected')`,
        );
        const problems: ResultProblem[] = [];
        const good: { person: Person; course: { id: string; title: string }; id: string }[] = [];
        for (const person of people)
          for (const course of courses) {
            const id = idIn(batch, person.id, course.id);
            const existingResults = already.filter((a) => a.user_id === person.id && a.course_id === course.id);
            const problem = withdrawn.some((g) => g.id === id)
              ? 'This was recorded before, and deleted since.'
              : existingResults.length > 0 && existingResults.every((a) => a.id !== id)
                ? 'This course is recorded for them on that day already.'
                : person.left_on !== null && person.left_on < body.completed_on
                  ? 'They had left by then.'
                  : null;
            if (problem) problems.push({ user: { id: person.id, name: person.name }, course, problem });
            else good.push({ person, course, id });
          }
        const { note: remark, score, evidence_id, minutes, cpd_hours } = body;
        const ids = await recordResults(
          tx,
          good.map(({ person, course, id }) => {
            const { completed_at: completed, ...expiry } = datesOf(body, person.zone);
            const details = { note: remark, score, evidence_id, minutes, cpd_hours, recorded_by: actor.user.uuid, origin: 'manual' as const };
            return {
              id,
              user_id: person.id,
              course_id: course.id,
              type,
              completed,
              ...expiry,
              ...(type === 'exempt' && expiry.expiry === 'rule' ? { expiry: 'never' as const } : {}),
              ...details,
            };
          }),
          now(),
        );
        for (const { person, course, id } of good)
          if (!already.some((a) => a.id === id))
            await noteChange(tx, by, now(), {
              ...{ entityId: person.place, action: 'created', subject: { kind: 'user', id: person.id, name: person.name } },
              after: { training_record: { course: course.title, type, completed_on: body.completed_on, note: remark } },
            });
        return { ids, problems };
      }),
    correct: (by: By, id: string, { rev, reason, certificate_suppressed, remove_evidence, ...body }: z.infer<typeof ResultCorrection>) =>
      change(by, id, rev, async (tx, before) => {
        const { actor } = by;
        if (before.status === 'deleted') throw new ProductError('not_found');
        if (certificate_suppressed !== before.certificate_suppressed && !can(actor.user, 'certificate.suppress'))
          throw new ProductError('forbidden', { fields: { certificate_suppressed: ['You do not have permission to withhold certificates.'] } });
        const same = dayIn(before.completed_at, before.zone) === body.completed_on;
        if (!same) notOfARegister(before);
        if (before.type === 'exempt' && body.note.length < 3) throw invalid('note', 'Enter the reason for the exemption.');
        await ownEvidence(tx, actor, body.evidence_id);
        const dates = datesOf(body, before.zone);
        const completed_at = same ? before.completed_at : dates.completed_at;
        const byRule = async () => {
          const { id: user_id } = before.user;
          const [rule] = await rulesOf(tx, [{ user_id, course_id: before.course_id }], now());
          const [previous] = await previousOf(tx, [{ user_id, course_id: before.course_id, completed_at }]);
          return before.type === 'exempt' || !rule ? null : expiryOf(completed_at, previous?.expires_at ?? null, renewalOf(rule), before.zone);
        };
        const expires_at = 'expires_at' in dates ? (dates.expires_at ?? null) : await byRule();
        const { score, note: remark, minutes, cpd_hours } = body;
        const removed = remove_evidence && !body.evidence_id && before.evidence !== null;
        const asking = removed && before.type !== 'exempt' ? await evidenceIsAskedBy(tx, [before.user.id]) : [];
        if (asking.length > 0) throw invalid('remove_evidence', `Evidence is asked for by ${asking.join(', ')}: add another file instead.`);
        const evidence = body.evidence_id ? { evidence_id: body.evidence_id } : removed ? { evidence_id: null } : {};
        return {
          values: {
            completed_at,
            expiry: before.type === 'exempt' && body.expiry === 'rule' ? 'never' : body.expiry,
            expires_at,
            score,
            note: remark,
            minutes,
            cpd_hours,
            certificate_suppressed,
            ...evidence,
          },
          change: 'corrected',
          reason,
        };
      }),
    remove: (by: By, id: string, reason: string) =>
      change(by, id, null, async (_, before) => {
        notOfARegister(before);
        if (before.status === 'deleted') throw new ProductError('not_found');
        return { values: { status: 'deleted' }, change: 'deleted', reason };
      }),
    restore: (by: By, id: string, reason: string) =>
      change(by, id, null, async (tx, before) => {
        notOfARegister(before);
        if (before.status !== 'deleted') throw new ProductError('rev_mismatch');
        // A result that waited for a decision waits for it again.
        const { status } = existing(
          await tx.one<{ status: ResultStatus }>(sql`select version ->> 'status' as status from result_versions
            where result_id = ${id} and version ->> 'status' <> 'deleted' order by rev desc limit 1`),
        );
        return { values: { status }, change: 'restored', reason };
      }),
    /** Approves or rejects several submitted results, and notifies the people; those decided or deleted meanwhile are unchanged and listed. */
    decide: async (by: By, { ids, decision, reason }: BodyOf<typeof decideResults>) => {
      const done = await db.tx(async (tx) => {
        const { actor } = by;
        const found = await tx.all<{ id: string }>(
          sql`select r.id from results r join users u on u.id = r.user_id where r.id = any(${ids}::uuid[]) and ${visiblePerson(actor)} order by r.id for update of r`,
        );
        if (found.length !== new Set(ids).size) throw new ProductError('not_found');
        const before = await resultsWhere(tx, sql`r.id = any(${ids}::uuid[])`, sql`u.name, c.title, r.id`, ids.length);
        // Nobody approves their own certificate.
        const isOwn = (r: { user: { id: string } }) => r.user.id === actor.user.uuid;
        const notOwn = 'Somebody else has to decide on what you submitted yourself.';
        const pending = before.filter((r) => r.status === 'pending');
        const open = pending.filter((r) => !isOwn(r));
        if (pending.length > 0 && open.length === 0) throw invalid('ids', notOwn);
        const what = decision === 'approve' ? 'approved' : 'rejected';
        const origin = decision === 'approve' ? { origin: 'approval' } : {};
        const openIds = open.map((r) => r.id);
        await changeResults(tx, sql`id = any(${openIds}::uuid[])`, { status: what, ...origin }, { change: what, by: actor.user.uuid, reason }, now());
        const after = await resultsWhere(tx, sql`r.id = any(${openIds}::uuid[])`, sql`r.completed_at desc, r.id`, ids.length);
        for (const was of open) {
          const is = after.find((r) => r.id === was.id);
          if (is) await note(tx, by, was, is, 'updated', reason);
        }
        const problems = before
          .filter((r) => !open.includes(r))
          .map((r) => ({
            ...{ user: r.user, course: { id: r.course_id, title: r.course_title } },
            problem: r.status === 'pending' ? notOwn : `This is ${r.status} already.`,
          }));
        const letters = await tellOfDecisions(tx, after, { approved: decision === 'approve', reason, by: actor.user.uuid, now: now() });
        await messagesOf(services).mailedWith(tx, [letters]);
        return { decided: openIds, problems };
      });
      services.mail.wake();
      return done;
    },
  };
};
