import { contrast, readableShade, shadesOf } from '#contract/rules/colour.ts';

const ratio = (value: number) => `${value.toFixed(1)} : 1`;
/** What WCAG 2.2 AA asks of text, and of a sign that means something. */
const [ofText, ofSigns] = [4.5, 3];

/** What the contrast of a colour asks for, in words; null where all is well. */
export const primaryNote = (hex: string): string | null => {
  const on = contrast(hex, '#ffffff');
  if (on >= ofText) return null;
  const shades = shadesOf(hex);
  return `White text on it could not be read (${ratio(on)}; it takes 4.5 : 1). Buttons and links use a darker shade of it, ${shades[readableShade(shades)]}.`;
};
export const signNote = (hex: string): string | null => {
  const on = contrast(hex, '#ffffff');
  return on >= ofSigns ? null : `Hard to see on white (${ratio(on)}; signs take 3 : 1). Words always stand beside it.`;
};
