import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { designFrom } from '#contract/design-templates.ts';
import { courseInFile, importContent } from '#contract/api/course-files.ts';
import type { Content, CourseDetail } from '#contract/entities/authored-content.ts';
import type { AuthoredLesson, AuthoredQuiz, AuthoredTopic } from '#contract/entities/authored-parts.ts';
import { type ContentFile, contentFileLimits } from '#contract/entities/content-file.ts';
import type { Block, Media } from '#contract/entities/content.ts';
import { CourseDescription, type CourseInFile } from '#contract/entities/course-file.ts';
import type { DesignedContent } from '#contract/entities/designed-content.ts';
import type { H5p } from '#contract/entities/h5p.ts';
import type { CoursePackage } from '#contract/entities/package.ts';
import type { Actor } from '#server/actor.ts';
import type { Config } from '#server/config.ts';
import { sql } from '#server/db/sql.ts';
import { composed } from '#server/features/content-creator/compose.rows.ts';
import { coursePackagesOf } from '#server/features/content-creator/course-packages.service.ts';
import { lessonsOf } from '#server/features/content-creator/course-files.rows.ts';
import { readTree } from '#server/features/packages/package-trees.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { h5pFiles, renamed, zip } from '#tests/support/archives.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; errors?: Record<string, string[]>; message?: string; code?: string };
const { pieceBytes } = contentFileLimits;

describe('a course in a file', () => {
  let server: TestApp;
  let author: TestClient;
  let rival: TestClient;
  let content: Content;
  let picture: Media;
  let rivalPlace: string;
  beforeAll(async () => {
    server = await startTestApp();
    [author, rival] = [server.client(), server.client()];
    await author.signIn('admin@willowbrook.test');
    await rival.signIn('admin@brightpath.test');
    content = await made();
    rivalPlace = (await server.database.db.one<{ id: string }>(sql`select id from entities where slug like 'brightpath%'`))?.id ?? '';
  });
  afterAll(() => server.close());

  const post = async <T>(path: string, body: object, by = author) => (await by.json<Answer<T>>('POST', path, body)).body;
  const newCourse = async (by = author) => (await post<CourseDetail>('/courses', { title: 'Hand care', short_title: 'Hands' }, by)).data.id;
  /** A content with everything that a course file contains: lessons, one of them a draft, child topics, a picture, a quiz of several kinds. */
  const made = async (): Promise<Content> => {
    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#0a7' } })
      .png()
      .toBuffer();
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
    const form = Buffer.concat([Buffer.from(head), png, Buffer.from('\r\n--x--\r\n')]);
    const sent = await author.json<Answer<Media>>('POST', '/content/images', form, { 'content-type': 'multipart/form-data; boundary=x' });
    picture = sent.body.data;
    const text: Block = { kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Wash them.' }] }] } };
    const image: Block = { kind: 'image', media: picture, alt: 'A sink', caption: '' };
    const facts = { title: 'Hand care online', aims: 'Clean hands.', outcomes: ['Wash'], estimated_duration: 5, image: { hash: picture.hash } };
    const one = (await post<Content>('/content', { type: 'elearning', course_id: await newCourse(), ...facts })).data;
    for (const [title, published] of [
      ['The basics', true],
      ['Not yet', false],
    ] as const) {
      const lesson = (await post<AuthoredLesson>('/lessons', { title, published })).data;
      for (const is_child of [false, true]) {
        const question = {
          id: crypto.randomUUID(),
          kind: 'true_false',
          prompt: 'Soap is enough.',
          picture: { media: picture, alt: 'Soap' },
        } as const;
        const practice: Block = { kind: 'question', question, key: { kind: 'true_false', value: true, feedback: 'And water.' } };
        const topic = (await post<AuthoredTopic>('/topics', { title: `${title} ${is_child}`, is_child, blocks: [text, image, practice] })).data;
        await post(`/lessons/${lesson.id}/topics`, { action: 'add', topic_id: topic.id });
      }
      await post(`/content/${one.id}/lessons`, { action: 'add', lesson_id: lesson.id });
    }
    const questions = [
      {
        kind: 'single',
        prompt: 'When?',
        feedback: 'Always.',
        picture: { media: picture, alt: 'A tap' },
        options: [
          { id: 'a', text: 'Before', correct: true, feedback: '' },
          { id: 'b', text: 'Never', correct: false, feedback: 'No.' },
        ],
      },
      {
        kind: 'match',
        prompt: 'Match',
        feedback: '',
        pairs: [
          { id: 'a', left: 'cat', right: 'feline' },
          { id: 'b', left: 'dog', right: 'canine' },
        ],
      },
      { kind: 'fill_gap', prompt: 'Fill', feedback: '', segments: ['Wash your ', { gap: 'g1', accepted: ['hands'] }] },
    ];
    const quiz = (await post<AuthoredQuiz>('/quizzes', { title: 'Check', pass_percent: 60, max_tries: 3, is_randomized: true, questions })).data;
    await post(`/content/${one.id}/quizzes`, { action: 'add', quiz_id: quiz.id });
    await post(`/quizzes/${quiz.id}/content/${one.id}`, { question_qty: 2 });
    await author.json('PATCH', `/content/${one.id}`, { uncounted: [quiz.id] });
    return (await author.json<Answer<Content>>('GET', `/content/${one.id}`)).body.data;
  };
  const exported = async (id = content.id, by = author) => {
    const response = await by.send('GET', `/content/${id}/export`);
    return { status: response.statusCode, bytes: response.rawPayload, type: response.headers['content-type'] };
  };
  const send = async (bytes: Buffer, by = author) => {
    const { data } = await post<ContentFile>('/content/files', { kind: 'course', name: 'hands.course.zip', bytes: bytes.length }, by);
    for (let no = 0; no * pieceBytes < bytes.length; no++)
      await by.json('POST', `/content/files/${data.id}/pieces/${no}`, bytes.subarray(no * pieceBytes, (no + 1) * pieceBytes), {
        'content-type': 'application/octet-stream',
      });
    return data.id;
  };
  const look = async (id: string, by = author) => (await by.json<Answer<CourseInFile>>('GET', `/content/imports/${id}`)).body;
  const take = (id: string, course_id: string, by = author, title = 'Hand care again') =>
    by.json<Answer<Content & { left_out: string[] }>>('POST', `/content/imports/${id}`, { title, course_id });
  /** The composed document without what differs in every copy: its ids, and the names derived from them. */
  const documentOf = async (id: string) => {
    const working = await composed(server.database.db, id);
    const { version: _v, course: _c, title: _t, ...composedNow } = working?.document ?? ({} as never);
    const uncounted = [...composedNow.lessons, ...composedNow.quizzes].filter((p) => composedNow.uncounted?.includes(p.id)).map((p) => p.title);
    const document = { ...composedNow, uncounted };
    const bare = JSON.parse(
      JSON.stringify({ document, keys: Object.values(working?.keys ?? {}), left_out: working?.left_out }, (key, value: unknown) =>
        ['id', 'parent_id', 'tree', 'h5p_id'].includes(key)
          ? Boolean(value)
          : key === 'right' && Array.isArray(value)
            ? value.length
            : key === 'pairs'
              ? Object.keys(value as object)
              : value,
      ),
    ) as object;
    return bare;
  };

  it('comes back as the same document, as a draft, and what was sent is deleted', async () => {
    const file = await exported();
    expect(await documentOf(content.id)).toMatchObject({ document: { uncounted: ['Check'] } });
    expect([file.status, file.type]).toEqual([200, 'application/zip']);
    const inside = unzipSync(file.bytes);
    expect(Object.keys(inside)).toEqual(['course.json', `files/${picture.hash}.webp`]);
    expect(CourseDescription.safeParse(JSON.parse(strFromU8(inside['course.json'] as Uint8Array))).error).toBeUndefined();

    const sent = await send(file.bytes);
    const { data } = await look(sent);
    expect(courseInFile.response.safeParse(data).error).toBeUndefined();
    expect(data).toMatchObject({
      ...{ title: 'Hand care online', course: 'Hand care', same_title: true, left_out: [] },
      lessons: [{ title: 'The basics', topics: ['The basics false', 'The basics true'] }, { title: 'Not yet' }],
      quizzes: [{ title: 'Check', questions: 3 }],
      files: { count: 1, here: 1 },
    });
    const { status, body } = await take(sent, await newCourse());
    expect([status, importContent.response.safeParse(body.data).error]).toEqual([201, undefined]);
    expect(body.data).toMatchObject({ title: 'Hand care again', published: false, version: 0, problems: [], image: picture });
    expect(await documentOf(body.data.id)).toEqual(await documentOf(content.id));
    const again = await send((await exported(body.data.id)).bytes);
    const third = await take(again, await newCourse());
    expect(await documentOf(third.body.data.id)).toEqual(await documentOf(content.id));
    expect((await look(sent)).code).toBe('not_found');
    expect((await author.json<Answer<Content>>('POST', `/content/${body.data.id}/publish`, {})).body.data.version).toBe(1);
  });

  it('goes to another organisation with its files, which it could not have named without having them', async () => {
    const { bytes } = await exported();
    const sent = await send(bytes, rival);
    expect((await look(sent, rival)).data).toMatchObject({ same_title: false, files: { count: 1, here: 0 } });
    const { body } = await take(sent, await newCourse(rival), rival);
    expect(body.data).toMatchObject({ editable: true, image: { hash: picture.hash } });

    const stolen = unzipSync(bytes);
    stolen[`files/${picture.hash}.webp`] = new Uint8Array(picture.bytes);
    const forged = await send(Buffer.from(zipSync(stolen)), rival);
    await server.database.db.run(sql`delete from content_files where hash = ${picture.hash} and entity_id <> ${content.entity.id}`);
    expect((await take(forged, await newCourse(rival), rival)).body.errors?.file?.[0]).toContain('is not what it was when it was exported');
    const bent = await send(Buffer.from(bytes.map((byte, at) => (at === bytes.indexOf('WEBP') + 20 ? byte ^ 1 : byte))), rival);
    expect((await take(bent, await newCourse(rival), rival)).body.errors?.file?.[0]).toContain('is damaged');
  });

  /** A content with one activity, whose package has text, a picture, and a name that is not ASCII. */
  const withActivity = async (): Promise<{ id: string; pack: CoursePackage }> => {
    const bytes = await zip(h5pFiles({ 'content/images/Händewaschen.png': randomBytes(3000) }));
    const pack = (await author.json<Answer<CoursePackage>>('POST', '/packages?kind=h5p', bytes, { 'content-type': 'application/zip' })).body.data;
    const h5p = (await post<H5p>('/h5ps', { title: 'Wash well', package_id: pack.id })).data;
    const lesson = (await post<AuthoredLesson>('/lessons', { title: 'Practise', published: true })).data;
    for (const title of ['First', 'Again']) {
      const topic = (await post<AuthoredTopic>('/topics', { title, h5p_id: h5p.id })).data;
      await post(`/lessons/${lesson.id}/topics`, { action: 'add', topic_id: topic.id });
    }
    const one = (await post<Content>('/content', { type: 'elearning', course_id: await newCourse(), title: 'Practice' })).data;
    await post(`/content/${one.id}/lessons`, { action: 'add', lesson_id: lesson.id });
    return { id: one.id, pack };
  };
  const packagesOf = (by: TestClient) =>
    server.database.db.all<{ id: string; tree: string }>(
      sql`select p.id, p.tree from packages p where p.kind = 'h5p' and p.entity_id = ${by === rival ? rivalPlace : content.entity.id} order by p.created_at`,
    );
  const activitiesOf = async (id: string) =>
    ((await composed(server.database.db, id))?.document.lessons ?? []).flatMap((l) =>
      l.topics.flatMap((t) => t.blocks.filter((b) => b.kind === 'h5p')),
    );
  const packagesWith = (ONE_ORIGIN = false) =>
    coursePackagesOf({
      ...{ db: server.database.db, files: createFileStore(join(server.folder, 'files')), now: () => new Date() },
      config: { DATA_DIR: server.folder, ONE_ORIGIN } as Config,
    });
  /** An export whose only package is replaced by another. */
  const exchanged = async (id: string, other: (inside: Record<string, Uint8Array>) => Promise<Buffer> | Buffer): Promise<Buffer> => {
    const outside = unzipSync((await exported(id)).bytes);
    const [path] = Object.keys(outside).filter((name) => name.startsWith('packages/')) as [string];
    const bytes = await other(unzipSync(outside[path] as Uint8Array));
    return Buffer.from(zipSync({ ...outside, [path]: [bytes, { level: 0 }] }));
  };
  type Inside = Record<string, Uint8Array>;
  const again = (inside: Inside, tamper?: (bytes: Buffer) => Buffer) =>
    zip(Object.fromEntries(Object.entries(inside).map(([name, bytes]) => [name, Buffer.from(bytes)])), tamper);

  it.each<[string, (inside: Inside) => Promise<Buffer> | Buffer, string]>([
    ['is no archive', () => Buffer.from('a letter'), 'cannot be read as a ZIP archive'],
    ['is cut short', async (inside) => (await again(inside)).subarray(0, -30), 'cannot be read as a ZIP archive'],
    [
      'has a damaged file',
      // Stored uncompressed, so that only its checksum shows the change.
      ({ ...inside }) =>
        Buffer.from(zipSync(inside, { level: 0 })).map((byte, at, all) => (at === all.indexOf('H5P.Steps') ? byte ^ 1 : byte)) as Buffer,
      'cannot be unpacked: “Lantern.Steps-1.0/steps.js” is damaged',
    ],
    [
      'has other files than it had',
      (inside) => again({ ...inside, 'content/content.json': strToU8('{"steps":["Wet","Soap","Rinsf"]}') }),
      'is not what it was',
    ],
    ['brings more than it had', (inside) => again({ ...inside, 'content/more.json': strToU8('{}') }), 'is not what it was'],
    ['is a bomb', (inside) => again({ ...inside, 'content/big.json': new Uint8Array(60_000_000) }), 'looks like an archive bomb'],
    [
      'points outside',
      (inside) => again({ ...inside, 'aa/xx.json': strToU8('{}') }, renamed('aa/xx.json', '../xx.json')),
      '“../xx.json” points outside the package',
    ],
    ['needs what nobody has', ({ 'Lantern.Steps-1.0/library.json': _, ...inside }) => again(inside), 'needs libraries that are not in the package'],
  ])('leaves a package behind that %s, says why, and comes all the same', async (_, other, words) => {
    const { id } = await withActivity();
    const before = await packagesOf(rival);
    const sent = await send(await exchanged(id, other), rival);
    const { data } = await look(sent, rival);
    expect(data).toMatchObject({ lessons: [{ topics: ['First', 'Again'] }], packages: { count: 0, bytes: 0, here: 0 } });
    expect(data.left_out).toEqual(['First', 'Again'].map((t) => expect.stringContaining(`“Wash well” in “${t}”: its package cannot be taken. `)));
    expect(data.left_out[0]).toContain(words);
    const { status, body } = await take(sent, await newCourse(rival), rival);
    expect([status, body.data.left_out]).toEqual([201, data.left_out]);
    expect(await activitiesOf(body.data.id)).toEqual([]);
    expect(await packagesOf(rival)).toEqual(before);
    expect(readdirSync(join(server.folder, 'uploads'))).toEqual([]);
  });

  it('brings its packages along, each once, to an organisation that has not got them', async () => {
    const { id, pack } = await withActivity();
    const { bytes } = await exported(id);
    const outside = unzipSync(bytes);
    expect(Object.keys(outside)).toEqual(['course.json', `packages/${pack.tree}.h5p`]);
    const description = CourseDescription.parse(JSON.parse(strFromU8(outside['course.json'] as Uint8Array)));
    expect(description.packages).toMatchObject([{ tree: pack.tree, bytes: pack.bytes, files: pack.files }]);
    const store = createFileStore(join(server.folder, 'files'));
    const filesOf = async (tree: string) => (await readTree(store, tree))?.files;

    const before = await packagesOf(rival);
    const first = await send(bytes, rival);
    const { data } = await look(first, rival);
    expect(courseInFile.response.safeParse(data).error).toBeUndefined();
    expect(data).toMatchObject({ packages: { count: 1, bytes: pack.bytes, here: 0 }, left_out: [] });
    expect(await packagesOf(rival)).toEqual(before);

    const { status, body } = await take(first, await newCourse(rival), rival);
    expect([status, importContent.response.safeParse(body.data).error, body.data.left_out]).toEqual([201, undefined, []]);
    const [theirs, ...more] = (await packagesOf(rival)).slice(before.length);
    expect(more).toEqual([]);
    expect(await filesOf(theirs?.tree ?? '')).toEqual(await filesOf(pack.tree));
    const listed = (await rival.json<Answer<H5p[]>>('GET', '/h5ps')).body.data;
    expect(listed).toMatchObject([{ title: 'Wash well', package: { id: theirs?.id, tree: theirs?.tree } }]);
    const played = { ...{ h5p_id: listed[0]?.id, title: 'Wash well' }, package: { id: theirs?.id, tree: theirs?.tree, bytes: pack.bytes } };
    expect(await activitiesOf(body.data.id)).toMatchObject([played, played]);
    expect(await documentOf(body.data.id)).toEqual(await documentOf(id));
    expect((await rival.json<Answer<Content>>('POST', `/content/${body.data.id}/publish`, {})).body.data.version).toBe(1);
    const bare = await zip(Object.fromEntries(Object.entries(h5pFiles()).filter(([name]) => !name.startsWith('Lantern'))));
    expect((await rival.json('POST', '/packages?kind=h5p', bare, { 'content-type': 'application/zip' })).status).toBe(201);

    // An imported package is recognised by its files, there and where it came from.
    const home = (await exported(body.data.id, rival)).bytes;
    for (const [by, file, tree] of [
      [rival, bytes, theirs?.tree],
      [author, home, pack.tree],
      [author, bytes, pack.tree],
    ] as const) {
      const had = await packagesOf(by);
      const sent = await send(file, by);
      expect((await look(sent, by)).data).toMatchObject({ packages: { count: 1, here: 1 }, left_out: [] });
      const made = (await take(sent, await newCourse(by), by)).body.data;
      expect((await activitiesOf(made.id)).map((a) => a.package.tree)).toEqual([tree, tree]);
      expect(await documentOf(made.id)).toEqual(await documentOf(id));
      expect(await packagesOf(by)).toEqual(had);
    }
  });

  it('leaves packages at home for which a course file has no room', async () => {
    const { id, pack } = await withActivity();
    const packages = packagesWith();
    const lessons = await lessonsOf(server.database.db, id);
    expect((await packages.leaving(lessons, pack.bytes - 1)).map((l) => l.line.tree)).toEqual([]);
    expect((await packages.leaving(lessons, pack.bytes + 5000)).map((l) => l.line.tree)).toEqual([pack.tree]);
  });

  it('takes no package of those who may not upload one on a server of one origin', async () => {
    const { id, pack } = await withActivity();
    const path = join(server.folder, 'one.course.zip');
    const { bytes } = await exported(id);
    writeFileSync(path, bytes);
    const course = JSON.parse(strFromU8(unzipSync(bytes)['course.json'] as Uint8Array)) as CourseDescription;
    const actor = {
      place: { id: rivalPlace },
      seesAll: false,
      user: { super_admin: false, permissions: [{ slug: 'content.create' }] },
    } as unknown as Actor;
    expect(await packagesWith(true).find(actor, path, course, true)).toEqual(
      new Map([[pack.tree, 'On this server only a super administrator can upload packages.']]),
    );
    expect(await packagesWith().find(actor, path, course, false)).toMatchObject(new Map([[pack.tree, { fresh: true, h5ps: [] }]]));
  });

  it('brings an activity along without its package only where that is', async () => {
    const files = unzipSync((await exported()).bytes);
    const course = JSON.parse(strFromU8(files['course.json'] as Uint8Array)) as CourseDescription;
    const block = {
      ...{ kind: 'h5p', item_id: 'i1', title: 'Try it', goal: 'completed', pass_percent: 0 },
      package: { id: content.id, tree: 'a'.repeat(64), bytes: 1, files: 1, main_library: 'H5P.X 1.0', licence: '', authors: [], source: null },
    } as unknown as Block;
    course.lessons[0]?.topics[0]?.blocks.push(block);
    // As exported before packages were included.
    delete course.packages;
    const sent = await send(Buffer.from(zipSync({ ...files, 'course.json': strToU8(JSON.stringify(course)) })));
    expect((await look(sent)).data.left_out).toEqual([
      'The activity “Try it” in “The basics false”: its package is neither in this file nor in your library. Add it there, then to the topic.',
    ]);
    const { body } = await take(sent, await newCourse());
    expect(await documentOf(body.data.id)).toEqual(await documentOf(content.id));
  });

  it('of designed pages comes back as the same pages, here and elsewhere', async () => {
    const design = designFrom('competence');
    design.pages[0]?.rows.push({
      id: 'pictured',
      blocks: [
        { id: crypto.randomUUID(), kind: 'picture', required: false, media: picture, alt: 'A sink', decorative: false, caption: '', spots: [] },
      ],
    });
    const made = await post<DesignedContent>('/designed-contents', { title: 'Lifting', course_id: await newCourse(), design });
    const { bytes } = await exported(made.data.id);
    const designOf = async (id: string, by: TestClient) =>
      (await by.json<Answer<DesignedContent>>('GET', `/designed-contents/${id}`)).body.data.design;
    for (const by of [author, rival]) {
      const sent = await send(bytes, by);
      const { data } = await look(sent, by);
      expect(data).toMatchObject({ pages: design.pages.map((p) => p.title), lessons: [], files: { count: 1 }, left_out: [] });
      const { status, body } = await take(sent, await newCourse(by), by, 'Lifting again');
      expect([status, body.data]).toEqual([201, expect.objectContaining({ designed: true, published: false })]);
      expect(await designOf(body.data.id, by)).toEqual(made.data.design);
    }
  });

  it('of another program becomes a draft, with what its pages show', async () => {
    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a07' } })
      .png()
      .toBuffer();
    const cartridge = zipSync({
      'imsmanifest.xml':
        strToU8(`<manifest><metadata><schema>IMS Common Cartridge</schema></metadata><organizations><organization><item><item><title>Why</title>
        <item identifierref="p"><title>Germs</title></item><item identifierref="d"><title>Talk</title></item></item></item></organization></organizations>
        <resources><resource identifier="p" type="webcontent" href="p.html"/><resource identifier="d" type="imsdt_xmlv1p3" href="d.xml"/></resources></manifest>`),
      'p.html': strToU8('<p>They travel.</p><script>alert(1)</script><img src="a.png" alt="A hand"><img src="b.png" alt="Damaged">'),
      'a.png': png,
      'b.png': png.subarray(0, 60),
    });
    const sent = await send(Buffer.from(cartridge));
    const { data } = await look(sent);
    expect(courseInFile.response.safeParse(data).error).toBeUndefined();
    expect(data).toMatchObject({
      ...{ organisation: 'Common Cartridge', exported_at: null, lessons: [{ title: 'Why', topics: ['Germs'] }], files: { count: 2, here: 0 } },
      left_out: ['The discussion “Talk” has no counterpart here.'],
    });
    const { status, body } = await take(sent, await newCourse(), author, 'Germs');
    expect([status, body.data.problems]).toEqual([201, []]);
    expect(body.data.left_out.at(-1)).toBe(
      'The file “b.png” is left out. This picture cannot be used. Choose a PNG, JPEG, WebP, GIF or SVG file of up to 100 megapixels.',
    );
    const topic = (await composed(server.database.db, body.data.id))?.document.lessons[0]?.topics[0];
    expect(topic?.blocks).toMatchObject([{ kind: 'text' }, { kind: 'image', alt: 'A hand', media: { type: 'image/webp' } }]);
    expect(JSON.stringify(topic)).not.toContain('alert');
  });

  it.each([
    ['no archive', () => Buffer.from('a letter'), 'cannot be read as a ZIP archive'],
    ['another archive', () => Buffer.from(zipSync({ 'a.txt': strToU8('a') })), 'There is no course.json'],
    ['a newer one', () => Buffer.from(zipSync({ 'course.json': strToU8('{"format":"lantern-course","schema":99}') })), 'exported by a newer version'],
    [
      'a broken one',
      () => Buffer.from(zipSync({ 'course.json': strToU8('{"format":"lantern-course","schema":1}') })),
      '“course.json” cannot be read at',
    ],
    ['no JSON', () => Buffer.from(zipSync({ 'course.json': strToU8('{') })), 'is no JSON'],
    ['deep JSON', () => Buffer.from(zipSync({ 'course.json': strToU8(`${'['.repeat(5000)}`) })), 'holds more than a course can'],
  ])('is refused in words where it is %s', async (_, bytes, words) => {
    const sent = await send(bytes());
    expect((await look(sent)).errors?.file?.[0]).toContain(words);
    expect((await take(sent, await newCourse())).status).toBe(422);
  });

  it('is exported by its owners, and imported by its uploader', async () => {
    expect((await exported(content.id, rival)).status).toBe(404);
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    expect((await exported(content.id, learner)).status).toBe(403);
    const sent = await send((await exported()).bytes);
    expect((await look(sent, rival)).code).toBe('not_found');
    expect((await take(sent, await newCourse(rival), rival)).status).toBe(404);
    expect((await take(sent, await newCourse(rival))).body.errors).toHaveProperty('course_id');
  });

  it('is not exported with more files than a course file can have', async () => {
    const { db } = server.database;
    const hashes = sql`(select f.hash from content_files f where f.entity_id = (select entity_id from contents where id = ${content.id}))`;
    await db.run(sql`update media set bytes = bytes + 600000000 where hash in ${hashes}`);
    try {
      const { status, body } = await author.json<{ errors: Record<string, string[]> }>('GET', `/content/${content.id}/export`);
      expect([status, body.errors.id?.[0]]).toEqual([422, expect.stringMatching(/^With its files it is \d+ MB, more than the 500 MB/)]);
    } finally {
      await db.run(sql`update media set bytes = bytes - 600000000 where hash in ${hashes}`);
    }
  });
});
