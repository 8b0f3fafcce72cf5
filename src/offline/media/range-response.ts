import { byteRange } from '#contract/rules/byte-range.ts';

/** Answers a range request from a whole file that is kept: what a video needs to start and to seek without a network. */
export const rangeResponse = async (whole: Response, rangeHeader: string | null): Promise<Response> => {
  const blob = await whole.blob();
  const type = whole.headers.get('Content-Type') ?? 'application/octet-stream';
  const range = byteRange(rangeHeader, blob.size);
  if (range === 'whole')
    return new Response(blob, { status: 200, headers: { 'Content-Type': type, 'Content-Length': String(blob.size), 'Accept-Ranges': 'bytes' } });
  if (range === 'unsatisfiable') return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${blob.size}` } });
  return new Response(blob.slice(range.start, range.end + 1), {
    status: 206,
    headers: {
      'Content-Type': type,
      'Content-Range': `bytes ${range.start}-${range.end}/${blob.size}`,
      'Content-Length': String(range.end - range.start + 1),
      'Accept-Ranges': 'bytes',
    },
  });
};
