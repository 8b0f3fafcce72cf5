import { readFileSync } from 'node:fs';
import { begunQuota } from '#server/files/upload-quota.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getContentFile } from '#contract/api/content-files.ts';
import { type ContentFile, type ContentFileKind, contentFileLimits } from '#contract/entities/content-file.ts';
import type { AuthoredTopic } from '#contract/entities/authored-parts.ts';
import type { Media } from '#contract/entities/content.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; errors?: Record<string, string[]>; code?: string };
const { pieceBytes } = contentFileLimits;
const demoFile = (name: string) => readFileSync(new URL(`../../db/demo/media/${name}`, import.meta.url));

describe('a file of a content', () => {
  let server: TestApp;
  let author: TestClient;
  let colleague: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    [author, colleague] = [server.client(), server.client()];
    await author.signIn('admin@willowbrook.test');
    await colleague.signIn('admin@brightpath.test');
  });
  afterAll(() => server.close());

  const begin = async (kind: ContentFileKind, name: string, bytes: number, by = author) =>
    (await by.json<Answer<ContentFile>>('POST', '/content/files', { kind, name, bytes })).body;
  const piece = (id: string, no: number, bytes: Buffer, by = author) =>
    by.json<Answer<{ missing: number }>>('POST', `/content/files/${id}/pieces/${no}`, bytes, { 'content-type': 'application/octet-stream' });
  const finish = async (id: string, by = author) => (await by.json<Answer<Media>>('POST', `/content/files/${id}/finish`)).body;
  const partsOf = (bytes: Buffer) =>
    Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, i) => bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes));
  const send = async (kind: ContentFileKind, name: string, bytes: Buffer) => {
    const { data } = await begin(kind, name, bytes.length);
    for (const [no, part] of partsOf(bytes).entries()) await piece(data.id, no, part);
    return finish(data.id);
  };

  it('arrives in pieces, in any order and more than once, and is what it is', async () => {
    // Longer than a piece: the bytes after the film are harmless.
    const film = Buffer.concat([demoFile('hand-washing.mp4'), Buffer.from([0, 4, 0, 0]), Buffer.from('free'), Buffer.alloc(262_136)]);
    const { data } = await begin('video', 'Washing hands.mp4', film.length);
    expect(getContentFile.response.safeParse(data).error).toBeUndefined();
    expect(data).toMatchObject({ missing: [0, 1], piece_bytes: pieceBytes, media: null });
    const [first, second] = partsOf(film) as [Buffer, Buffer];
    expect((await piece(data.id, 1, second)).body.data).toEqual({ missing: 1 });
    expect((await piece(data.id, 1, second)).body.data).toEqual({ missing: 1 });
    expect((await finish(data.id)).errors).toEqual({ piece: ['This file is not whole yet: 1 of its 2 pieces missing.'] });
    expect((await piece(data.id, 0, first.subarray(1))).body.errors).toHaveProperty('piece');
    expect((await piece(data.id, 2, second)).body.errors).toHaveProperty('piece');
    expect((await author.json<Answer<ContentFile>>('GET', `/content/files/${data.id}`)).body.data.missing).toEqual([0]);
    await piece(data.id, 0, first);
    const media = (await finish(data.id)).data;
    expect(media).toMatchObject({ type: 'video/mp4', bytes: film.length });
    expect((await finish(data.id)).data).toEqual(media);
    const left = await server.database.db.one<{ n: number }>(sql`select count(*)::int as n from content_upload_pieces where upload_id = ${data.id}`);
    expect(left?.n).toBe(0);
    const block = { kind: 'video', media, title: 'Washing hands', poster: null, transcript: '', captions: [] };
    const topic = await author.json<Answer<AuthoredTopic>>('POST', '/topics', { title: 'A film', blocks: [block] });
    expect([topic.status, topic.body.data.blocks]).toEqual([201, [block]]);
    // Nobody else can send to it or see it.
    for (const answer of [await piece(data.id, 0, first, colleague), await colleague.json('GET', `/content/files/${data.id}`)])
      expect(answer.status).toBe(404);
    expect((await finish(data.id, colleague)).code).toBe('not_found');
  });

  it.each([
    ['audio', 'incident.mp3', demoFile('needle-stick.mp3'), 'audio/mpeg'],
    ['captions', 'words.vtt', demoFile('hand-washing.vtt'), 'text/vtt; charset=utf-8'],
    ['download', 'Card.PDF', Buffer.from('%PDF-1.7\n%a card'), 'application/pdf'],
    ['download', 'list.csv', Buffer.from('Name,Größe\n'), 'text/csv; charset=utf-8'],
  ] as const)('of the kind %s is accepted: %s', async (kind, name, bytes, type) => {
    expect((await send(kind, name, bytes)).data).toMatchObject({ type, bytes: bytes.length });
  });

  it.each([
    ['video', 'a text.mp4', Buffer.from('no film at all'), /not a video that can be opened/],
    ['video', 'half.mp4', demoFile('hand-washing.mp4').subarray(0, 2000), /may have been cut off/],
    ['video', 'sound.mp4', demoFile('needle-stick.mp3'), /no picture in this video/],
    ['audio', 'film.mp3', demoFile('hand-washing.mp4'), /This is a video/],
    ['audio', 'page.mp3', Buffer.from('<html><script>alert(1)</script></html>'), /not sound that can be opened/],
    ['captions', 'words.vtt', Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHands\n'), /not WebVTT captions/],
    ['captions', 'empty.vtt', Buffer.from('WEBVTT\n\nnothing'), /no line in these captions/],
    ['download', 'page.html', Buffer.from('<script>alert(1)</script>'), /cannot be offered/],
    ['download', 'constructor', Buffer.from('x'), /cannot be offered/],
    ['download', 'card.pdf', Buffer.from('MZ a program'), /not a \.pdf file/],
  ] as const)('of the kind %s is refused with its reason: %s', async (kind, name, bytes, reason) => {
    expect((await send(kind, name, bytes)).errors?.file?.[0]).toMatch(reason);
  });

  it('is refused before it is sent where it is empty, too large or nameless', async () => {
    expect((await begin('video', 'x.mp4', 0)).errors).toHaveProperty('bytes');
    expect((await begin('video', 'x.mp4', contentFileLimits.bytes + 1)).errors).toHaveProperty('bytes');
    expect((await begin('captions', 'x.vtt', contentFileLimits.captionsBytes + 1)).errors).toHaveProperty('bytes');
    expect((await begin('video', ' ', 5)).errors).toHaveProperty('name');
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    expect((await begin('video', 'x.mp4', 5, learner)).code).toBe('forbidden');
  });

  it('is refused to who has begun many and finished none', async () => {
    const author = server.client();
    await author.signIn('super@lantern.test');
    let begun = 0;
    for (; begun < 10; begun++) if ((await begin('video', 'x.mp4', contentFileLimits.bytes, author)).errors) break;
    expect(begun).toBe(Math.floor(begunQuota.bytes / contentFileLimits.bytes));
  });
});
