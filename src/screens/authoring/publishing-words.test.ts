import { describe, expect, it } from 'vitest';
import { canPublish, publishingWords, publishTitle } from '#src/screens/authoring/publishing-words.ts';

describe('publishing', () => {
  it('says which version people take, and whether what is written differs', () => {
    expect(publishingWords({ version: 0, published: false, has_changes: true })).toBe('Never published');
    expect(publishingWords({ version: 3, published: true, has_changes: false })).toBe('Version 3 is published');
    expect(publishingWords({ version: 3, published: true, has_changes: true })).toBe('Version 3 is published · there are changes that are not');
    expect(publishingWords({ version: 3, published: false, has_changes: true })).toBe('Withdrawn: version 3 was the last');
  });
  it('names the version in its title only where there is no choice of it', () => {
    expect(publishTitle({ version: 2, published: true, has_changes: true })).toBe('Publish version 3');
    expect(publishTitle({ version: 2, published: false, has_changes: false })).toBe('Publish version 2 again');
    expect(publishTitle({ version: 2, published: false, has_changes: true })).toBe('Publish again');
  });
  it('is offered where there is something to publish, and nothing in its way', () => {
    const of = (problems: string[], published: boolean, version: number, has_changes: boolean) =>
      canPublish({ problems, published, version, has_changes });
    expect(of([], true, 2, true)).toBe(true);
    expect(of([], false, 0, true)).toBe(true);
    expect(of([], true, 2, false)).toBe(false);
    expect(of(['It has no lesson.'], false, 0, true)).toBe(false);
    expect(of(['It has no lesson.'], true, 2, true)).toBe(false);
    // A withdrawn version can be published again unchanged, whatever problems the working copy has.
    expect(of(['It has no lesson.'], false, 2, true)).toBe(true);
  });
});
