import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCourseFile } from '#server/features/content-creator/reading/read-course-file.ts';
import { zip } from '#tests/support/archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'cartridge-'));
afterAll(() => rmSync(folder, { recursive: true }));
const readAll = async (files: Record<string, string | Buffer>) => {
  const path = join(folder, 'file');
  writeFileSync(path, await zip(files));
  return readCourseFile({ path });
};
const refusal = (files: Record<string, string | Buffer>) =>
  readAll(files).then(
    () => 'taken',
    (error: { fields?: { file: string[] } }) => error.fields?.file[0] ?? String(error),
  );
const manifest = (
  items: string,
  resources: string,
) => `<?xml version="1.0"?><manifest identifier="m" xmlns:lomimscc="x"><metadata><schema>IMS Common Cartridge</schema>
<schemaversion>1.3.0</schemaversion><lomimscc:lom><lomimscc:general><lomimscc:title><lomimscc:string>Hand care</lomimscc:string></lomimscc:title></lomimscc:general></lomimscc:lom></metadata>
<organizations><organization><item identifier="root">${items}</item></organization></organizations><resources>${resources}</resources></manifest>`;
const item = (title: string, ref = '', inner = '') =>
  `<item identifier="i${title}"${ref && ` identifierref="${ref}"`}><title>${title}</title>${inner}</item>`;
const resource = (id: string, type: string, href: string) =>
  `<resource identifier="${id}" type="${type}" href="${href}"><file href="${href}"/></resource>`;
const quiz = `<questestinterop><assessment ident="a" title="Check"><section><item ident="q" title="T"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>cc_profile</fieldlabel><fieldentry>cc.true_false.v0p1</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext texttype="text/html">&lt;p&gt;Soap helps.&lt;/p&gt;</mattext></material><response_lid ident="r" rcardinality="Single"><render_choice><response_label ident="t"><material><mattext>True</mattext></material></response_label><response_label ident="f"><material><mattext>False</mattext></material></response_label></render_choice></response_lid></presentation>
<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes><respcondition continue="No"><conditionvar><varequal respident="r">t</varequal></conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing></item></section></assessment></questestinterop>`;

describe('a Common Cartridge', () => {
  it('becomes lessons, topics and quizzes in their order, with the files of its pages; the rest is named', async () => {
    const read = await readAll({
      'imsmanifest.xml': manifest(
        item('Why', '', item('Germs', 'p1') + item('On the web', 'l1') + item('Talk', 'd1') + item('Later')) +
          item(
            'How',
            '',
            item('Part', '', item('Steps', 'p2')) +
              item('The sheet', 'f1') +
              item('Check it', 'q1') +
              item('Gone', 'p9') +
              item('Lost', 'p8') +
              item('Tool', 't1'),
          ),
        resource('p1', 'webcontent', 'wiki_content/germs.html') +
          resource('p2', 'webcontent', 'wiki_content/the%20steps.html') +
          resource('p3', 'webcontent', 'wiki_content/loose.html') +
          resource('p9', 'webcontent', 'wiki_content/gone.html') +
          resource('l1', 'imswl_xmlv1p3', 'link.xml') +
          resource('d1', 'imsdt_xmlv1p3', 'talk.xml') +
          resource('t1', 'imsbasiclti_xmlv1p3', 'tool.xml') +
          resource('q1', 'imsqti_xmlv1p2/imscc_xmlv1p3/assessment', 'quiz.xml') +
          resource('f1', 'webcontent', 'web_resources/sheet.pdf') +
          resource('f2', 'webcontent', 'web_resources/my photo.png') +
          resource('f3', 'webcontent', 'web_resources/unused.png'),
      ),
      'wiki_content/germs.html':
        '<html><head><title>x</title></head><body><h2>Germs</h2><p>They travel.</p><script>alert(1)</script><p><img src="%24IMS_CC_FILEBASE%24/files/my%20photo.png?canvas=1" alt="A hand"> <a href="$WIKI_REFERENCE$/pages/steps">on</a></p></body></html>',
      'wiki_content/the steps.html': '<p>Wet, soap, rub. <a href="../web_resources/sheet.pdf">Sheet</a></p>',
      'wiki_content/loose.html': '<title>Alone</title><p>Of no module.</p>',
      'link.xml': '<webLink><title>NHS</title><url href="https://www.nhs.uk/hands"/></webLink>',
      'talk.xml': '<topic/>',
      'tool.xml': '<cartridge_basiclti_link/>',
      'quiz.xml': quiz,
      'web_resources/sheet.pdf': '%PDF-1.4',
      'web_resources/my photo.png': 'png',
      'web_resources/unused.png': 'other',
    });
    expect(read.content.title).toBe('Hand care');
    expect(read.lessons.map((l) => [l.title, l.topics.map((t) => `${t.title}: ${t.blocks.map((b) => b.kind).join(' ')}`)])).toEqual([
      ['Why', ['Germs: text image', 'On the web: text']],
      ['How', ['Steps: text download', 'The sheet: download']],
      ['Other pages', ['Alone: text']],
    ]);
    expect(JSON.stringify(read.lessons)).not.toContain('alert');
    expect(read.lessons[0]?.topics[0]?.blocks[1]).toMatchObject({ alt: 'A hand', media: { bytes: 3 } });
    expect(read.quizzes).toMatchObject([{ title: 'Check it', questions: [{ kind: 'true_false', prompt: 'Soap helps.', correct: true }] }]);
    expect(read.files.map((f) => f.path).sort()).toEqual(['web_resources/my photo.png', 'web_resources/sheet.pdf']);
    expect(read.left_out).toEqual([
      'In “Germs”: The link “on” led within the course, and is words now.',
      'The discussion “Talk” has no counterpart here.',
      'The heading “Later”: there is nothing below it.',
      'The page “Gone”: its file is not in the archive.',
      '“Lost” leads to something that is not in the file.',
      'The tool of another site “Tool” has no counterpart here.',
      'A file that no page shows: unused.png',
    ]);
  });
  it('is refused where there is nothing in it, and reads no file outside', async () => {
    expect(
      await refusal({ 'imsmanifest.xml': manifest(item('A', '', item('B', 'd1')), resource('d1', 'imsdt_xmlv1p3', 'x.xml')), 'x.xml': '<a/>' }),
    ).toContain('There is nothing in this Common Cartridge that can be taken. The discussion “B”');
    expect(await refusal({ 'imsmanifest.xml': '<manifest><metadata><schema>ADL SCORM</schema></metadata></manifest>' })).toContain(
      'Add a SCORM course as such',
    );
    const out = await readAll({
      'imsmanifest.xml': manifest(
        item('A', '', item('B', 'p1') + item('C', 'p2')),
        resource('p1', 'webcontent', 'p.html') + resource('p2', 'webcontent', '../../etc/passwd.html'),
      ),
      'p.html': '<p>Text</p><img src="../../../etc/passwd.png"><a href="/etc/a.pdf">x</a>',
    });
    expect(out.files).toEqual([]);
    expect(out.lessons[0]?.topics).toHaveLength(1);
  });
});
