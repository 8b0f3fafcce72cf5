type Rgb = [number, number, number];
const parse = (hex: string): Rgb => [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)) as Rgb;
const print = (rgb: Rgb): string =>
  `#${rgb
    .map((v) =>
      Math.round(Math.min(255, Math.max(0, v)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
const mix = (a: Rgb, b: Rgb, share: number): Rgb => a.map((v, i) => v + ((b[i] as number) - v) * share) as Rgb;

/** The ten shades of a colour, from nearly white to nearly black, with the colour itself at index 5 (shade 500). */
export const shadesOf = (hex: string): [string, string, string, string, string, string, string, string, string, string] => {
  const base = parse(hex);
  const white: Rgb = [255, 255, 255];
  const black: Rgb = [12, 18, 26];
  return [
    ...[0.94, 0.84, 0.68, 0.48, 0.24].map((s) => print(mix(base, white, s))),
    hex,
    ...[0.16, 0.32, 0.48, 0.64].map((s) => print(mix(base, black, s))),
  ] as ReturnType<typeof shadesOf>;
};

const luminance = (hex: string): number => {
  const [r, g, b] = parse(hex).map((v) => {
    const c = v / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** The WCAG contrast ratio of two colours, 1 to 21. */
export const contrast = (a: string, b: string): number => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

/** The lightest shade, from the colour itself on, that is dark enough for white text (AA), as an index 5 to 9. */
export const readableShade = (shades: readonly string[]): 5 | 6 | 7 | 8 | 9 => {
  for (const index of [5, 6, 7, 8] as const) if (contrast(shades[index] as string, '#ffffff') >= 4.6) return index;
  return 9;
};

/** The shade of a brand colour that fills buttons and the mark: the lightest on which white text is readable. */
export const filledShade = (hex: string): string => {
  const shades = shadesOf(hex);
  return shades[readableShade(shades)];
};

/** Black or white: one of them has a contrast of at least 4.5:1 with any colour. */
export const readableInk = (ground: string): string => (contrast(ground, '#000000') >= contrast(ground, '#ffffff') ? '#000000' : '#ffffff');
