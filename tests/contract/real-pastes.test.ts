// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getSchema } from '@tiptap/core';
import { DOMParser as ContentParser } from '@tiptap/pm/model';
import { describe, expect, it } from 'vitest';
import { Block } from '#contract/entities/content.ts';
import { blocksOf } from '#src/features/content-creator/topic-editor/document.ts';
import { cleanPaste } from '#src/screens/authoring/paste.ts';
import { topicExtensions } from '#src/features/content-creator/topic-editor/schema.ts';

/**
 * Real clipboard contents of other programs, and texts that try to run scripts: `SAMPLES=folder vitest run …`. They are not part of the
 * project; src/features/content-creator/topic-editor/paste.test.ts has pastes of our own.
 */
const samples = process.env.SAMPLES;
if (!samples) console.error('Real pastes of others are not tested here: SAMPLES names no folder of them.');

const schema = getSchema(topicExtensions());
const pasted = (source: string) => {
  const { html } = cleanPaste(source);
  const holder = document.createElement('div');
  holder.innerHTML = html;
  const doc = ContentParser.fromSchema(schema).parse(holder);
  doc.check();
  for (const block of blocksOf(doc)) expect(Block.safeParse(block).success).toBe(true);
  return { html, doc };
};

describe.runIf(samples)('real pastes of others', () => {
  const at = join(samples ?? '', 'authoring', 'paste');
  const files = samples ? readdirSync(at).filter((f) => f.endsWith('.html')) : [];
  it.each(files)('%s', (file) => {
    const source = readFileSync(join(at, file), 'utf8');
    const { html, doc } = pasted(source);
    expect(html).not.toMatch(/mso|<o:|style=|class=|file:|&nbsp;/i);
    expect(doc.textContent.trim()).not.toBe('');
    if (/<p[^>]*mso-list:\s*l\d/.test(source.slice(source.indexOf('<body'))) || /<li[\s>]/.test(source)) expect(html).toMatch(/<[uo]l/);
  });
  it('runs nothing of texts that try to', () => {
    const source = readFileSync(join(samples ?? '', 'security', 'xss', 'patt-XSS-Polyglot.md'), 'utf8');
    for (const line of source.split('\n').filter((l) => l.trim() !== '')) {
      const { html } = pasted(line);
      expect(html).not.toMatch(/<(?!\/?(p|div|h[2-4]|ul|ol|li|blockquote|table|tbody|thead|tr|t[dh]|details|summary|br|a|strong|em|figure)\b)/i);
      expect(html).not.toMatch(/<[^>]*\son\w+\s*=/i);
    }
  });
});
