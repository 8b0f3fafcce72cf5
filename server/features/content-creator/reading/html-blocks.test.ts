import { expect, it } from 'vitest';
import { Block } from '#contract/entities/content.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { blocksOfHtml } from '#server/features/content-creator/reading/html-blocks.ts';

const nothing = { picture: () => null, file: () => null };
const media = { hash: 'a'.repeat(64), url: '', type: '', bytes: 9 };
/** A text in short: `h2:Title`, `ul(a, ul(b))`, `*bold*`, `_italic_`, `[words](address)`. */
const outline = (node: RichNode): string => {
  const inner = (between = '') => (node.content ?? []).map(outline).join(between);
  if (node.type === 'text')
    return (node.marks ?? []).reduce(
      (text, m) => (m.type === 'bold' ? `*${text}*` : m.type === 'italic' ? `_${text}_` : `[${text}](${m.attrs?.href})`),
      node.text ?? '',
    );
  if (node.type === 'hardBreak') return '/';
  if (node.type === 'heading') return `h${node.attrs?.level}:${inner()}`;
  if (node.type === 'paragraph') return inner();
  if (node.type === 'doc') return inner('\n');
  if (node.type === 'listItem' || node.type === 'tableCell') return inner(' ');
  if (node.type === 'tableHeader') return `#${inner(' ')}`;
  if (node.type === 'tableRow') return inner('|');
  return `${{ bulletList: 'ul', orderedList: 'ol' }[node.type as 'bulletList'] ?? node.type}${node.attrs?.start ?? ''}(${inner(node.type === 'table' ? ' / ' : ', ')})`;
};
const read = (html: string, named: Parameters<typeof blocksOfHtml>[1] = nothing) => {
  const page = blocksOfHtml(html, named);
  for (const block of page.blocks) expect(Block.safeParse(block).error).toBeUndefined();
  return { ...page, text: page.blocks.map((b) => (b.kind === 'text' ? outline(b.doc) : b.kind)).join('\n') };
};

it('keeps what a topic can hold', () => {
  const page = read(`<html><head><title>Clean
    hands</title><style>p{color:red}</style></head><body><h3>Why</h3><div><p>Wash <b>your</b> <i>hands</i>,<br>always. See
    <a href="https://www.nhs.uk">the NHS</a></p>loose words<ul><li>soap<ol start=3><li>wet</ol></li><li><p>water</p></li></ul></div>
    <h5>When</h5><table><thead><tr><td>A</td><th>B</th></tr></thead><tr><td colspan=2>C</td></tr></table>
    <blockquote>Said<blockquote>twice</blockquote></blockquote><details><summary>More</summary>Inside</details><table><tr><td><p>Only look</p></td></tr></table></body></html>`);
  expect(page.title).toBe('Clean hands');
  expect(page.text).toBe(
    `h2:Why
Wash *your* _hands_,/always. See [the NHS](https://www.nhs.uk)
loose words
ul(soap ol3(wet), water)
h3:When
table(#A|#B / C)
blockquote(Said, twice)
details(summary(More), Inside)
Only look`,
  );
  expect(page.changed).toEqual([]);
});

it('lets nothing live that runs, is hidden or leads into this app', () => {
  const page = read(
    `<script>alert(1)</script><p onclick="alert(1)">One<img src=x onerror="alert(1)"></p><p><a href="javascript:alert(1)">two</a> <a href="/users">three</a> <a href="#top">four</a></p>
    <p hidden>no</p><div style="display:none">no</div><template><p>no</p></template><svg><script>alert(1)</script><text>no</text></svg><noscript>no</noscript>
    <p style="background:url(javascript:alert(1))">five</p><form action="javascript:alert(1)"><button>no</button><p>six</p></form><math><mtext><img src=x onerror=alert(1)></mtext></math>`,
  );
  expect(page.text).toBe('One\ntwo three four\nfive\nsix');
  expect(JSON.stringify(page.blocks)).not.toMatch(/alert|script|onerror/);
  expect(page.changed).toHaveLength(3);
});

it('puts pictures, files and films after what they stood in; what is elsewhere becomes a link', () => {
  const page = read(
    `<p><img src="a.png" alt="A sink"></p><p>Text <img src="b.png" alt="b.png"> and <a href="sheet.pdf">the sheet</a>.</p><ul><li>item <img src="a.png"></li></ul>
    <video src="wash.mp4"></video><iframe src="//www.youtube.com/embed/1" title="A film"></iframe><object data="gone.swf"></object><img src="https://elsewhere.test/x.png"><img src="t.gif" width=1 height=1>`,
    {
      picture: (source, alt) => (source.startsWith('http') ? null : { kind: 'image', media, alt, caption: '' }),
      file: (address, title) => (/pdf|mp4/.test(address) ? { kind: 'download', media, title } : null),
    },
  );
  expect(page.text).toBe('image\nText and the sheet.\nimage\ndownload\nul(item)\nimage\n[A film](https://www.youtube.com/embed/1)\ndownload');
  expect(page.blocks.flatMap((b) => (b.kind === 'image' ? [b.alt] : []))).toEqual(['A sink', '', '']);
  expect(page.changed).toEqual([
    'What is shown there from www.youtube.com becomes a link.',
    'What is played from “gone.swf” is not in the file.',
    expect.stringMatching(/x.png. is not taken/),
  ]);
});

it('reads what is deep, broken or long in time', () => {
  expect(read(`${'<div>'.repeat(50_000)}deep`).blocks).toEqual([]);
  expect(read(`${'<b>'.repeat(5000)}deep`).blocks.length).toBeLessThan(2);
  expect(read(`${'<ul><li>a'.repeat(300)}`).blocks.length).toBeGreaterThanOrEqual(0);
  const long = read('<p>word word word</p>'.repeat(30_000));
  expect(long.changed).toEqual([expect.stringMatching(/too long/)]);
});
