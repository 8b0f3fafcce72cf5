import { expect, it } from 'vitest';
import { cutText } from '#contract/rules/cut-text.ts';
import { isHoldable } from '#contract/rules/holdable-text.ts';

it('cuts a text without splitting a symbol', () => {
  expect(cutText('short', 10)).toBe('short');
  expect(cutText('abcdef', 3)).toBe('abc');
  for (let most = 0; most < 8; most++) {
    const cut = cutText('a😀b😀c', most);
    expect(cut.length).toBeLessThanOrEqual(most);
    expect(isHoldable(cut)).toBe(true);
  }
  expect(cutText('a😀b', 3)).toBe('a😀');
});
