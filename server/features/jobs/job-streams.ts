import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type Actor, asActor } from '#server/actor.ts';
import { actorOf } from '#server/http/actor-of.ts';
import { requireAccess } from '#server/http/register-endpoints.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** Changes that follow one another so closely are told together. */
const togetherMs = 250;
/** What other servers change is looked for this often; so is whether the session still stands. */
const lookMs = 3000;
/** Proxies close connections that are silent for a minute or less. */
const beatMs = 15_000;
/** A person may have so many streams; the oldest gives way. */
const mostStreams = 8;

/** Streams that tell people their list of jobs whenever it changes, to whom it belongs at that moment. */
export const createJobStreams = (services: Services, list: (actor: Actor) => Promise<unknown>) => {
  const { jobs } = services;
  const streams = new Map<string, (() => void)[]>();
  return {
    follow: (request: FastifyRequest, user: string): PassThrough => {
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
    },
  };
};
