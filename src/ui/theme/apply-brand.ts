import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { readableShade, shadesOf } from '#src/ui/theme/colour.ts';

/** Puts an organisation's colours on the page, for everything that is drawn without the component library. */
export const applyBrand = (brand: Whitelabel) => {
  const { style } = document.documentElement;
  const shades = shadesOf(brand.colours.primary);
  for (const [i, shade] of shades.entries()) style.setProperty(`--brand-${i}`, shade);
  style.setProperty('--brand-filled', shades[readableShade(shades)]);
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', brand.colours.primary);
};
