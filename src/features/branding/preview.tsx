import shapes from '#src/ui/shapes.module.css';
import type { CSSProperties } from 'react';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import classes from '#src/features/branding/branding.module.css';
import { Badge } from '#src/ui/badge.tsx';
import { LanternMark } from '#src/ui/lantern-mark.tsx';
import { traffic } from '#src/ui/traffic.ts';
import { brandProperties } from '#src/ui/theme/apply-brand.ts';

const Sign = ({ brand, logo, height }: { brand: Whitelabel; logo: string | null; height: number }) => (
  <span className={classes.sign}>
    {logo ? <img src={logo} alt="" height={height} /> : <LanternMark size={height} />}
    <strong>{brand.companyName}</strong>
  </span>
);

/** A non-interactive preview of the app in both colour schemes: header, page, status colours and sign-in. */
export const Preview = ({ brand }: { brand: Whitelabel }) => (
  <div
    className={shapes.tiles}
    style={brandProperties(brand) as CSSProperties}
    role="img"
    aria-label={`Preview: ${brand.companyName} in its colours`}
  >
    {(['light', 'dark'] as const).map((scheme) => (
      <div key={scheme} className={classes.preview} data-mantine-color-scheme={scheme} aria-hidden>
        <div className={classes.bar}>
          <Sign brand={brand} logo={brand.logo} height={28} />
        </div>
        <div className={classes.body}>
          <span className={classes.tab}>{brand.entitiesAltName}</span>
          <span className={classes.tab} data-quiet>
            {brand.certificateGroupMenuName}
          </span>
          <div className={classes.card}>
            <strong>Fire safety</strong>
            <small>{brand.primaryComplianceAltName}</small>
            <span className={classes.button}>Continue</span>
          </div>
          <div className={classes.tones}>
            <Badge tone="ok">Done</Badge>
            <Badge tone="warning">Due soon</Badge>
            <Badge tone="danger">Overdue</Badge>
          </div>
          <div className={classes.lights}>
            <i className={traffic} data-tone="ok" /> {brand.greenScoreBandLowerMargin} % and more
            <i className={traffic} data-tone="warning" /> {brand.amberScoreBandLowerMargin} %
            <i className={traffic} data-tone="danger" /> below
          </div>
        </div>
      </div>
    ))}
    <div className={classes.preview} data-mantine-color-scheme="light" aria-hidden>
      <div className={classes.login}>
        <Sign brand={brand} logo={brand.loginLogo ?? brand.logo} height={44} />
        <div className={classes.card}>
          <strong>Sign in</strong>
          <span className={classes.button}>Sign in</span>
        </div>
      </div>
    </div>
  </div>
);
