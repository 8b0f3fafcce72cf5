import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadPackage } from '#contract/api/packages.ts';
import type { Block, ContentDocument } from '#contract/entities/content.ts';
import type { H5p, H5pVersion } from '#contract/entities/h5p.ts';
import type { CoursePackage, PackageProblem, ScormManifest } from '#contract/entities/package.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { readTree } from '#server/features/packages/package-trees.ts';
import { createFileStore, type FileStore } from '#server/files/file-store.ts';
import { h5pFiles, renamed, scormManifest, zip } from '#tests/support/archives.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('a course package', () => {
  let server: TestApp;
  let store: FileStore;
  let folder: string;
  let author: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    folder = server.folder;
    store = createFileStore(join(folder, 'files'));
    author = server.client();
    await author.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());

  type Answer = { data: CoursePackage; code: string; message: string; problems: PackageProblem[] };
  const upload = (kind: 'scorm' | 'h5p', bytes: Buffer, by: TestClient = author) =>
    by.json<Answer>('POST', `/packages?kind=${kind}`, bytes, { 'content-type': 'application/zip' });
  const page = { 'index.html': '<title>Before you lift</title>' };
  const course = (more = {}, manifest = scormManifest()) => zip({ 'imsmanifest.xml': manifest, ...page, ...more });

  it('is read, unpacked and named by its files; the same files again get another name', async () => {
    const bytes = await course({ 'pictures/hoist.png': randomBytes(2000) });
    const { status, body } = await upload('scorm', bytes);
    expect(status).toBe(201);
    expect(uploadPackage.response.safeParse(body.data).error).toBeUndefined();
    const manifest = body.data.manifest as ScormManifest;
    expect(manifest).toMatchObject({ standard: '1.2', title: 'Moving people safely', items: 1, scos: 1 });
    expect(manifest.activities[0]).toMatchObject({ id: 'one', href: 'index.html', kind: 'sco', mastery_score: 80, launch_data: 'a & b' });
    const tree = await readTree(store, body.data.tree);
    expect(Object.keys(tree?.files ?? {}).sort()).toEqual(['imsmanifest.xml', 'index.html', 'pictures/hoist.png']);
    const hash = tree?.files['index.html']?.[0] ?? '';
    expect((await store.get(hash))?.toString()).toBe(page['index.html']);
    expect((await upload('scorm', bytes)).body.data.tree).not.toBe(body.data.tree);
    expect((await author.json<Answer>('GET', `/packages/${body.data.id}`)).body.data).toEqual(body.data);
  });

  it('keeps the order, the depth and the addresses of its items', async () => {
    const manifest = scormManifest({
      items: `<item identifier="a"><title>Part A</title><item identifier="a1" identifierref="r1" parameters="?page=2"><title>A one</title></item></item>
        <item identifier="b" identifierref="r2" isvisible="false"><title>Part B</title></item>`,
      resources: `<resource identifier="r1" type="webcontent" xml:base="lessons/" adlcp:scormtype="sco" href="a%20b.html?x=1#top"/>
        <resource identifier="r2" type="webcontent" href="b.html"/>`,
    });
    const { body } = await upload('scorm', await zip({ 'imsmanifest.xml': manifest, 'lessons/a b.html': 'a', 'b.html': 'b' }));
    expect((body.data.manifest as ScormManifest).activities).toMatchObject([
      { id: 'a', href: null, kind: null, children: [{ id: 'a1', href: 'lessons/a%20b.html?x=1&page=2#top', kind: 'sco' }] },
      { id: 'b', href: 'b.html', kind: 'asset', visible: false },
    ]);
    expect(body.data.warnings).toEqual([]);
  });

  const refused: [string, 'scorm' | 'h5p', () => Promise<Buffer>, Partial<PackageProblem>][] = [
    ['something that is no archive', 'scorm', async () => Buffer.from('nothing'), { code: 'unreadable_archive' }],
    ['an archive that was cut short', 'scorm', async () => (await course()).subarray(0, -30), { code: 'unreadable_archive' }],
    [
      'a damaged file',
      'scorm',
      () => zip({ 'imsmanifest.xml': scormManifest(), ...page }, (b) => damaged(b, page['index.html'])),
      { code: 'unreadable_archive', file: 'index.html' },
    ],
    ['an archive without a manifest', 'scorm', () => zip(page), { code: 'not_a_package' }],
    [
      'a manifest in a folder',
      'scorm',
      () => zip({ 'course/imsmanifest.xml': scormManifest() }),
      { code: 'not_a_package', file: 'course/imsmanifest.xml' },
    ],
    ['an H5P activity as a SCORM course', 'scorm', () => zip(h5pFiles()), { code: 'not_a_package', remedy: 'Upload it as an H5P activity.' }],
    [
      'a name that points outside',
      'scorm',
      () => zip({ 'aa/xx.html': 'x', 'imsmanifest.xml': scormManifest() }, renamed('aa/xx.html', '../xx.html')),
      { code: 'unsafe_name', file: '../xx.html' },
    ],
    [
      'an absolute name',
      'scorm',
      () => zip({ 'axx.html': 'x', 'imsmanifest.xml': scormManifest() }, renamed('axx.html', '/xx.html')),
      { code: 'unsafe_name' },
    ],
    [
      'a drive',
      'scorm',
      () => zip({ 'a-xx.html': 'x', 'imsmanifest.xml': scormManifest() }, renamed('a-xx.html', 'c:xx.html')),
      { code: 'unsafe_name' },
    ],
    ['a bomb', 'scorm', () => zip({ 'imsmanifest.xml': scormManifest(), 'index.html': Buffer.alloc(60_000_000) }), { code: 'too_large' }],
    [
      'a manifest with a document type',
      'scorm',
      () => course({}, scormManifest({ head: '<!DOCTYPE manifest [<!ENTITY x SYSTEM "file:///etc/passwd">]>' })),
      { code: 'unsafe_xml' },
    ],
    ['a manifest that is not well-formed', 'scorm', () => course({}, scormManifest({ items: '<item identifier="a">' })), { code: 'malformed_xml' }],
    ['an organisation without identifier', 'scorm', () => course({}, scormManifest({ organisation: '' })), { code: 'invalid_manifest' }],
    [
      'an item of an unknown resource',
      'scorm',
      () => course({}, scormManifest({ items: '<item identifier="a" identifierref="nowhere"><title>A</title></item>' })),
      { code: 'invalid_manifest' },
    ],
    [
      'a page somewhere else',
      'scorm',
      () => course({}, scormManifest({ resources: '<resource identifier="r1" href="https://example.org/x.html"/>' })),
      { code: 'missing_file', file: 'https://example.org/x.html' },
    ],
    ['an activity without a definition', 'h5p', () => zip({ 'content/content.json': '{}' }), { code: 'not_a_package' }],
    ['a definition that is no JSON', 'h5p', () => zip(h5pFiles({ 'h5p.json': '{' })), { code: 'malformed_json', file: 'h5p.json' }],
    [
      'a library that names a missing file',
      'h5p',
      () =>
        zip({
          ...h5pFiles(),
          'Lantern.Steps-1.0/steps.js': '',
          'Lantern.Steps-1.0/library.json': String(h5pFiles()['Lantern.Steps-1.0/library.json']).replace('steps.js', 'walk.js'),
        }),
      { code: 'missing_file', file: 'Lantern.Steps-1.0/walk.js' },
    ],
    [
      'a folder of a library that holds another version of it',
      'h5p',
      () =>
        zip({
          ...h5pFiles(),
          'Lantern.Steps-1.0/library.json': String(h5pFiles()['Lantern.Steps-1.0/library.json']).replace('"minorVersion":0', '"minorVersion":1'),
        }),
      {
        code: 'invalid_definition',
        file: 'Lantern.Steps-1.0/library.json',
        problem: 'The folder “Lantern.Steps-1.0” contains the library Lantern.Steps 1.1, which must be in “Lantern.Steps-1.1”.',
      },
    ],
    [
      'libraries that are nowhere',
      'h5p',
      () => zip(h5pFiles({ 'content/content.json': JSON.stringify({ inside: { library: 'Lantern.Nowhere 2.1' } }) })),
      { code: 'missing_libraries', problem: 'The activity needs libraries that are not in the package: Lantern.Nowhere 2.1.' },
    ],
  ];
  const damaged = (bytes: Buffer, text: string) => {
    // Stored uncompressed: a changed byte shows only by the checksum.
    const at = bytes.indexOf(text);
    const copy = Buffer.from(bytes);
    if (at >= 0) copy[at] = (copy[at] as number) ^ 1;
    else {
      const name = bytes.indexOf('index.html') + 'index.html'.length;
      copy[name + 4] = (copy[name + 4] as number) ^ 255;
    }
    return copy;
  };
  it.each(refused)('refuses %s, and says what and how to mend it', async (_, kind, make, problem) => {
    const { status, body } = await upload(kind, await make());
    expect([status, body.code]).toEqual([422, 'package_refused']);
    expect(body.problems[0]).toMatchObject(problem);
    expect(body.problems[0]?.remedy).not.toBe('');
    expect(readdirSync(join(folder, 'uploads'))).toEqual([]);
  });

  it('says everything that is wrong at once', async () => {
    const items = '<item identifier="a" identifierref="x"/><item identifier="a" identifierref="y"/>';
    const { body } = await upload('scorm', await course({}, scormManifest({ items })));
    expect(body.problems.map((p) => p.problem)).toEqual([
      'The item “a” refers to the resource “x”, which is not in the manifest.',
      'Two items have the identifier “a”.',
      'The item “a” refers to the resource “y”, which is not in the manifest.',
    ]);
  });

  it('leaves out what a page cannot use, and says so; a page that is not there is said too', async () => {
    const { status, body } = await upload('scorm', await zip({ 'imsmanifest.xml': scormManifest(), 'setup.exe': 'MZ', '__MACOSX/._x': 'litter' }));
    expect(status).toBe(201);
    expect(body.data.warnings.map((w) => [w.code, w.file])).toEqual([
      ['missing_file', 'index.html'],
      ['left_out', 'setup.exe'],
    ]);
    expect(Object.keys((await readTree(store, body.data.tree))?.files ?? {})).toEqual(['imsmanifest.xml']);
  });

  it('answers others while it reads a manifest that takes long, and refuses what has too much in it', async () => {
    const uploaded = upload('scorm', await course({}, scormManifest({ items: '<a/>'.repeat(3_000_000) })));
    let longest = 0;
    let waiting = true;
    const answered = uploaded.finally(() => {
      waiting = false;
    });
    while (waiting) {
      const asked = performance.now();
      expect((await author.json('GET', '/check')).status).toBe(200);
      longest = Math.max(longest, performance.now() - asked);
    }
    const { status, body } = await answered;
    expect([status, body.problems[0]?.code]).toEqual([422, 'too_large']);
    expect(longest).toBeLessThan(3000);
  });

  it.each<[string, 'scorm' | 'h5p', () => Promise<Buffer>, number]>([
    ['items nested 2,000 deep', 'scorm', () => course({}, scormManifest({ items: '<item>'.repeat(2000) + '</item>'.repeat(2000) })), 422],
    ['JSON nested 100,000 deep', 'h5p', () => zip(h5pFiles({ 'content/content.json': '['.repeat(100_000) + ']'.repeat(100_000) })), 422],
    ['a title with NUL', 'h5p', () => zip(h5pFiles({ 'h5p.json': String(h5pFiles()['h5p.json']).replace('Wash', 'Wash\\u0000') })), 201],
    ['a title with half a character', 'h5p', () => zip(h5pFiles({ 'h5p.json': String(h5pFiles()['h5p.json']).replace('Wash', 'Wash\\ud800') })), 201],
    ['bytes around it', 'scorm', async () => Buffer.concat([Buffer.from('before'), await course(), Buffer.from('after')]), 201],
    ['backslashes', 'scorm', async () => renamed('pictures/a.png', 'pictures\\a.png')(await course({ 'pictures/a.png': 'x' })), 201],
  ])('is never the server’s fault: %s', async (_what, kind, make, expected) => {
    const { status, body } = await upload(kind, await make());
    expect(status).toBe(expected);
    if (status === 201) expect(body.data.warnings.map((w) => w.code)).toContain('mended');
  });

  it('says which hosts its pages load parts from, which will not be shown', async () => {
    const page = `<script async src="https://cdn.example/a.js"></script><link rel='stylesheet' href=//fonts.example/b.css><a href="https://read.example/">more</a><img src="own.png"><link rel="canonical" href="https://me.example/">`;
    const { status, body } = await upload('scorm', await zip({ 'imsmanifest.xml': scormManifest(), 'index.html': page }));
    expect(status).toBe(201);
    expect(body.data.warnings).toHaveLength(1);
    expect(body.data.warnings[0]).toMatchObject({ code: 'asks_elsewhere', file: 'index.html' });
    expect(body.data.warnings[0]?.problem).toContain('from cdn.example, fonts.example, first in “index.html”');
  });

  it('finds libraries that another activity of the organisation has brought, and no other organisation’s', async () => {
    const bare = h5pFiles();
    for (const name of Object.keys(bare)) if (name.startsWith('Lantern.Steps')) delete bare[name];
    const other = server.client();
    await other.signIn('admin@brightpath.test');
    expect((await upload('h5p', await zip(h5pFiles()))).status).toBe(201);
    expect((await upload('h5p', await zip(bare), other)).body.problems[0]?.code).toBe('missing_libraries');
    const { status, body } = await upload('h5p', await zip(bare));
    expect(status).toBe(201);
    expect(Object.keys((await readTree(store, body.data.tree))?.files ?? {})).toContain('Lantern.Steps-1.0/steps.js');
  });

  it('is uploaded and seen by who may, and by nobody else', async () => {
    const { body } = await upload('scorm', await course());
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    expect((await upload('scorm', await course(), learner)).status).toBe(403);
    const other = server.client();
    await other.signIn('admin@brightpath.test');
    expect((await other.json('GET', `/packages/${body.data.id}`)).status).toBe(404);
    expect((await author.json('POST', '/packages?kind=scorm', { a: 1 })).status).toBe(415);
  });

  it('is an activity of the organisation’s library, which no other organisation sees', async () => {
    type Answer = { data: H5p & H5p[]; meta: { total: number }; code: string; errors: Record<string, string[]> };
    const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, by: TestClient = author) =>
      by.json<Answer>(method, path, body);
    const pack = (await upload('h5p', await zip(h5pFiles()))).body.data;
    const scorm = (await upload('scorm', await course())).body.data;
    const before = (await call('GET', '/h5ps')).body.meta.total;
    expect((await call('POST', '/h5ps', { title: '  ', package_id: pack.id })).body.errors).toHaveProperty('title');
    expect((await call('POST', '/h5ps', { title: 'A course', package_id: scorm.id })).body.errors).toHaveProperty('package_id');
    const { status, body } = await call('POST', '/h5ps', { title: ' Wash 100 % ', package_id: pack.id });
    expect([status, body.data.title, body.data.package.id]).toEqual([201, 'Wash 100 %', pack.id]);
    const path = `/h5ps/${body.data.id}`;
    expect((await call('GET', '/h5ps?search=100%20%25')).body.data.map((h) => h.id)).toEqual([body.data.id]);
    expect((await call('GET', '/h5ps?search=100_')).body.data).toEqual([]);

    const other = server.client();
    await other.signIn('admin@brightpath.test');
    expect((await call('GET', '/h5ps', undefined, other)).body.data).toEqual([]);
    expect((await call('POST', '/h5ps', { title: 'Theirs', package_id: pack.id }, other)).status).toBe(404);
    for (const [method, more] of [['GET'], ['PATCH', { title: 'Mine now' }], ['DELETE']] as const)
      expect((await call(method, path, more, other)).status).toBe(404);

    const fresh = (await upload('h5p', await zip(h5pFiles({ 'content/content.json': '{"steps":["Wet"]}' })))).body.data;
    expect((await call('PATCH', path, { package_id: fresh.id })).body.data).toMatchObject({ title: 'Wash 100 %', package: { tree: fresh.tree } });
    expect((await call('PATCH', path, { title: 'Wash' })).body.data).toMatchObject({ title: 'Wash', package: { tree: fresh.tree } });
    // Courses made with the first package go on playing it.
    expect((await author.json('GET', `/packages/${pack.id}`)).status).toBe(200);
    expect((await call('DELETE', path)).status).toBe(204);
    const noted = await server.database.db.all<{ action: string; kind: string; name: string }>(
      sql`select action, subject_kind as kind, subject_name as name from audit_log where subject_id in (${body.data.id}, ${pack.id}) order by no`,
    );
    expect(noted).toEqual([
      { action: 'created', kind: 'package', name: 'Wash your hands' },
      { action: 'created', kind: 'h5p', name: 'Wash 100 %' },
      { action: 'updated', kind: 'h5p', name: 'Wash 100 %' },
      { action: 'updated', kind: 'h5p', name: 'Wash' },
      { action: 'deleted', kind: 'h5p', name: 'Wash' },
    ]);
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('GET', '/h5ps')).body.meta.total).toBe(before);
  });

  it('that an activity had is known with where it is used, can be its file again, and the present one is put into topics', async () => {
    const files = [];
    for (const step of ['Wet', 'Soap'])
      files.push((await upload('h5p', await zip(h5pFiles({ 'content/content.json': JSON.stringify({ steps: [step] }) })))).body.data.id);
    const [first = '', second = ''] = files;
    const { id } = (await author.json<{ data: H5p }>('POST', '/h5ps', { title: 'Steps', package_id: first })).body.data;
    type Topic = { id: string; rev: number; blocks: Block[] };
    const topic = (await author.json<{ data: Topic }>('POST', '/topics', { title: 'Hands', h5p_id: id })).body.data;
    const versions = async (by = author) => {
      const { status, body } = await by.json<{ data: H5pVersion[] }>('GET', `/h5ps/${id}/versions`);
      return { status, files: body.data?.map((v) => [v.no, v.package.id, v.current, v.topics.map((t) => t.title), v.by?.name]) };
    };
    const renew = (topic_ids: string[], by = author) => by.json<{ errors: object }>('POST', `/h5ps/${id}/topics`, { topic_ids });
    const name = 'Priya Raman';
    expect((await versions()).files).toEqual([[1, first, true, ['Hands'], name]]);
    for (const body of [{ title: 'Six steps' }, { package_id: second }]) await author.json('PATCH', `/h5ps/${id}`, body);
    expect((await versions()).files).toEqual([
      [2, second, true, [], name],
      [1, first, false, ['Hands'], name],
    ]);

    // Another activity with the same file is in no topic, and of two concurrent changes both are kept.
    const copy = (await author.json<{ data: H5p }>('POST', '/h5ps', { title: 'A copy', package_id: first })).body.data.id;
    expect((await author.json<{ data: H5pVersion[] }>('GET', `/h5ps/${copy}/versions`)).body.data[0]?.topics).toEqual([]);
    for (const package_id of [second, first, second, first, second]) {
      const changes = [{ package_id }, { title: 'The copy' }].map((body) => author.json('PATCH', `/h5ps/${copy}`, body));
      expect((await Promise.all(changes)).map((changed) => changed.status)).toEqual([200, 200]);
    }
    expect((await author.json<{ data: H5p }>('GET', `/h5ps/${copy}`)).body.data).toMatchObject({ title: 'The copy', package: { id: second } });

    const other = server.client();
    await other.signIn('admin@brightpath.test');
    expect([(await versions(other)).status, (await renew([topic.id], other)).status]).toEqual([404, 404]);
    expect((await renew([])).body.errors).toHaveProperty('topic_ids');
    // All of them or none.
    expect((await renew([topic.id, randomUUID()])).status).toBe(404);
    expect((await versions()).files?.[1]?.[3]).toEqual(['Hands']);
    expect((await renew([topic.id])).status).toBe(204);
    const now = (await author.json<{ data: Topic }>('GET', `/topics/${topic.id}`)).body.data;
    const [was, is] = [topic.blocks[0], now.blocks[0]];
    if (was?.kind !== 'h5p' || is?.kind !== 'h5p') throw new Error('no activity');
    // Work in the older file is not carried over to the other.
    expect([is.package.id, is.title, is.item_id === was.item_id, now.rev]).toEqual([second, was.title, false, topic.rev + 1]);
    expect((await renew([topic.id])).status).toBe(204);
    expect((await author.json<{ data: Topic }>('GET', `/topics/${topic.id}`)).body.data.rev).toBe(now.rev);

    await author.json('PATCH', `/h5ps/${id}`, { package_id: first });
    expect((await versions()).files?.map((v) => v?.slice(0, 4))).toEqual([
      [3, first, true, []],
      [2, second, false, ['Hands']],
      [1, first, false, []],
    ]);
    expect((await author.json('DELETE', `/h5ps/${id}`)).status).toBe(204);
  });

  it('of an activity is counted in the contents published with it, and in unfinished attempts', async () => {
    const { db } = server.database;
    const [content, activity] = [demoId('content:fire-safety'), demoId('h5p:look-round')];
    const counted = async (id: string) => {
      const [now] = (await author.json<{ data: H5pVersion[] }>('GET', `/h5ps/${id}/versions`)).body.data;
      return [now?.contents, now?.open, now?.topics.length];
    };
    expect(await counted(activity)).toEqual([0, 0, 0]);
    // A content of this organisation that is published with it, and which somebody has begun.
    const { document } = (await db.one<{ document: ContentDocument }>(sql`update content_versions set document = replace(document::text,
        '"item_id": "' || ${activity}::text || '"', '"item_id": "' || ${activity}::text || '", "h5p_id": "' || ${activity}::text || '"')::jsonb where content_id = ${content} returning document`)) as {
      document: ContentDocument;
    };
    expect(JSON.stringify(document)).toContain('h5p_id');
    await db.run(sql`update contents set entity_id = ${demoId('entity:group')} where id = ${content}`);
    await db.run(sql`insert into attempts (id, user_id, content_id, content_version, try_no, started_at)
      values (${randomUUID()}, ${demoId('user:learner@willowbrook.test')}, ${content}, ${document.version}, 1, now())`);
    expect(await counted(activity)).toEqual([1, 1, 0]);
    // Another activity with the same file is used nowhere.
    const copy = { title: 'A copy', package_id: demoId('package:h5p:look-round') };
    expect(await counted((await author.json<{ data: H5p }>('POST', '/h5ps', copy)).body.data.id)).toEqual([0, 0, 0]);
    // Nobody can begin it any more; people who have begun have not finished.
    await db.run(sql`update contents set published = false where id = ${content}`);
    expect(await counted(activity)).toEqual([0, 1, 0]);
  });
});
