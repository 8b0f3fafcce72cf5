import { expect, it } from 'vitest';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { contrast } from '#contract/rules/colour.ts';
import { brandTheme } from '#src/ui/theme/brand-theme.ts';

it('keeps white text on red readable, whichever shade a brand’s own colour asks for', () => {
  const reds = brandTheme(defaultWhitelabel).colors?.red ?? [];
  expect(reds).toHaveLength(10);
  for (const shade of reds.slice(5)) expect(contrast(shade, '#ffffff')).toBeGreaterThanOrEqual(4.5);
});
