import * as z from 'zod/mini';
import { Line, NeededLine, WebAddress } from '#contract/entities/fields.ts';

export const Colour = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Enter a colour code, for example #04b5e3.'));

const Word = NeededLine(60);
const Margin = z.number().check(z.int('Enter a whole number.'), z.gte(1, 'Enter 1 or more.'), z.lte(100, 'Enter 100 or less.'));

/** An organisation's colours; shades 100 to 900 are generated from each. */
export const brandColours = ['primary', 'secondary', 'accent', 'danger', 'warning', 'success'] as const;
export type BrandColour = (typeof brandColours)[number];
export const brandPictures = ['logo', 'loginLogo', 'favicon'] as const;
export type BrandPicture = (typeof brandPictures)[number];

const words = {
  companyName: z.string().check(z.trim(), z.minLength(1, 'This field is required.'), z.maxLength(120, 'Use no more than 120 characters.')),
  entityAltName: Word,
  entitiesAltName: Word,
  certificateGroupMenuName: Word,
  primaryComplianceAltName: Word,
  secondaryComplianceAltName: Word,
};
const lights = { trafficLightOk: Colour, trafficLightWarning: Colour, trafficLightDanger: Colour };
const margins = { greenScoreBandLowerMargin: Margin, amberScoreBandLowerMargin: Margin };

/** The text fields of a branding; pictures are separate files. Absent or empty: inherited from the organisation above. */
export const whitelabelFields = {
  ...words,
  logoRedirectUrl: WebAddress,
  primary: Colour,
  secondary: Colour,
  accent: Colour,
  danger: Colour,
  warning: Colour,
  success: Colour,
  ...margins,
  ...lights,
};
export type WhitelabelField = keyof typeof whitelabelFields;
export const WhitelabelInput = z.strictObject(z.partial(z.object(whitelabelFields)).shape);
export const whitelabelNumbers: readonly WhitelabelField[] = ['greenScoreBandLowerMargin', 'amberScoreBandLowerMargin'];

/** An organisation's appearance and terms. Specification section 3; defaults in section 9. */
export const Whitelabel = z.object({
  slug: z.string(),
  ...words,
  logo: z.nullable(z.string()),
  loginLogo: z.nullable(z.string()),
  favicon: z.nullable(z.string()),
  logoRedirectUrl: z.nullable(z.string()),
  colours: z.object({ primary: Colour, secondary: Colour, accent: Colour, danger: Colour, warning: Colour, success: Colour }),
  greenScoreBandLowerMargin: z.number(),
  amberScoreBandLowerMargin: z.number(),
  ...lights,
});
export type Whitelabel = z.infer<typeof Whitelabel>;

/** An organisation's own choices: a value for each field that it does not inherit. */
export const OwnBranding = z.object({
  ...z.partial(z.object(whitelabelFields)).shape,
  logo: z.optional(z.string()),
  loginLogo: z.optional(z.string()),
  favicon: z.optional(z.string()),
});
export type OwnBranding = z.infer<typeof OwnBranding>;

/** Text on a certificate in addition to its facts. `signature` is the URL of a picture. Ours. */
export const certificateFields = {
  heading: NeededLine(80),
  statement: z.string().check(z.trim(), z.maxLength(300, 'Use no more than 300 characters.')),
  signatoryName: Line(100),
  signatoryRole: Line(100),
  showScore: z.boolean(),
  showExpiry: z.boolean(),
  showLogo: z.boolean(),
};
export type CertificateField = keyof typeof certificateFields;
export const CertificateInput = z.strictObject(z.partial(z.object(certificateFields)).shape);
export const certificateSwitches: readonly CertificateField[] = ['showScore', 'showExpiry', 'showLogo'];
export const CertificateBranding = z.object({ ...certificateFields, signature: z.nullable(z.string()) });
export type CertificateBranding = z.infer<typeof CertificateBranding>;
