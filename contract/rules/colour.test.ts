import { describe, expect, it } from 'vitest';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { contrast, readableShade, shadesOf } from '#contract/rules/colour.ts';

describe('a brand colour', () => {
  it('has ten shades around itself, from light to dark', () => {
    const shades = shadesOf('#04b5e3');
    expect(shades).toHaveLength(10);
    expect(shades[5]).toBe('#04b5e3');
    const light = shades.map((s) => contrast(s, '#000000'));
    expect([...light].sort((a, b) => b - a)).toEqual(light);
  });
  it('becomes darker if white text would not be readable on it', () => {
    for (const colour of [...Object.values(defaultWhitelabel.colours), '#0b7a75', '#ffff00', '#2b4c8c']) {
      const shades = shadesOf(colour);
      expect(contrast(shades[readableShade(shades)] as string, '#ffffff'), colour).toBeGreaterThanOrEqual(4.5);
    }
  });
});
