import * as z from 'zod/mini';

export const Colour = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Use a colour such as #04b5e3.'));

/** How an organisation looks and what it calls things. Specification section 3; defaults from section 9. */
export const Whitelabel = z.object({
  slug: z.string(),
  companyName: z.string(),
  logo: z.nullable(z.string()),
  loginLogo: z.nullable(z.string()),
  favicon: z.nullable(z.string()),
  logoRedirectUrl: z.nullable(z.string()),
  colours: z.object({
    primary: Colour,
    secondary: Colour,
    accent: Colour,
    danger: Colour,
    warning: Colour,
    success: Colour,
  }),
  entityAltName: z.string(),
  entitiesAltName: z.string(),
  certificateGroupMenuName: z.string(),
  primaryComplianceAltName: z.string(),
  secondaryComplianceAltName: z.string(),
  greenScoreBandLowerMargin: z.number(),
  amberScoreBandLowerMargin: z.number(),
  trafficLightOk: Colour,
  trafficLightWarning: Colour,
  trafficLightDanger: Colour,
});
export type Whitelabel = z.infer<typeof Whitelabel>;
