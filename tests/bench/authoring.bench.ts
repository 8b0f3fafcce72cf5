import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import type { Content, CourseDetail } from '#contract/entities/authored-content.ts';
import type { AuthoredLesson, AuthoredTopic } from '#contract/entities/authored-parts.ts';
import type { Block } from '#contract/entities/content.ts';
import { sql } from '#server/db/sql.ts';
import { launch } from '#tests/bench/chromium.ts';
import { median, report } from '#tests/bench/report.ts';
import { CutLine } from '#tests/faults/real/cut-line.ts';
import { startInjectServer } from '#tests/faults/real/inject-server.ts';
import { RealServer } from '#tests/support/real-server.ts';
import { TestClient } from '#tests/support/test-app.ts';

const rounds = Number(process.env.ROUNDS ?? 7);
const topics = 300;
const perLesson = 30;
const filmBytes = Number(process.env.FILM_MB ?? 200) * 1_000_000;
/** A line of 40 Mbit/s. */
const bytesPerSecond = 5_000_000;
const cutEveryMs = 10_000;
const author = 'admin@willowbrook.test';

const paragraph = (n: number): Block => ({
  kind: 'text',
  doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: `What to do about it, ${n}. `.repeat(40) }] }] },
});

/**
 * Publishing a course of 300 topics through the server, against writing the same document into the database alone. Target: at most
 * 2 s.
 */
const publishing = async () => {
  const server = await startInjectServer();
  const client = new TestClient(server.app);
  await client.signIn(author);
  const post = async <T>(path: string, body: object): Promise<T> => {
    const { status, body: answer } = await client.json<{ data: T }>('POST', path, body);
    if (status >= 300) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const course = await post<CourseDetail>('/courses', { title: 'A long course', short_title: 'Long' });
  const content = await post<Content>('/content', { type: 'elearning', course_id: course.id, title: 'A long course, online' });
  let first = '';
  for (let n = 0; n < topics; n += perLesson) {
    const lesson = await post<AuthoredLesson>('/lessons', { title: `Lesson ${n / perLesson + 1}` });
    for (let i = n; i < n + perLesson; i++) {
      const topic = await post<AuthoredTopic>('/topics', { title: `Topic ${i + 1}`, blocks: [paragraph(i), paragraph(i + 1)] });
      first ||= topic.id;
      await post(`/lessons/${lesson.id}/topics`, { action: 'add', topic_id: topic.id });
    }
    await post(`/content/${content.id}/lessons`, { action: 'add', lesson_id: lesson.id });
  }
  const through: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await client.json('PATCH', `/topics/${first}`, { blocks: [paragraph(1000 + round)] });
    let began = performance.now();
    await post(`/content/${content.id}/publish`, { note: `Round ${round}` });
    through.push(performance.now() - began);
    const { db } = server.database;
    const last = await db.one<{ document: object; answer_keys: object; version: number }>(
      sql`select document, answer_keys, version from content_versions where content_id = ${content.id} order by version desc limit 1`,
    );
    const document = JSON.stringify(last?.document);
    began = performance.now();
    await db.run(sql`insert into content_versions (content_id, version, document, answer_keys)
      values (${content.id}, ${100_000 + round}, ${document}, ${JSON.stringify(last?.answer_keys)})`);
    alone.push(performance.now() - began);
    await db.run(sql`delete from content_versions where content_id = ${content.id} and version = ${100_000 + round}`);
  }
  report('publishing 300 topics', median(through), 'ms', median(through) / median(alone), 'times the document written alone; target 2,000 ms');
  await server.close();
};

/** Upload of a film of 200 MB from a browser over a connection that is lost every 10 s, relative to its bytes. Target: 1.3. */
const film = async () => {
  const path = join(tmpdir(), `lantern-film-${process.pid}.mp4`);
  const pad = Buffer.alloc(8);
  const played = readFileSync(new URL('../../server/db/demo/media/hand-washing.mp4', import.meta.url));
  pad.writeUInt32BE(filmBytes - played.length, 0);
  pad.write('free', 4);
  writeFileSync(path, Buffer.concat([played, pad, Buffer.alloc(filmBytes - played.length - 8)]));
  const server = await RealServer.create();
  const line = new CutLine(Number(new URL(server.url).port), bytesPerSecond, cutEveryMs);
  const origin = (await line.listen()).replace('127.0.0.1', 'localhost');
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(`${origin}/content-creator/topics/create`);
  await page.getByLabel('E-mail address').fill(author);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Text' }).press('Control+End');
  line.begin();
  const began = performance.now();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Insert' }).click();
  await page.getByRole('menuitem', { name: 'Video' }).click();
  await (await chooser).setFiles(path);
  await page.getByRole('button', { name: /video.*has no captions/i }).waitFor({ timeout: 600_000 });
  const seconds = (performance.now() - began) / 1000;
  report(
    `a film of ${filmBytes / 1e6} MB, bytes sent`,
    line.sent / 1e6,
    'MB',
    line.sent / filmBytes,
    `times its bytes, ${line.cuts} cuts; target 1.3`,
  );
  report('a film, until it is whole', seconds, 's', seconds / (filmBytes / bytesPerSecond), 'times what the line alone needs');
  await browser.close();
  await line.close();
  await server.close();
  rmSync(path);
};

/** What authors wait for. */
export const run = async () => {
  await publishing();
  await film();
};
