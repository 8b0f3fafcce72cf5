import type { learningEndpoints } from '#contract/api/learning.ts';
import { byteRange } from '#contract/rules/byte-range.ts';
import { existing } from '#server/db/rows.ts';
import { contentDocumentOf } from '#server/features/learning/contents.rows.ts';
import { mediaOf } from '#server/features/learning/media.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

const unchanging = { 'Cache-Control': 'private, max-age=31536000, immutable' };

export const learningHandlers = (services: Services): HandlersOf<typeof learningEndpoints> => {
  const { db, files } = services;
  const media = mediaOf(services);
  return {
    contentDocument: async ({ params, query, actor }) => ({ data: existing(await contentDocumentOf(db, actor, params.id, query.version)) }),
    mediaChunks: async ({ params }) => ({ data: await media.pieces(params.name), headers: unchanging }),
    mediaFile: async ({ params, request }) => {
      const { hash, bytes, type } = await media.get(params.name);
      const headers = {
        ...unchanging,
        'Accept-Ranges': 'bytes',
        ETag: `"${hash}"`,
        // SVG is only shown as an image; opened on its own it must not run scripts.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        ...(/^(image|video|audio|text\/vtt)/.test(type) ? {} : { 'Content-Disposition': 'attachment' }),
      };
      const range = byteRange(request.headers.range, bytes);
      if (range === 'unsatisfiable')
        return { file: Buffer.alloc(0), type, status: 416, headers: { ...headers, 'Content-Range': `bytes */${bytes}` } };
      if (range === 'whole') return { file: files.read(hash), type, headers: { ...headers, 'Content-Length': String(bytes) } };
      return {
        file: files.read(hash, range),
        type,
        status: 206,
        headers: {
          ...headers,
          'Content-Range': `bytes ${range.start}-${range.end}/${bytes}`,
          'Content-Length': String(range.end - range.start + 1),
        },
      };
    },
  };
};
