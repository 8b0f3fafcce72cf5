import { readableInk } from '#contract/rules/colour.ts';

/** The organisation's traffic lights, as six-digit hex colours. */
export type Lights = { ok: string; warning: string; danger: string };
/** `bar` is drawn on the page's own background. */
export type Fills = { fill: string; ink: string; bar: string };
/** The colours of the canvas, read from the page, so that they follow its scheme, its brand and forced colours. */
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

/** Reads the palette from an element whose style has each colour in another property (`.probe` in matrix.module.css). */
export const paletteOf = (probe: HTMLElement, lights: Lights): Palette => {
  const style = getComputedStyle(probe);
  const page = {
    ...{ surface: style.backgroundColor, text: style.color, group: style.borderTopColor, line: style.borderRightColor },
    ...{ lineStrong: style.borderBottomColor, soft: style.borderLeftColor, faint: style.columnRuleColor, tint: style.outlineColor },
    ...{ brand: style.textDecorationColor, brandInk: style.caretColor, font: style.fontFamily },
  };
  // Forced colours have no traffic lights: cells that need action are inverted, and the marks tell them apart.
  const forced = matchMedia('(forced-colors: active)').matches;
  const plain = { fill: page.surface, ink: page.text, bar: page.text };
  const reversed = { fill: page.text, ink: page.surface, bar: page.text };
  if (forced) return { ...page, lights: { ok: plain, warning: plain, danger: reversed } };
  const fillsOf = (fill: string): Fills => ({ fill, ink: readableInk(fill), bar: fill });
  return { ...page, lights: { ok: fillsOf(lights.ok), warning: fillsOf(lights.warning), danger: fillsOf(lights.danger) } };
};
