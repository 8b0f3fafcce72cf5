import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type Actor, asActor } from '#server/actor.ts';
import { actorOf } from '#server/http/actor-of.ts';
import { requireAccess } from '#server/http/register-endpoints.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** Changes in quick succession are sent together. */
const togetherMs = 250;
/** How often changes by other servers are looked for, and whether the session is still valid. */
const lookMs = 3000;
/** Proxies close connections that are silent for a minute or less. */
const beatMs = 15_000;
/** The maximum number of streams of a person; the oldest is closed. */
const mostStreams = 8;

/** Streams that send people their list of jobs whenever it changes, as visible to them at that moment. */
export const createJobStreams = (services: Services, list: (actor: Actor) => Promise<unknown>) => {
  const { jobs } = services;
  const streams = new Map<string, (() => void)[]>();
  return {
    follow: (request: FastifyRequest, user: string): PassThrough => {
      const stream = new PassThrough();
      let last = '';
      let looking = false;
      let soon: NodeJS.Timeout | undefined;
      /** The session has ended: this event distinguishes it from a server that stops, after which the client reconnects. */
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
          // If the database is unavailable for a moment, it is asked again.
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
      const ownStreams = streams.get(user) ?? [];
      streams.set(user, [...ownStreams, cut]);
      if (ownStreams.length >= mostStreams) ownStreams[0]?.();
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
    },
  };
};
