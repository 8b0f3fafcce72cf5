import { contrast, readableShade, shadesOf } from '#contract/rules/colour.ts';

const ratio = (value: number) => `${value.toFixed(1)} : 1`;
/** WCAG 2.2 AA contrast for text and for meaningful graphics. */
const [ofText, ofSigns] = [4.5, 3];

/** A warning about the contrast of a colour, or null. */
export const primaryNote = (hex: string): string | null => {
  const on = contrast(hex, '#ffffff');
  if (on >= ofText) return null;
  const shades = shadesOf(hex);
  return `White text on this colour would not be readable (${ratio(on)}; at least 4.5 : 1 is needed). Buttons and links use a darker shade, ${shades[readableShade(shades)]}.`;
};
export const signNote = (hex: string): string | null => {
  const on = contrast(hex, '#ffffff');
  return on >= ofSigns ? null : `Hard to see on white (${ratio(on)}; symbols need 3 : 1). It is always shown with text.`;
};
