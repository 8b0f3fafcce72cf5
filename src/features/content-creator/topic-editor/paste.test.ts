// @vitest-environment jsdom
import { getSchema } from '@tiptap/core';
import { DOMParser as ContentParser } from '@tiptap/pm/model';
import { describe, expect, it } from 'vitest';
import { Block } from '#contract/entities/content.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { blocksOf } from '#src/features/content-creator/topic-editor/document.ts';
import { topicExtensions } from '#src/features/content-creator/topic-editor/schema.ts';
import { cleanPaste } from '#src/screens/authoring/paste.ts';

const schema = getSchema(topicExtensions());
/** A pasted text as a line for each part: `ul(a ul(b))`, `h2:Title`, `p:plain *bold* _italic_ [link](…)`. */
const outline = (node: RichNode): string => {
  const inner = (between = '') => (node.content ?? []).map(outline).join(between);
  const names: Partial<Record<RichNode['type'], string>> = {
    bulletList: 'ul',
    orderedList: 'ol',
    blockquote: 'quote',
    details: 'details',
    table: 'table',
  };
  switch (node.type) {
    case 'text':
      return (node.marks ?? []).reduce(
        (text, m) => (m.type === 'bold' ? `*${text}*` : m.type === 'italic' ? `_${text}_` : `[${text}](${m.attrs?.href})`),
        node.text ?? '',
      );
    case 'hardBreak':
      return '/';
    case 'heading':
      return `h${node.attrs?.level}:${inner()}`;
    case 'paragraph':
      return inner();
    case 'listItem':
    case 'tableCell':
    case 'tableHeader':
      return `${node.type === 'tableHeader' ? '#' : ''}${inner(' ')}`;
    case 'tableRow':
      return inner('|');
    case 'doc':
      return inner('\n');
    default:
      return `${names[node.type] ?? node.type}${node.attrs?.start ?? ''}(${inner(node.type === 'table' ? ' / ' : ', ')})`;
  }
};
const pasted = (html: string) => {
  const clean = cleanPaste(html);
  const holder = document.createElement('div');
  holder.innerHTML = clean.html;
  const doc = ContentParser.fromSchema(schema).parse(holder);
  doc.check();
  const blocks = blocksOf(doc);
  for (const block of blocks) expect(Block.safeParse(block).success).toBe(true);
  const text = blocks.map((b) => (b.kind === 'text' ? outline(b.doc) : b.kind)).join('\n');
  return { ...clean, doc, text };
};
const word = (body: string) => `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15"><!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- p.MsoNormal {mso-style-unhide:no; margin:0cm;} @list l0:level1 {mso-level-number-format:bullet;} --></style></head>
<body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->${body}<!--EndFragment--></body></html>`;
const item = (place: string, mark: string, text: string, name = 'MsoListParagraphCxSpMiddle') =>
  `<p class=${name} style='text-indent:-18.0pt;mso-list:${place}'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;

describe('what is pasted from Word', () => {
  it('keeps headings, bold, italic and links, and nothing of the look', () => {
    const { text } = pasted(
      word(`<p class=MsoTitle>Falls</p><h1 style='mso-style-link:x'><b>Why people fall<o:p></o:p></b></h1>
<p class=MsoNormal style='margin-bottom:8pt'><span lang=EN-GB style='font-size:12.0pt;color:red;mso-fareast-language:EN-US'>Most falls <b style='mso-bidi-font-weight:normal'>can be</b> <i>prevented</i>.&nbsp; See <a href="https://www.nice.org.uk/guidance"><span style='color:blue'>the guidance</span></a>.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p><h2>At night</h2>`),
    );
    expect(text).toBe(
      'h2:Falls\nh2:Why people fall\nMost falls *can be* _prevented_. See [the guidance](https://www.nice.org.uk/guidance).\nh3:At night',
    );
  });
  it('makes lists of its paragraphs, nested, ordered and going on after a text between them', () => {
    const { text } = pasted(
      word(
        item('l0 level1 lfo1', '·', 'Shoes', 'MsoListParagraphCxSpFirst') +
          item('l0 level2 lfo1', 'o', 'Laces') +
          item('l0 level1 lfo1', '·', 'Light') +
          '<p class=MsoNormal>Then:</p>' +
          item('l1 level1 lfo2', '1.', 'Call') +
          item('l1 level1 lfo2', '2.', 'Stay') +
          '<p class=MsoNormal>and after that</p>' +
          item('l1 level1 lfo2', '3.', 'Write'),
      ),
    );
    expect(text).toBe('ul(Shoes ul(Laces), Light)\nThen:\nol(Call, Stay)\nand after that\nol3(Write)');
  });
  it('keeps tables with cells that take several columns', () => {
    const cell = (text: string, more = '') =>
      `<td width=200 valign=top ${more} style='border:solid windowtext 1.0pt'><p class=MsoNormal>${text}<o:p></o:p></p></td>`;
    const { text, doc } = pasted(
      word(
        `<table class=MsoTableGrid border=1><thead><tr>${cell('When')}${cell('What')}</tr></thead><tr>${cell('Always', 'colspan=2')}</tr></table>`,
      ),
    );
    expect(text).toBe('table(#When|#What / Always)');
    expect(doc.firstChild?.lastChild?.firstChild?.attrs.colspan).toBe(2);
  });
});

describe('what is pasted from a web page', () => {
  it('runs nothing and takes nothing from elsewhere', () => {
    const { html, text, leftOut } = pasted(`<div onclick="alert(1)"><script>alert(1)</script><style>p{}</style><!-- <img src=x onerror=alert(1)> -->
<p onmouseover=alert(1)>Safe <a href="javascript:alert(1)">one</a> <a href=" data:text/html,x">two</a> <a href="/users">three</a> <a href="mailto:a@b.test">four</a></p>
<img src="https://tracker.test/a.png" width=400><img src=https://tracker.test/b.gif width=1 height=1><iframe src=https://x.test></iframe><svg onload=alert(1)><text>x</text></svg>
<form action=https://x.test><input value=y><button>Go</button></form><p style="display:none">hidden</p></div>`);
    expect(text).toBe('Safe one two three [four](mailto:a@b.test)');
    expect(html).not.toMatch(/on\w+=|script|style|https:/i);
    expect(leftOut).toBe(1);
  });
  it('takes pictures that came with it, and leaves what is no picture', () => {
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { pictures, doc, leftOut } = pasted(
      `<p>Before <img alt="A basin" src="data:image/png;base64,${dot}"> after</p><img src="data:image/svg+xml;base64,${dot}"><img src="file:///C:/a.png">`,
    );
    expect([...pictures.values()].map((f) => [f.name, f.type])).toEqual([['picture.png', 'image/png']]);
    expect(doc.children.map((n) => n.type.name)).toEqual(['paragraph', 'part', 'paragraph']);
    expect(doc.child(1).attrs).toMatchObject({ block: { kind: 'image', media: null, alt: 'A basin' }, sending: [...pictures.keys()][0] });
    expect(leftOut).toBe(2);
  });
  it('nests lists that stand beside their item, and understands weights', () => {
    const { text } = pasted(
      `<meta charset=utf-8><b style="font-weight:normal" id="docs-internal-guid-1"><ul><li><p><span style="font-weight:700">One</span></p></li><ol><li><p>Inner</p></li></ol><li>Two</li></ul></b>`,
    );
    expect(text).toBe('ul(*One* ol(Inner), Two)');
  });
  it('takes apart tables that are only there for the look, and parts of a page', () => {
    expect(pasted('<table><tr><td><p>Only</p><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>').text).toBe('Only\na\nb');
    expect(pasted('<main><article><h3>Title</h3><section><p>One<br>two</p></section><dl><dt>Term</dt><dd>Said</dd></dl></article></main>').text).toBe(
      'h2:Title\nOne/two\nTerm\nSaid',
    );
    expect(pasted('<details><summary>Why?</summary><p>So.</p></details>').text).toBe('details(summary(Why?), So.)');
  });
  it('takes a block of a topic only with a file of this app', () => {
    const copied = (url: string) =>
      `<figure data-pm-slice="0 0 []" data-topic-part='${JSON.stringify({ kind: 'image', media: { hash: 'a'.repeat(64), url, type: 'image/png', bytes: 1 }, alt: 'x', caption: '' })}'></figure>`;
    expect(pasted(copied('/media/a.png')).text).toBe('image');
    for (const url of ['https://x.test/a.png', '//x.test/a.png', 'javascript:alert(1)']) expect(pasted(copied(url)).text, url).toBe('');
    expect(pasted('<figure data-pm-slice="0 0 []" data-topic-part="{">x</figure>').text).toBe('x');
  });
  it('does not give up on what is very deep', () => {
    expect(pasted(`${'<ul><li>a'.repeat(60)}${'</li></ul>'.repeat(60)}`).text).toContain('a');
    expect(pasted(`${'<blockquote><details><summary>s</summary>'.repeat(40)}quoted`).text).toContain('quoted');
    expect(pasted(`${'<div><b>'.repeat(100)}deep`).text).toBe('*deep*');
  });
});

it('makes a copied question one of its own, and takes none with a picture of another site', () => {
  const question = { id: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', kind: 'true_false', prompt: 'Gloves replace washing.' };
  const key = { kind: 'true_false', value: false, feedback: '' };
  const copied = (block: object) => {
    const holder = document.createElement('div');
    const figure = document.createElement('figure');
    figure.setAttribute('data-topic-part', JSON.stringify(block));
    holder.append(figure);
    return blocksOf(ContentParser.fromSchema(schema).parse(holder));
  };
  const [block] = copied({ kind: 'question', question, key });
  expect(block).toMatchObject({ kind: 'question', question: { prompt: question.prompt }, key });
  expect(block?.kind === 'question' && block.question.id !== question.id).toBe(true);
  const media = { hash: 'a'.repeat(64), url: 'https://elsewhere.test/x.png', type: 'image/png', bytes: 1 };
  expect(copied({ kind: 'question', question: { ...question, picture: { media, alt: '' } }, key })).toEqual([]);
});
