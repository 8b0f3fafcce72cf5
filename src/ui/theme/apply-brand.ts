import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { contrast, filledShade, shadesOf } from '#contract/rules/colour.ts';

/** The first of several shades that is readable on a background. */
const readableOn = (ground: string, shades: readonly string[]): string => shades.find((s) => contrast(s, ground) >= 4.6) ?? (shades.at(-1) as string);

/** A status colour in both schemes: a tint, and a text colour that is readable on it. */
const toneOf = (hex: string, tuned: string) => {
  // The product's own status colours are in the style sheet; `initial` keeps them.
  const defaults = { tint: 'initial', text: 'initial' };
  if (hex.toLowerCase() === tuned.toLowerCase()) return { light: defaults, dark: defaults };
  const shades = shadesOf(hex);
  const [light, dark] = [shades[1], shades[9]];
  return {
    light: { tint: light, text: readableOn(light, shades.slice(5)) },
    dark: { tint: dark, text: readableOn(dark, shades.slice(0, 5).reverse()) },
  };
};

/** An organisation's colours as CSS properties, for the whole page or for a preview. */
export const brandProperties = (brand: Whitelabel): Record<string, string> => {
  const shades = shadesOf(brand.colours.primary);
  const tones = { ok: 'success', warning: 'warning', danger: 'danger' } as const;
  return {
    ...Object.fromEntries(shades.map((shade, i) => [`--brand-${i}`, shade])),
    '--brand-filled': filledShade(brand.colours.primary),
    '--brand-accent': brand.colours.accent,
    '--traffic-ok': brand.trafficLightOk,
    '--traffic-warning': brand.trafficLightWarning,
    '--traffic-danger': brand.trafficLightDanger,
    ...Object.fromEntries(
      Object.entries(tones).flatMap(([tone, colour]) =>
        Object.entries(toneOf(brand.colours[colour], defaultWhitelabel.colours[colour])).flatMap(([scheme, { tint, text }]) => [
          [`--${tone}-tint-${scheme}`, tint],
          [`--${tone}-text-${scheme}`, text],
        ]),
      ),
    ),
  };
};

const linkOf = (rel: string) => document.querySelector<HTMLLinkElement>(`link[rel="${rel}"]`);
const point = (rel: string, href: string) => {
  const link = linkOf(rel);
  if (link && link.getAttribute('href') !== href) link.setAttribute('href', href);
};

/** Applies an organisation's colours to the page, its icon to the tab, and its name and icon to the installed app. */
export const applyBrand = (brand: Whitelabel) => {
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries(brandProperties(brand))) style.setProperty(name, value);
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', brand.colours.primary);
  point('icon', brand.favicon ?? '/icons/lantern.svg');
  point('apple-touch-icon', brand.favicon ?? '/icons/lantern-192.png');
  point('manifest', brand.slug ? `/manifest.webmanifest?slug=${encodeURIComponent(brand.slug)}` : '/manifest.webmanifest');
};
