import { expect, it } from 'vitest';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { outsideLinks } from '#contract/rules/outside-links.ts';

it('finds links to other sites once, and none that work without a connection', () => {
  const link = (text: string, href: string, bold = false): RichNode => ({
    ...{ type: 'text', text },
    marks: [...(bold ? [{ type: 'bold' as const }] : []), { type: 'link', attrs: { href } }],
  });
  const doc: RichNode = {
    type: 'doc',
    content: [
      { type: 'paragraph', content: [link('The ', 'https://www.nhs.uk/a'), link('guidance', 'https://www.nhs.uk/a', true)] },
      { type: 'bulletList', content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [link(' ', 'http://example.org')] }] }] },
      { type: 'paragraph', content: [link('Call', 'tel:111'), link('here', '/courses'), link('mail', 'mailto:a@example.org')] },
    ],
  };
  expect(outsideLinks([doc])).toEqual([
    { words: 'The guidance', host: 'www.nhs.uk' },
    { words: 'example.org', host: 'example.org' },
  ]);
});
