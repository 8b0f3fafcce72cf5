import { createTheme, type MantineColorsTuple } from '@mantine/core';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { readableShade, shadesOf } from '#contract/rules/colour.ts';

/** The library's dark greys, in the same blue-black as the page and its cards. */
const darkShades: MantineColorsTuple = ['#d5dfe4', '#b4c2c9', '#93a5ae', '#7d909a', '#4b5d66', '#33444c', '#223038', '#192328', '#131c20', '#0c1215'];

/** The library's reds, dark enough for white text from the first on that a brand's shade can choose. */
const redShades: MantineColorsTuple = ['#fff5f5', '#ffe3e3', '#ffc9c9', '#ffa8a8', '#ff8787', '#d13434', '#c92a2a', '#b82525', '#a62020', '#8f1b1b'];

/** Mantine's theme in an organisation's colours, with a darker shade if white text on the brand colour is not readable. */
export const brandTheme = (brand: Whitelabel) => {
  const primary = shadesOf(brand.colours.primary);
  const shade = readableShade(primary);
  return createTheme({
    colors: { brand: primary as unknown as MantineColorsTuple, dark: darkShades, red: redShades },
    primaryColor: 'brand',
    primaryShade: { light: shade, dark: shade },
    fontFamily: "'Atkinson Hyperlegible Next Variable', 'Atkinson Hyperlegible Next', system-ui, sans-serif",
    headings: { fontFamily: "'Atkinson Hyperlegible Next Variable', system-ui, sans-serif", fontWeight: '700' },
    defaultRadius: 'md',
    cursorType: 'pointer',
    focusRing: 'always',
    respectReducedMotion: true,
    components: {
      Button: { defaultProps: { size: 'md', mih: 44 } },
      ActionIcon: { defaultProps: { size: 44 } },
      // An option list hidden while its field scrolls into view sometimes does not reappear.
      Combobox: { defaultProps: { hideDetached: false } },
      ...Object.fromEntries(
        [
          'TextInput',
          'PasswordInput',
          'Textarea',
          'Select',
          'NativeSelect',
          'Autocomplete',
          'MultiSelect',
          'NumberInput',
          'Radio',
          'RadioGroup',
          'Checkbox',
        ].map((field) => [field, { defaultProps: { size: 'md' } }]),
      ),
    },
  });
};
