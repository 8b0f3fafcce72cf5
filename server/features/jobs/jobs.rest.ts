import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { jobEndpoints } from '#contract/api/jobs.ts';
import { can } from '#contract/can.ts';
import { type Job, type JobKind, jobKinds } from '#contract/entities/job.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { existing } from '#server/db/rows.ts';
import { instant, sql } from '#server/db/sql.ts';
import { actorOf } from '#server/http/actor-of.ts';
import { ProductError } from '#server/product-error.ts';
import { type HandlersOf, requireAccess } from '#server/http/register-endpoints.ts';
import { type Actor, asActor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

const mostShown = 100;
/** Changes that follow one another so closely are told together. */
const togetherMs = 250;
/** What other servers change is looked for this often; so is whether the session still stands. */
const lookMs = 3000;
/** Proxies close connections that are silent for a minute or less. */
const beatMs = 15_000;
/** A person may have so many streams; the oldest gives way. */
const mostStreams = 8;

type Row = Omit<Job, 'title' | 'unit' | 'can_cancel' | 'can_retry' | 'link'> & { key: string; subject: string; owner_id: string | null };

export const jobHandlers = (services: Services): HandlersOf<typeof jobEndpoints> => {
  const { db, jobs } = services;
  const visible = (actor: Actor) => {
    if (actor.seesAll) return sql`true`;
    const kinds = jobKinds.filter((kind) => {
      const { seenBy } = jobs.definition(kind);
      return seenBy.length > 0 && can(actor.user, seenBy);
    });
    return sql`(j.owner_id = ${actor.user.uuid} or (j.kind = any(${kinds}::text[]) and exists (select 1 from entities e where e.id = j.entity_id and ${visibleEntity(actor)})))`;
  };
  const columns = sql`j.id, j.kind, j.key, j.subject, j.state, j.done, j.total, j.problem, j.cancel_at is not null as stopping, j.owner_id,
    case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as started_by,
    case when n.id is not null then json_build_object('id', n.id, 'name', n.name) end as organisation,
    ${instant(sql`j.asked_at`)} as asked_at, ${instant(sql`j.started_at`)} as started_at, ${instant(sql`j.ended_at`)} as ended_at`;
  const source = sql`jobs j left join person_names p on p.id = j.owner_id left join entity_names n on n.id = j.entity_id`;
  const told = ({ key, subject, owner_id: _owner, ...row }: Row): Job => {
    const { title, unit, canCancel, link } = jobs.definition(row.kind);
    const open = row.state === 'waiting' || row.state === 'running';
    return {
      ...{ ...row, title: title(subject), unit, link: link?.(key) ?? null },
      ...{ can_cancel: canCancel && open && !row.stopping, can_retry: row.state === 'failed' || row.state === 'stopped' },
    };
  };
  /** What is under way first, then what ended last. */
  const list = async (actor: Actor): Promise<Job[]> =>
    (
      await db.all<Row>(sql`select ${columns} from ${source} where ${visible(actor)}
        order by j.ended_at is not null, case when j.ended_at is null then j.asked_at end, j.ended_at desc, j.id limit ${mostShown}`)
    ).map(told);
  const found = async (actor: Actor, id: string): Promise<Row> =>
    existing(await db.one<Row>(sql`select ${columns} from ${source} where j.id = ${id} and ${visible(actor)}`));

  const streams = new Map<string, (() => void)[]>();
  /** Tells the list whenever it changes, to whom it belongs at that moment. */
  const follow = (request: FastifyRequest, user: string): PassThrough => {
    const stream = new PassThrough();
    let last = '';
    let looking = false;
    let soon: NodeJS.Timeout | undefined;
    /** The session has ended: the word tells it from a server that stops, after which the stream is opened again. */
    const end = () => stream.writable && stream.end('event: end\ndata: null\n\n');
    const cut = () => void stream.end();
    const look = async () => {
      if (looking || !stream.writable || stream.writableNeedDrain) return;
      looking = true;
      try {
        const actor = await actorOf(services, request);
        requireAccess({ access: 'signed-in' }, actor);
        const text = JSON.stringify(await asActor(actor, (by) => list(by as Actor)));
        if (text !== last && stream.writable) stream.write(`event: jobs\ndata: ${text}\n\n`);
        last = text;
      } catch (error) {
        // A database that is out of service for a moment is asked again.
        if (error instanceof ProductError) end();
      } finally {
        looking = false;
      }
    };
    const stopListening = jobs.onChange(() => {
      soon ??= setTimeout(() => {
        soon = undefined;
        void look();
      }, togetherMs);
    });
    const regular = setInterval(() => void look(), lookMs);
    const beat = setInterval(() => stream.writable && stream.write(': \n\n'), beatMs);
    const mine = streams.get(user) ?? [];
    streams.set(user, [...mine, cut]);
    if (mine.length >= mostStreams) mine[0]?.();
    jobs.closing.addEventListener('abort', cut, { once: true });
    stream.once('close', () => {
      stopListening();
      clearTimeout(soon);
      clearInterval(regular);
      clearInterval(beat);
      jobs.closing.removeEventListener('abort', cut);
      const rest = (streams.get(user) ?? []).filter((e) => e !== cut);
      if (rest.length > 0) streams.set(user, rest);
      else streams.delete(user);
    });
    void look();
    return stream;
  };

  return {
    listJobs: async ({ actor }) => ({ data: await list(actor) }),
    jobEvents: async ({ request, actor }) => ({
      file: follow(request, actor.user.uuid),
      type: 'text/event-stream; charset=utf-8',
      // Proxies hand each event on as it comes.
      headers: { 'X-Accel-Buffering': 'no' },
    }),
    cancelJob: async ({ params, actor }) => {
      const { kind, key } = await found(actor, params.id);
      if (!jobs.definition(kind).canCancel) throw new ProductError('forbidden');
      await jobs.cancel(kind, key);
      return { data: told(await found(actor, params.id)) };
    },
    retryJob: async ({ params, actor, request }) => {
      const { kind, key, subject, state, organisation, owner_id: owner } = await found(actor, params.id);
      if (state === 'failed' || state === 'stopped') {
        const again = jobs.definition(kind as JobKind).onRetry;
        if (again) await again(key, { actor, address: request.ip });
        else await jobs.note(db, kind, { key, subject, entity: organisation?.id ?? null, owner });
        jobs.wake();
      }
      return { data: told(await found(actor, params.id)) };
    },
  };
};
