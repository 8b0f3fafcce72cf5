import { readableInk } from '#contract/rules/colour.ts';

/** The organisation's traffic lights, as six-digit hex colours. */
export type Lights = { ok: string; warning: string; danger: string };
/** `bar` is seen on the page itself. */
export type Fills = { fill: string; ink: string; bar: string };
/** The colours of a drawing, taken from the page, so that they follow its scheme, its brand and a forced palette. */
export type Palette = {
  surface: string;
  group: string;
  line: string;
  lineStrong: string;
  text: string;
  soft: string;
  faint: string;
  tint: string;
  brand: string;
  brandInk: string;
  font: string;
  lights: Record<keyof Lights, Fills>;
};

/** Reads the colours of an element whose style names each of them for one of its parts, all at once (`.probe` in the style sheet). */
export const paletteOf = (probe: HTMLElement, lights: Lights): Palette => {
  const style = getComputedStyle(probe);
  const page = {
    ...{ surface: style.backgroundColor, text: style.color, group: style.borderTopColor, line: style.borderRightColor },
    ...{ lineStrong: style.borderBottomColor, soft: style.borderLeftColor, faint: style.columnRuleColor, tint: style.outlineColor },
    ...{ brand: style.textDecorationColor, brandInk: style.caretColor, font: style.fontFamily },
  };
  // A forced palette has no traffic lights: what needs doing is reversed, and the marks say which it is.
  const forced = matchMedia('(forced-colors: active)').matches;
  const plain = { fill: page.surface, ink: page.text, bar: page.text };
  const reversed = { fill: page.text, ink: page.surface, bar: page.text };
  if (forced) return { ...page, lights: { ok: plain, warning: plain, danger: reversed } };
  const of = (fill: string): Fills => ({ fill, ink: readableInk(fill), bar: fill });
  return { ...page, lights: { ok: of(lights.ok), warning: of(lights.warning), danger: of(lights.danger) } };
};
