import { createRequire } from 'node:module';
import { dayIn, dayWords } from '#contract/rules/days.ts';

/** A typeface with the letters of all names; only the used glyphs are embedded. */
const require = createRequire(import.meta.url);
export const typeface = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};

export const dayInPdf = (instant: string, zone: string): string => dayWords(dayIn(instant, zone));
