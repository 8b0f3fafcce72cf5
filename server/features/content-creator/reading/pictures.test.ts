import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { questionFileLimits } from '#contract/entities/question-file.ts';
import { packageLimits } from '#contract/entities/package.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';
import { whyNoPicture } from '#server/features/content-creator/reading/pictures.ts';
import { readCourseFile } from '#server/features/content-creator/reading/read-course-file.ts';
import { readQuestionFile, readQuestionPictures } from '#server/features/content-creator/reading/read-question-file.ts';
import { zip } from '#tests/support/archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'question-pictures-'));
const out = join(folder, 'out');
const path = join(folder, 'file');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(out, { recursive: true, force: true }));

/** Bytes that begin like a picture; `name` distinguishes them. */
const png = (name: string) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(name)]);
const svg = (inside: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);
const written = (bytes: string | Buffer) => writeFileSync(path, bytes);
/** Reads a file, and its questions from 0 on with their pictures: each picture by its path, its words and what it says in the file. */
const read = async (bytes: string | Buffer, ...chosen: number[]) => {
  written(bytes);
  const { questions } = await readQuestionFile({ path });
  // Reading a file returns nothing of its pictures.
  expect(questions.flatMap((q) => (q.question ? picturesOf(q.question) : []))).toEqual([]);
  const into = join(folder, 'kept');
  const taken = await readQuestionPictures({ path, into, chosen });
  const said = new Map(taken.pictures.map((p) => [p.hash, readFileSync(p.file, 'latin1').slice(8)]));
  for (const { file } of taken.pictures) rmSync(file);
  expect(readdirSync(folder)).toEqual(['file']);
  return {
    found: questions.map((q) => [q.pictures, q.why]),
    notes: questions.flatMap((q) => q.notes),
    options: taken.questions.map(({ question }) => ('options' in question ? question.options.map((o) => o.text) : [])),
    taken: taken.questions.map(({ question }) =>
      picturesOf(question).map(({ path: at, picture: { alt, decorative, media } }) => [
        at,
        alt,
        ...(decorative ? ['decorative'] : []),
        said.get(media.hash),
      ]),
    ),
  };
};

const file = (name: string, bytes = png(name), folderOf = '/') =>
  `<file name="${name}" path="${folderOf}" encoding="base64">${bytes.toString('base64').replace(/(.{20})/g, '$1\n')}</file>`;
const html = (tag: string, text: string, files = '', more = '') => `<${tag} format="html"${more}><text><![CDATA[${text}]]></text>${files}`;
const answer = (fraction: number, text: string, files = '', said = '') => `${html('answer', text, files, ` fraction="${fraction}"`)}${said}</answer>`;
const moodle = (type: string, ...inside: string[]) =>
  `<quiz><question type="${type}"><name><text>N</text></name>${inside.join('')}</question></quiz>`;

describe('a picture in Moodle XML', () => {
  it('comes from beside the text that shows it, one to a question and one to an answer; others are named', async () => {
    const asked = html(
      'questiontext',
      '<p>What is this?<img src="@@PLUGINFILE@@/in/a%20sink.png?time=1" alt="A sink"><img src="@@PLUGINFILE@@/b.png"></p>',
      file('a sink.png', png('SINK'), '/in/') + file('b.png'),
    );
    const all = await read(
      moodle(
        'multichoice',
        `${asked}</questiontext><single>true</single>`,
        answer(100, '<img src="@@PLUGINFILE@@/c.png" alt="Soap">', file('c.png', png('SOAP'))),
        answer(0, 'Sand<img src="@@PLUGINFILE@@/d.png" alt="" role="presentation">', file('d.png', png('SAND'))),
        answer(
          0,
          'Oil<img src="https://example.org/o.png" alt="Oil">',
          '',
          `${html('feedback', '<img src="@@PLUGINFILE@@/f.png">', file('f.png'))}</feedback>`,
        ),
        answer(50, 'Milk<img src="@@PLUGINFILE@@/gone.png"><img src="@@PLUGINFILE@@/m.png">', file('m.png', png('MILK'))),
      ),
      0,
    );
    expect(all).toEqual({
      found: [[4, null]],
      taken: [
        [
          ['picture', 'A sink', 'SINK'],
          ['options.0.picture', '', 'decorative', 'SOAP'],
          ['options.1.picture', '', 'decorative', 'SAND'],
          ['options.3.picture', '', 'MILK'],
        ],
      ],
      options: [['Soap', 'Sand', 'Oil', 'Milk']],
      notes: [
        'One of its pictures comes without words for people who do not see it: write them, or say that it is decorative.',
        'One picture is left behind (“b.png”): a question has one picture here. Add it by hand if the question needs it.',
        'One picture is left behind (“f.png”): only a question and an answer to choose have a picture here. Add it by hand if the question needs it.',
        'One picture is left behind (“Oil”): on a website. Add it by hand if the question needs it.',
        'One picture is left behind (“gone.png”): not in this file. Add it by hand if the question needs it.',
        'Part of the marks for “Milk” is left behind: it counts as wrong.',
        'An answer that was only a picture has the words for it as its text: see that they do not tell which is right.',
      ],
    });
  });
  it('comes whole where it is long, beside what only looks like one', async () => {
    const long = png('x'.repeat(20_000));
    const asked = html('questiontext', `Why?<img src="@@PLUGINFILE@@/a.png" alt="It"><i>${'A'.repeat(5000)}</i>`, file('a.png', long));
    const aside = `<!-- <file>${'B'.repeat(5000)}</file> --><hint><text>${'C'.repeat(5000)}&amp;</text></hint>`;
    expect((await read(moodle('essay', `${asked.replace(/<i>.*<\/i>/, '<i>]</i>')}</questiontext>${aside}`), 0)).taken).toEqual([
      [['picture', 'It', 'x'.repeat(20_000)]],
    ]);
    // What stands within a section stays there.
    expect((await read(moodle('essay', `${asked}</questiontext>`))).found).toEqual([[0, expect.stringContaining('2,000 characters')]]);
  });
  it('comes as old programs wrote it, and in a text with gaps', async () => {
    const image = `<image>old/x.png</image><image_base64>${png('OLD').toString('base64')}</image_base64>`;
    expect((await read(moodle('essay', '<questiontext><text>Why?</text></questiontext>', image), 0)).taken).toEqual([[['picture', '', 'OLD']]]);
    const cloze = html('questiontext', 'Use <img src="@@PLUGINFILE@@/a.png" alt="It"> {1:SHORTANSWER:=soap}.', file('a.png', png('GAP')));
    expect((await read(moodle('cloze', `${cloze}</questiontext>`), 0)).taken).toEqual([[['picture', 'It', 'GAP']]]);
  });
});

const manifest = (resources: string, head = '') => `<manifest identifier="m">${head}<organizations/><resources>${resources}</resources></manifest>`;
const listed = (type: string, href: string) => `<resource identifier="${href}" type="${type}" href="${href}"><file href="${href}"/></resource>`;
const item2 = (prompt: string, first: string) =>
  `<assessmentItem identifier="i" title="N" adaptive="false"><responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration><itemBody>${prompt}<choiceInteraction responseIdentifier="R"><prompt>Which?</prompt><simpleChoice identifier="a">${first}</simpleChoice><simpleChoice identifier="b">Sand</simpleChoice></choiceInteraction></itemBody></assessmentItem>`;

describe('a picture in QTI', () => {
  it('comes from the archive, by its path from the item, as img and as object', async () => {
    const one = item2('<p><img src="../img/a%20b.png" alt="A &quot;sink&quot;"/></p>', '<object type="image/png" data="soap.png">A bar</object>');
    const archive = await zip({
      'imsmanifest.xml': manifest(listed('imsqti_item_xmlv2p1', 'items/i.xml') + listed('imsqti_item_xmlv2p1', 'items/j.xml')),
      ...{ 'items/i.xml': one, 'items/j.xml': item2('<img src="img/a b.png" alt=""/>', 'Soap<img src="../../x.png" alt="Out"/>') },
      ...{ 'img/a b.png': png('SINK'), 'items/soap.png': png('SOAP'), 'x.png': png('OUT') },
    });
    expect(await read(archive, 1, 0)).toMatchObject({
      found: [
        [2, null],
        [1, null],
      ],
      taken: [
        [['picture', '', 'SINK']],
        [
          ['picture', 'A "sink"', 'SINK'],
          ['options.0.picture', '', 'decorative', 'SOAP'],
        ],
      ],
    });
    // An item alone has no files beside it.
    expect((await read(one)).notes).toContainEqual(expect.stringContaining('not in this file'));
  });
  it('comes in QTI 1.2 as matimage, in the text and by the folder of a cartridge', async () => {
    const label = (id: string, inside: string) => `<response_label ident="${id}"><material>${inside}</material></response_label>`;
    const quiz = `<questestinterop><assessment title="C"><section><item ident="q" title="One"><presentation><material><mattext texttype="text/html">&lt;p&gt;What?&lt;img src="$IMS-CC-FILEBASE$/in/sink.png" alt="A sink"&gt;&lt;/p&gt;</mattext></material><response_lid ident="r" rcardinality="Single"><render_choice>${label('1', '<mattext>Soap</mattext><matimage uri="soap.png" imagtype="image/png" label="A bar"/>')}${label('2', `<mattext>Sand</mattext><matimage imagtype="image/png" embedded="base64">${png('SAND').toString('base64')}</matimage>`)}</render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar><varequal respident="r">1</varequal></conditionvar><setvar>100</setvar></respcondition></resprocessing></item></section></assessment></questestinterop>`;
    const archive = await zip({
      'imsmanifest.xml': manifest(
        listed('imsqti_xmlv1p2/imscc_xmlv1p1/assessment', 'q/quiz.xml'),
        '<metadata><schema>IMS Common Cartridge</schema></metadata>',
      ),
      ...{ 'q/quiz.xml': quiz, 'q/soap.png': png('SOAP'), 'web_resources/in/sink.png': png('SINK') },
    });
    expect((await read(archive, 0)).taken).toEqual([
      [
        ['picture', 'A sink', 'SINK'],
        ['options.0.picture', 'A bar', 'SOAP'],
        ['options.1.picture', '', 'SAND'],
      ],
    ]);
    // So they do where the whole cartridge becomes a course; there each picture is a file of it.
    const course = await readCourseFile({ path });
    const pictures = course.quizzes.flatMap((q) => q.questions.flatMap(picturesOf)).map((p) => p.picture.media.hash);
    const paths = pictures.map((hash) => course.files.find((f) => f.hash === hash)?.path);
    expect(paths).toEqual(['web_resources/in/sink.png', 'q/soap.png']);
  });
});

describe('a picture within a text', () => {
  it('comes from its address where that holds it', async () => {
    const data = `data:image/png;base64,${png('DATA').toString('base64')}`.replace(/([=:])/g, '\\$1');
    const drawn = `data:image/svg+xml,${encodeURIComponent(svg('<circle/>').toString())}`.replace(/([=:])/g, '\\$1');
    const all = await read(
      `[html]Where?<img src\\="${data}" alt\\="A ward">{=Here<img alt\\=x src\\="${drawn}"> ~Off<img src\\="data\\:text/html,x">}`,
      0,
    );
    expect(all.taken).toEqual([
      [
        ['picture', 'A ward', 'DATA'],
        ['options.0.picture', 'x', expect.stringContaining('circle')],
      ],
    ]);
    expect(all.notes).toEqual(['One picture is left behind: no picture. Add it by hand if the question needs it.']);
  });
});

describe('a picture that is none, or hostile', () => {
  const one = (name: string, bytes: Buffer<ArrayBuffer>) =>
    moodle('essay', `${html('questiontext', `Why?<img src="@@PLUGINFILE@@/${name}" alt="It">`, file(name, bytes))}</questiontext>`);
  it.each([
    ['a page', Buffer.from('<html><script>alert(1)</script></html>'), 'no PNG, JPEG, WebP, GIF or SVG'],
    ['nothing', Buffer.alloc(0), 'empty'],
    ['a drawing with a script', svg('<script>alert(1)</script>'), 'a drawing (SVG) that does more than draw'],
    ['a drawing that reacts', svg('<g onclick="alert(1)"/>'), 'a drawing (SVG) that does more than draw'],
  ])('is named, and its question comes all the same: %s', async (_, bytes, why) => {
    expect(await read(one('x.png', bytes), 0)).toEqual({
      ...{ found: [[0, null]], taken: [[]], options: [[]] },
      notes: [`One picture is left behind (“It”): ${why}. Add it by hand if the question needs it.`],
    });
    expect(whyNoPicture(svg('<path d="M0 0"/>'))).toBeNull();
  });
  it('is left where it is larger than a picture may be, and where there are more than may come of one file', async () => {
    const archive = (files: Record<string, Buffer>, tags: string) =>
      zip({ 'imsmanifest.xml': manifest(listed('imsqti_item_xmlv2p1', 'i.xml')), 'i.xml': item2(tags, 'Soap'), ...files });
    const large = Buffer.alloc(packageLimits.readBytes + 1, 'x');
    const all = await read(await archive({ 'large.png': large, 'a.png': png('A') }, '<img src="large.png" alt=""/><img src="a.png" alt="A"/>'), 0);
    expect(all.taken).toEqual([[['picture', 'A', 'A']]]);
    expect(all.notes[0]).toMatch(/“large.png”\): larger than \d+ MB/);
    const many = Array.from(
      { length: questionFileLimits.pictures + 1 },
      (_, i) => `[html]Q<img src\\="data\\:image/png;base64,${png(String(i)).toString('base64').replaceAll('=', '\\=')}" alt\\="It">{T}`,
    );
    const found = await read(many.join('\n\n'));
    expect(found.found.map(([n]) => n)).toEqual([...many.slice(1).map(() => 1), 0]);
    expect(found.notes).toEqual([expect.stringContaining(`${questionFileLimits.pictures} pictures`)]);
  });
  it('costs nobody else anything: only what was chosen is written, and only what could be taken can be chosen', async () => {
    const two = `${one('a.png', png('A')).replace('</quiz>', '')}${one('b.png', png('B')).replace('<quiz>', '').replace('</quiz>', '')}<question type="essay"><name><text/></name><questiontext><text/></questiontext></question></quiz>`;
    expect((await read(two, 1)).taken).toEqual([[['picture', 'It', 'B']]]);
    await expect(readQuestionPictures({ path, into: out, chosen: [2] })).rejects.toMatchObject({ fields: { questions: [expect.any(String)] } });
    await expect(readQuestionPictures({ path, into: out, chosen: [999] })).rejects.toMatchObject({ fields: { questions: [expect.any(String)] } });
  });
});
