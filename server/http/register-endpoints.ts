import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import { protocol } from '#contract/protocol.ts';
import { turnsOf } from '#server/db/turns.ts';
import { checkAnswer } from '#server/http/check-answer.ts';
import { knownError } from '#server/http/known-error.ts';
import { ProductError } from '#server/product-error.ts';
import { isCsrfToken } from '#server/security/secrets.ts';
import { type Actor, asActor } from '#server/actor.ts';
import { read } from '#server/validation.ts';
import { noteFailedChange } from '#server/ledger/failed-changes.ts';
import type { Services } from '#server/services.ts';

/** A file instead of JSON. Under a name, which may contain any character, it is saved instead of shown. */
export type FileAnswer = { file: Buffer | NodeJS.ReadableStream; type: string; name?: string; headers?: Record<string, string>; status?: number };
type JsonAnswer<D> = { data: D; message?: string; meta?: object; links?: object; headers?: Record<string, string>; status?: number };
/** `data` as JSON text, sent unchanged. Empty if the client already has it (304). */
type TextAnswer = { text: string; headers?: Record<string, string>; status?: number };
type Answer<E extends Endpoint> = E extends { file: string }
  ? FileAnswer
  : ResponseOf<E> extends undefined
    ? void
    : JsonAnswer<ResponseOf<E>> | TextAnswer | (E extends { orFile: string } ? FileAnswer : never);

export type Call<E extends Endpoint> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** Null only if the endpoint is public and nobody is signed in. */
  actor: E['access'] extends 'public' ? Actor | null : Actor;
  request: FastifyRequest;
  reply: FastifyReply;
};
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E>>;
/** A handler for each endpoint of a list; a missing one does not compile. */
export type HandlersOf<L extends readonly Endpoint[]> = { [E in L[number] as E['id']]: Handler<E> };

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

/** Plain letters for old browsers, the name itself for others. */
const attachment = (name: string) =>
  `attachment; filename="${name.normalize('NFKD').replace(/[^\w .-]/g, '')}"; filename*=UTF-8''${encodeURIComponent(name)}`;

const isSafe = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/** The bearer token of a request. Other schemes in `Authorization`, such as `Basic`, are ignored. */
export const bearerOf = (request: FastifyRequest): string | undefined => /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];

/**
 * Throws `csrf_mismatch` for a change that another site could have sent. Requests with a bearer token ignore cookies and need no
 * CSRF token.
 */
export const requireCsrf = (services: Services, request: FastifyRequest) => {
  if (isSafe(request.method) || bearerOf(request) !== undefined) return;
  const { CONTENT_ORIGIN, ONE_ORIGIN } = services.config;
  // The token is bound to the session and sent in a header, which other origins cannot set. Cookies are no proof, because a package can
  // set them.
  const elsewhere = request.headers['sec-fetch-site'] === 'cross-site' || (!ONE_ORIGIN && request.headers.origin === CONTENT_ORIGIN);
  const header = request.headers[protocol.csrfHeader.toLowerCase()];
  const token = typeof header === 'string' ? decodeURIComponent(header) : '';
  if (elsewhere || !isCsrfToken(services.secretKey, request.actor?.sessionHash ?? null, token)) throw new ProductError('csrf_mismatch');
};

/** Checks, before anything is read: signed in, password not expired, permission held. */
export const requireAccess = (endpoint: Pick<Endpoint, 'access' | 'duringPasswordChange' | 'notWhileActing'>, actor: Actor | null) => {
  if (endpoint.notWhileActing && actor?.actingAs) throw new ProductError('not_while_acting');
  if (endpoint.access === 'public') return;
  if (!actor) throw new ProductError('unauthenticated');
  if (actor.user.password_expired && !endpoint.duringPasswordChange) throw new ProductError('password_change_required');
  if (endpoint.access !== 'signed-in' && !can(actor.user, endpoint.access)) throw new ProductError('forbidden');
};

/** Checks type and declared size of a streamed body before reading it. */
const requireUpload = ({ upload }: Endpoint, request: FastifyRequest) => {
  const streamed = request.body instanceof Readable;
  if (!upload) {
    if (streamed) throw new ProductError('unsupported_media');
    return;
  }
  if (!streamed || !upload.types.includes(request.headers['content-type']?.split(';')[0]?.trim() ?? '')) throw new ProductError('unsupported_media');
  if (Number(request.headers['content-length'] ?? 0) > upload.limitBytes) throw new ProductError('body_too_large');
};

/**
 * Reports and messages to many run few at once for each organisation, with a rest in between: what one asks for at once, however much, leaves
 * others most of the processor and the database.
 */
const costly = { atOnce: 2, withinMs: 60_000, rest: 1 } as const;
const costlyTurns = turnsOf(costly.atOnce, costly.withinMs, costly.rest);
const takeTurn = ({ user }: Actor): Promise<() => void> =>
  costlyTurns(user.primary_entity.id, user.uuid).catch(() => {
    throw new ProductError('unavailable');
  });

/** Registers the endpoints with their handlers: access first, then input, then the work. */
export const registerEndpoints = <const L extends readonly Endpoint[]>(
  app: FastifyInstance,
  services: Services,
  endpoints: L,
  handlers: HandlersOf<L>,
) => {
  const checked = services.config.NODE_ENV !== 'production';
  for (const endpoint of endpoints) {
    const handler = (handlers as unknown as Record<string, Handler<Endpoint>>)[endpoint.id] as Handler<Endpoint>;
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(endpoint.bodyLimitBytes === undefined ? {} : { bodyLimit: endpoint.bodyLimitBytes }),
      handler: async (request, reply) => {
        if (endpoint.path !== '/api/auth/login') requireCsrf(services, request);
        requireAccess(endpoint, request.actor);
        requireUpload(endpoint, request);
        // Async, so that what is refused while it is read ends its turn too.
        const work = async (actor: Actor | null) =>
          handler({
            params: read(endpoint.params, request.params) as never,
            query: read(endpoint.query, request.query) as never,
            body: read(endpoint.body, request.body) as never,
            actor: actor as never,
            request,
            reply,
          });
        // Public endpoints run without a scope, because they find out who the person is.
        const endTurn = endpoint.costly && request.actor ? await takeTurn(request.actor) : () => undefined;
        const result = endpoint.access === 'public' ? work(request.actor) : asActor(request.actor, work);
        const answer = (await result.finally(endTurn).catch(async (error: unknown) => {
          if (!knownError(error)) await noteFailedChange(services, request, error, endpoint.offline === 'queue');
          throw error;
        })) as FileAnswer | JsonAnswer<unknown> | TextAnswer | undefined;
        if (checked && !(answer && ('file' in answer || answer.status === 304)))
          checkAnswer(endpoint, answer && ('text' in answer ? answer.text : JSON.stringify(answer.data)));
        if (answer?.headers) reply.headers(answer.headers);
        reply.status(answer?.status ?? endpoint.status ?? 200);
        if (!answer) return reply.send();
        if ('file' in answer) {
          if (answer.name !== undefined) reply.header('Content-Disposition', attachment(answer.name));
          return reply.type(answer.type).send(answer.file);
        }
        if ('text' in answer)
          return answer.status === 304 ? reply.send() : reply.type('application/json; charset=utf-8').send(`{"data":${answer.text}}`);
        return reply.send({
          data: answer.data,
          ...(answer.message ? { message: answer.message } : {}),
          ...(answer.meta ? { meta: answer.meta } : {}),
          ...(answer.links ? { links: answer.links } : {}),
        });
      },
    });
  }
};
