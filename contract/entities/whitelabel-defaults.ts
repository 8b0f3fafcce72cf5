import type { CertificateBranding, Whitelabel } from '#contract/entities/whitelabel.ts';

/** The default branding. Specification section 9. */
export const defaultWhitelabel: Whitelabel = {
  slug: '',
  companyName: 'Lantern',
  logo: null,
  loginLogo: null,
  favicon: null,
  logoRedirectUrl: null,
  colours: {
    primary: '#04b5e3',
    secondary: '#ffffff',
    accent: '#FF4382',
    danger: '#F56565',
    warning: '#F6AD55',
    success: '#48BB78',
  },
  entityAltName: 'Entity',
  entitiesAltName: 'Entities',
  certificateGroupMenuName: 'Care Certificate',
  primaryComplianceAltName: 'Mandatory',
  secondaryComplianceAltName: 'Required',
  greenScoreBandLowerMargin: 85,
  amberScoreBandLowerMargin: 65,
  trafficLightOk: '#48bb78',
  trafficLightWarning: '#ffbf00',
  trafficLightDanger: '#e53e3e',
};

/** The certificate text used if neither the organisation nor one above it has its own. */
export const defaultCertificate: CertificateBranding = {
  heading: 'Certificate of completion',
  statement: '',
  signatoryName: '',
  signatoryRole: '',
  showScore: true,
  showExpiry: true,
  showLogo: true,
  signature: null,
};
