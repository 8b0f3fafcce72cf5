import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { ContentDocument } from '#contract/entities/content.ts';
import { Count, Hash, Id } from '#contract/entities/fields.ts';

const byId = z.object({ id: Id });

export const contentDocument = endpoint({
  id: 'contentDocument',
  method: 'GET',
  path: '/content/{id}/document',
  ours: true,
  summary:
    'Returns a course’s e-learning content for offline use: lessons, topics, quizzes without answers, and its files with size and hash. `version` requests the version on which an attempt was started.',
  params: byId,
  query: z.object({ version: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000_000))) }),
  response: ContentDocument,
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const mediaFile = endpoint({
  id: 'mediaFile',
  method: 'GET',
  path: '/media/{name}',
  ours: true,
  summary: 'Returns a course file by the hash of its bytes. Supports byte ranges; never changes.',
  params: z.object({ name: z.string().check(z.regex(/^[0-9a-f]{64}\.[a-z0-9]{2,5}$/)) }),
  file: '*/*',
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});

export const mediaChunks = endpoint({
  id: 'mediaChunks',
  method: 'GET',
  path: '/media/{name}/pieces',
  ours: true,
  summary:
    'Lists the pieces of a file with their hashes, so that a download can resume where it stopped and a damaged piece can be fetched on its own.',
  params: z.object({ name: z.string().check(z.regex(/^[0-9a-f]{64}\.[a-z0-9]{2,5}$/)) }),
  response: z.object({ bytes: Count, piece_bytes: Count, hashes: z.array(Hash) }),
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});

export const learningEndpoints = [contentDocument, mediaFile, mediaChunks] as const;
