import { Link } from 'react-router-dom';
import type { CertificateRow } from '#contract/entities/care-certificate.ts';
import { pathTo } from '#contract/site-map.ts';
import { formatDay } from '#src/lib/format.ts';
import { IconAlert, IconCheck, IconClock } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { StepsBar } from '#src/ui/steps-bar.tsx';
import { Badge } from '#src/ui/badge.tsx';

type Row = Pick<CertificateRow, 'id' | 'user' | 'met' | 'of' | 'standards_met' | 'standards_of' | 'approved_at' | 'waiting' | 'approval_ended'> & {
  about: string;
};

type State = Pick<CertificateRow, 'user' | 'met' | 'of' | 'approved_at' | 'waiting' | 'approval_ended'>;
/** The progress of one certificate. */
export const CertificateState = ({ row: { user, met, of, approved_at, waiting, approval_ended } }: { row: State }) =>
  approved_at ? (
    <Badge tone="ok" icon={IconCheck}>
      Approved {formatDay(approved_at)}
    </Badge>
  ) : waiting ? (
    <Badge tone="warning" icon={IconClock}>
      Awaiting approval
    </Badge>
  ) : approval_ended ? (
    <Badge tone="danger" icon={IconAlert}>
      Approval ended: {met} of {of}
    </Badge>
  ) : (
    <StepsBar done={met} of={of} label={`Criteria met by ${user.name}`} />
  );

/** One certificate in a list: its person and its progress. */
export const CertificateLine = ({ row }: { row: Row }) => (
  <Link to={pathTo('care-certificate-by-uuid', { uuid: row.id })} className={`app-card ${layout.row}`}>
    <span>
      <strong>{row.user.name}</strong>
      <small className={layout.soft}>{row.about}</small>
      <small className={layout.soft}>
        {row.standards_met} of {row.standards_of} standards
      </small>
    </span>
    <CertificateState row={row} />
  </Link>
);
