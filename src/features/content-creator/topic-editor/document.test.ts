import { getSchema } from '@tiptap/core';
import { EditorState, NodeSelection, TextSelection } from '@tiptap/pm/state';
import { history, undo } from '@tiptap/pm/history';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Block, type Media } from '#contract/entities/content.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { topicProblems } from '#contract/rules/topic-problems.ts';
import { deleteParts, insertParts, moveParts, paragraphBelow } from '#src/features/content-creator/topic-editor/commands.ts';
import { blocksOf, documentOf, placeOf } from '#src/features/content-creator/topic-editor/document.ts';
import { topicExtensions } from '#src/features/content-creator/topic-editor/schema.ts';

const schema = getSchema(topicExtensions());
const media: Media = { hash: 'a'.repeat(64), url: '/media/a.jpg', type: 'image/jpeg', bytes: 9 };

const letters = fc.stringMatching(/^[a-zé’ .]{0,8}[a-z]$/);
const marks = fc.constantFrom<NonNullable<RichNode['marks']>>(
  [],
  [{ type: 'bold' }],
  [{ type: 'italic' }],
  [{ type: 'link', attrs: { href: 'https://example.org' } }],
);
/** Adjacent text nodes with the same marks are merged. */
const inline: fc.Arbitrary<RichNode[]> = fc
  .array(
    fc.oneof(
      fc.record({ text: letters, marks }).map(({ text, marks }): RichNode => ({ type: 'text', text, ...(marks.length > 0 ? { marks } : {}) })),
      fc.constant<RichNode>({ type: 'hardBreak' }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) =>
    all.filter(
      (n, i) =>
        n.type === 'hardBreak' || i === 0 || all[i - 1]?.type === 'hardBreak' || JSON.stringify(n.marks) !== JSON.stringify(all[i - 1]?.marks),
    ),
  );
const paragraph = inline.map((content): RichNode => ({ type: 'paragraph', content }));
const rich: fc.Arbitrary<RichNode> = fc.letrec<{ node: RichNode }>((tie) => {
  const body = fc.array(tie('node'), { minLength: 1, maxLength: 2 });
  const item = fc
    .tuple(paragraph, fc.array(tie('node'), { maxLength: 1 }))
    .map(([first, more]): RichNode => ({ type: 'listItem', content: [first, ...more] }));
  const items = fc.array(item, { minLength: 1, maxLength: 3 });
  const cell = fc
    .record({ type: fc.constantFrom('tableCell' as const, 'tableHeader' as const), content: body, colspan: fc.option(fc.constantFrom(2, 3)) })
    .map(({ type, content, colspan }): RichNode => ({ type, ...(colspan ? { attrs: { colspan } } : {}), content }));
  return {
    node: fc.oneof(
      { depthSize: 'small' },
      paragraph,
      fc.tuple(fc.constantFrom(2, 3, 4), inline).map(([level, content]): RichNode => ({ type: 'heading', attrs: { level }, content })),
      items.map((content): RichNode => ({ type: 'bulletList', content })),
      fc.tuple(items, fc.option(fc.integer({ min: 2, max: 9 }))).map(
        ([content, start]): RichNode => ({
          ...{ type: 'orderedList', content },
          ...(start ? { attrs: { start } } : {}),
        }),
      ),
      body.map((content): RichNode => ({ type: 'blockquote', content })),
      fc
        .tuple(letters, body)
        .map(([text, content]): RichNode => ({ type: 'details', content: [{ type: 'summary', content: [{ type: 'text', text }] }, ...content] })),
      fc
        .array(fc.array(cell, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
        .map((rows): RichNode => ({ type: 'table', content: rows.map((content) => ({ type: 'tableRow', content })) })),
    ),
  };
}).node;
const doc = fc.array(rich, { minLength: 1, maxLength: 3 }).map((content): RichNode => ({ type: 'doc', content }));
const block: fc.Arbitrary<Block> = fc.oneof(
  doc.map((d): Block => ({ kind: 'text', doc: d })),
  fc.record({ kind: fc.constant('callout' as const), tone: fc.constantFrom('remember' as const, 'danger' as const), title: letters, doc }),
  fc.record({ kind: fc.constant('image' as const), media: fc.constant(media), alt: letters, caption: fc.constant('') }),
  fc.record({ kind: fc.constant('download' as const), media: fc.constant(media), title: letters }),
  fc.record({ id: fc.uuid(), prompt: letters, value: fc.boolean() }).map(
    ({ id, prompt, value }): Block => ({
      kind: 'question',
      question: { id, kind: 'true_false', prompt },
      key: { kind: 'true_false', value, feedback: '' },
    }),
  ),
);
/** Adjacent text blocks are merged: readers cannot see where one ends. */
const merged = (blocks: readonly Block[]): Block[] => {
  const all: Block[] = [];
  for (const b of blocks) {
    const last = all.at(-1);
    if (b.kind === 'text' && last?.kind === 'text')
      all.splice(-1, 1, { kind: 'text', doc: { type: 'doc', content: [...(last.doc.content ?? []), ...(b.doc.content ?? [])] } });
    else all.push(b);
  }
  return all;
};

describe('a topic as one document', () => {
  it('comes back as the same blocks, with neighbouring texts as one', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
        const document = documentOf(schema, blocks);
        document.check();
        expect(blocksOf(document)).toEqual(merged(blocks));
        for (const b of blocksOf(document)) expect(Block.safeParse(b).success).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
  it('leaves out empty paragraphs around other blocks, and parts whose file is on its way', () => {
    const empty = schema.node('paragraph');
    const sending = schema.node('part', { block: { kind: 'image', media: null, alt: '', caption: '' }, sending: 'x' });
    const words = schema.node('paragraph', null, [schema.text('a')]);
    expect(blocksOf(schema.node('doc', null, [empty, sending, empty]))).toEqual([]);
    expect(blocksOf(schema.node('doc', null, [empty, words, empty, words, empty]))[0]).toMatchObject({
      doc: { content: [{}, { type: 'paragraph' }, {}] },
    });
    expect(blocksOf(documentOf(schema, []))).toEqual([]);
  });
  it('loses no word of a text that the editor has no place for', () => {
    const odd: RichNode = {
      type: 'bulletList',
      content: [
        { type: 'heading', content: [{ type: 'text', text: 'kept' }] },
        { type: 'text', text: 'too' },
      ],
    };
    const document = documentOf(schema, [
      {
        kind: 'text',
        doc: { type: 'doc', content: [odd, { type: 'text', text: 'bare' }, { type: 'paragraph', content: [{ type: 'text', text: '' }] }] },
      },
    ]);
    document.check();
    expect(document.textContent).toBe('kepttoobare');
  });
  it('says where each problem is', () => {
    const link: RichNode = { type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href: 'https://example.org' } }] };
    const list: RichNode = {
      type: 'bulletList',
      content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'see ' }, link] }] }],
    };
    const document = documentOf(schema, [
      { kind: 'text', doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'one' }] }] } },
      { kind: 'image', media, alt: '', caption: '' },
      { kind: 'text', doc: { type: 'doc', content: [list] } },
      { kind: 'callout', tone: 'danger', title: 'Careful', doc: { type: 'doc', content: [list] } },
    ]);
    const at = topicProblems(blocksOf(document)).map((p) => placeOf(document, p));
    const found = at.map((place) => place !== null && document.nodeAt(place));
    expect(found.map((n) => (n ? n.text || n.type.name : null))).toEqual(['part', 'here', 'here']);
    expect(new Set(at).size).toBe(3);
    expect(placeOf(document, { block: 9, path: [] })).toBeNull();
  });
});

describe('parts', () => {
  const p = (text: string): RichNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });
  const blocks: Block[] = [
    { kind: 'text', doc: { type: 'doc', content: [p('a'), p('b')] } },
    { kind: 'image', media, alt: 'picture', caption: '' },
    { kind: 'text', doc: { type: 'doc', content: [p('c'), { type: 'paragraph' }] } },
  ];
  const begin = () => {
    const document = documentOf(schema, blocks);
    return EditorState.create({ doc: schema.node('doc', null, [...document.children]), plugins: [history()] });
  };
  const names = (state: EditorState) => state.doc.children.map((n) => n.textContent || n.type.name).join(' ');
  const run = (state: EditorState, command: ReturnType<typeof moveParts>) => {
    let next = state;
    const done = command(state, (tr) => {
      next = state.apply(tr);
    });
    return { done, state: next };
  };
  const chooseNode = (state: EditorState, index: number) => {
    let at = 0;
    for (let i = 0; i < index; i++) at += state.doc.child(i).nodeSize;
    const node = state.doc.child(index);
    return state.apply(state.tr.setSelection(node.isAtom ? NodeSelection.create(state.doc, at) : TextSelection.create(state.doc, at + 1)));
  };

  it('move past their neighbours and stay chosen, and the move is undone', () => {
    let state = chooseNode(begin(), 2);
    expect(names(state)).toBe('a b part c paragraph');
    state = run(state, moveParts(-1)).state;
    expect(names(state)).toBe('a part b c paragraph');
    expect(state.selection).toBeInstanceOf(NodeSelection);
    state = run(state, moveParts(-1)).state;
    expect(run(state, moveParts(-1)).done).toBe(false);
    for (let i = 0; i < 3; i++) state = run(state, moveParts(1)).state;
    expect(names(state)).toBe('a b c part paragraph');
    expect(run(state, moveParts(1)).done).toBe(false);
    expect(names(run(state, undo).state)).toBe('a b part c paragraph');
    let text = chooseNode(begin(), 0);
    text = run(text, moveParts(1)).state;
    expect([names(text), text.selection.$from.parent.textContent]).toEqual(['b a part c paragraph', 'a']);
  });
  it('are deleted and inserted where the caret is', () => {
    const one = schema.node('part', { block: blocks[1], sending: null });
    expect(names(run(chooseNode(begin(), 2), deleteParts).state)).toBe('a b c paragraph');
    expect(names(run(chooseNode(begin(), 0), insertParts([one])).state)).toBe('a part b part c paragraph');
    expect(names(run(chooseNode(begin(), 4), insertParts([one])).state)).toBe('a b part c part');
    expect(names(run(chooseNode(begin(), 2), paragraphBelow).state)).toBe('a b part paragraph c paragraph');
    let all = EditorState.create({ doc: documentOf(schema, [{ kind: 'text', doc: { type: 'doc', content: [p('a')] } }]) });
    all = run(all, deleteParts).state;
    expect(names(all)).toBe('paragraph');
  });
});
