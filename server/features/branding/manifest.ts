import type { Branding } from '#server/features/branding/branding.rows.ts';

type Manifest = { name: string; short_name: string; theme_color: string; background_color: string; icons: object[] };

/** The longest name that home screens show in full. */
const shortName = 12;

/** The web app manifest of an organisation: its name, icon and colours. `base` is the built manifest. */
export const manifestFor = (base: Manifest, { whitelabel, icons }: Branding): Manifest => ({
  ...base,
  name: whitelabel.companyName,
  short_name:
    whitelabel.companyName.length <= shortName ? whitelabel.companyName : (whitelabel.companyName.split(/\s+/)[0] ?? '').slice(0, shortName),
  theme_color: whitelabel.colours.primary,
  background_color: whitelabel.colours.secondary,
  icons: icons
    ? [
        { src: icons.small, sizes: '192x192', type: 'image/png' },
        { src: icons.large, sizes: '512x512', type: 'image/png' },
        { src: icons.maskable, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ]
    : base.icons,
});
