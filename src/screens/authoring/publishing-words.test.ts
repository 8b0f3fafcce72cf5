import { describe, expect, it } from 'vitest';
import { canPublish, publishingWords } from '#src/screens/authoring/publishing-words.ts';

describe('publishing', () => {
  it('says which version people take, and whether what is written differs', () => {
    expect(publishingWords({ version: 0, published: false, has_changes: true })).toBe('Never published');
    expect(publishingWords({ version: 3, published: true, has_changes: false })).toBe('Version 3 is published');
    expect(publishingWords({ version: 3, published: true, has_changes: true })).toBe('Version 3 is published · there are changes that are not');
    expect(publishingWords({ version: 3, published: false, has_changes: true })).toBe('Withdrawn: version 3 was the last');
  });
  it('is offered where there is something to publish, and nothing in its way', () => {
    expect(canPublish({ problems: [], published: true, has_changes: true })).toBe(true);
    expect(canPublish({ problems: [], published: false, has_changes: false })).toBe(true);
    expect(canPublish({ problems: [], published: true, has_changes: false })).toBe(false);
    expect(canPublish({ problems: ['It has no lesson.'], published: false, has_changes: true })).toBe(false);
  });
});
