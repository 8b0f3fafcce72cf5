import { Button, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import type { Approval as Said, CareCertificate } from '#contract/entities/care-certificate.ts';
import type { CertificateReview } from '#contract/entities/care-overview.ts';
import { can } from '#contract/can.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { pathErrorsOf } from '#src/api/field-errors.ts';
import type { Result } from '#src/api/transport.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { usePin } from '#src/device/use-pin.ts';
import evidence from '#src/features/care-certificates/evidence.module.css';
import type { CertificateView } from '#src/features/care-certificates/use-certificate.ts';
import { doubtWords, signedHow } from '#src/features/care-certificates/words.ts';
import { countOf, formatDay, formatMoment } from '#src/lib/format.ts';
import { useUnsaved } from '#src/screens/unsaved.ts';
import { useAction } from '#src/screens/use-action.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { noteServerCertificate } from '#src/offline/kinds/certificate/commands.ts';
import { IconAlert, IconCheck, IconClock } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Drawn } from '#src/ui/signature-pad.tsx';
import { type Proof, Signer } from '#src/ui/signer.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Section } from '#src/ui/section.tsx';

type ReasonProps = { label: string; value: string; error: string | undefined; onChange: (to: string) => void };
const Reason = ({ onChange, ...field }: ReasonProps) => (
  <Textarea autosize maxLength={1000} {...field} onChange={(e) => onChange(e.currentTarget.value)} />
);

type AskProps = {
  label: string;
  /** The labels of the confirming and the cancelling button. */
  action: string;
  cancel: string;
  send: (reason: string) => Promise<Result<CareCertificate>>;
  success: string;
  onClose: () => void;
};
/** An action that needs a reason. */
const AskReason = ({ label, action, cancel, send, success, onClose }: AskProps) => {
  const db = usePersonDb();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  useUnsaved(useId(), reason.trim() !== '');
  const sending = useAction(
    async () => {
      const result = await send(reason);
      if (result.kind === 'ok') await noteServerCertificate(db, result.data);
      return result;
    },
    { success, onDone: onClose, onFailed: (errors) => setError(Object.values(errors)[0]) },
  );
  return (
    <>
      <Reason
        label={label}
        value={reason}
        error={error}
        onChange={(to) => {
          setReason(to);
          setError(undefined);
        }}
      />
      <div className={layout.tools}>
        <Button variant="default" loading={sending.busy} onClick={() => void sending.run()}>
          {action}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {cancel}
        </Button>
      </div>
    </>
  );
};

/** The review of a certificate before it is signed, with everything for and against approving it. */
const Sheet = ({ review }: { review: CertificateReview }) => {
  const checked = review.samples.filter((s) => s.agrees !== null);
  const doubted = checked.filter((s) => s.agrees === false);
  return (
    <>
      <ul className={layout.lines} aria-label="Standards">
        {review.standards.map((s) => (
          <li key={s.code}>
            <span>
              <strong>
                {s.code} {s.title}
              </strong>
              <small className={layout.soft}>
                {s.met} of {s.of} · {s.assessors.length > 0 ? `assessed by ${s.assessors.join(', ')}` : 'no decision yet'}
                {s.last_met_at ? ` · ${formatDay(s.last_met_at)}` : ''}
              </small>
            </span>
            <Badge tone={s.met === s.of ? 'ok' : 'warning'}>
              {s.met === s.of ? <IconCheck size={18} /> : <IconAlert size={18} />}
              {s.met === s.of ? 'Met' : 'Open'}
            </Badge>
          </li>
        ))}
      </ul>
      <section aria-label="Signatures" className={layout.block} style={{ padding: 0 }}>
        <strong>Signatures</strong>
        {review.doubtful.length === 0 ? (
          <p className={layout.count}>Everybody has signed {countOf(review.records, 'record')}.</p>
        ) : (
          <>
            <p className={layout.notice} data-tone="warning">
              {review.doubtful.length} of {countOf(review.records, 'record')} {review.doubtful.length === 1 ? 'is' : 'are'} not signed by everybody,
              or not agreed to.
            </p>
            <ul className={layout.lines} aria-label="Records with open points">
              {review.doubtful.map((r) => (
                <li key={r.record_id}>
                  <span>
                    {formatMoment(r.done_at)} · {r.assessor}
                    <small className={layout.soft}>
                      {r.doubts.map((d) => doubtWords[d]).join(' ')} {r.criteria.length > 0 && countOf(r.criteria.length, 'criterion', 'criteria')}
                    </small>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      <section aria-label="Quality sample" className={layout.block} style={{ padding: 0 }}>
        <strong>Quality sample</strong>
        <p className={layout.count}>
          {review.samples.length === 0
            ? 'None of these records was chosen to be looked at again.'
            : `${countOf(review.samples.length, 'record was', 'records were')} chosen, ${checked.length} looked at again.`}
        </p>
        {doubted.map((s) => (
          <p key={s.id} className={layout.notice} data-tone="warning">
            {s.checked_by?.name} would have decided differently on the record of {formatDay(s.done_at)} by {s.assessor.name}: {s.note}
          </p>
        ))}
      </section>
    </>
  );
};

const Review = ({ view, onDone }: { view: CertificateView; onDone: () => void }) => {
  const db = usePersonDb();
  const me = useSession();
  const pin = usePin(me?.uuid ?? null);
  const { id, user, rev } = view.certificate;
  // Bound to its revision: later entries need another review.
  const { state, retry } = useReadOf(['review', id, rev], (signal) => call('GET /care-certificates/{id}/review', { params: { id } }, { signal }));
  const [reason, setReason] = useState('');
  const [refused, setRefused] = useState<string>();
  const approve = async (review: CertificateReview, proof: Proof): Promise<string | null> => {
    const body = { approved: true, reason, signature: { ...proof, rev: review.rev } };
    const result = await call('POST /care-certificates/{id}/approval', { params: { id }, body });
    if (result.kind !== 'ok') {
      if (result.kind === 'refused' && result.error.code === 'rev_mismatch') {
        notify('error', 'Something was recorded in the meantime. This is the review as it stands now.');
        retry();
      }
      const { reason: missing, ...others } = pathErrorsOf(result);
      setRefused(missing);
      return missing ? 'One more thing is missing, above.' : (Object.values(others)[0] ?? null);
    }
    await noteServerCertificate(db, result.data);
    notify('success', `The certificate of ${user.name} is approved.`);
    return null;
  };
  if (state.kind !== 'loaded')
    return (
      <ReadPlaceholder
        state={state}
        retry={retry}
        loading="Loading the review"
        offline="Approving needs a connection, so that what others recorded is included."
      />
    );
  const review = state.data;
  return (
    <>
      <Sheet review={review} />
      {review.doubtful.length > 0 && (
        <Reason
          label="Why you approve it although not everybody has signed"
          value={reason}
          error={refused}
          onChange={(to) => {
            setReason(to);
            setRefused(undefined);
          }}
        />
      )}
      <Signer name={me?.name ?? ''} label="Your signature" action="Approve" pin={pin} signedIn onSign={(proof) => approve(review, proof)} />
      <Button variant="subtle" color="gray" onClick={onDone} style={{ justifySelf: 'start' }}>
        Not now
      </Button>
    </>
  );
};

/** The registered manager reviews the whole certificate and approves it with a signature, or sends it back with a comment. */
export const Approval = ({ view }: { view: CertificateView }) => {
  const me = useSession();
  const ownRecords = view.observations.filter((o) => o.kind === 'observation' && o.assessor.id === me?.uuid).length;
  const [open, setOpen] = useState<'review' | 'send_back' | null>(null);
  const close = () => setOpen(null);
  return (
    <Section title="Approval">
      <p className={layout.count}>
        Every criterion is met. You review the standards, their assessors and the signatures, then approve with your own.
      </p>
      {ownRecords > 0 && (
        <p className={layout.notice} data-tone="warning">
          You recorded {countOf(ownRecords, 'of these observations', 'of these observations')} yourself. Consider whether somebody else should
          approve.
        </p>
      )}
      {open === 'review' && <Review view={view} onDone={close} />}
      {open === 'send_back' && (
        <AskReason
          label="What is missing?"
          action="Send back"
          cancel="Cancel"
          send={(reason) =>
            call('POST /care-certificates/{id}/approval', {
              params: { id: view.certificate.id },
              body: { approved: false, reason, rev: view.certificate.rev },
            })
          }
          success="Sent back, with your reason."
          onClose={close}
        />
      )}
      {open === null && (
        <div className={layout.tools}>
          <Button onClick={() => setOpen('review')}>Review and approve</Button>
          <Button variant="default" onClick={() => setOpen('send_back')}>
            Send back
          </Button>
        </div>
      )}
    </Section>
  );
};

/** Withdraws an approval, with a reason. */
const Withdraw = ({ view, approval }: { view: CertificateView; approval: Said }) => {
  const [asks, setAsks] = useState(false);
  if (!asks)
    return (
      <div className={layout.tools}>
        <Button variant="default" onClick={() => setAsks(true)}>
          Withdraw the approval
        </Button>
      </div>
    );
  return (
    <AskReason
      label="Why is the approval withdrawn?"
      action="Withdraw the approval"
      cancel="Keep it"
      send={(reason) =>
        call('POST /care-certificates/{id}/approval/withdrawal', {
          params: { id: view.certificate.id },
          body: { approval_id: approval.id, reason },
        })
      }
      success="The approval has been withdrawn. Both remain on record."
      onClose={() => setAsks(false)}
    />
  );
};

/** Where the certificate is in its approval, and the approver's last comment. */
export const ApprovalStanding = ({ view }: { view: CertificateView }) => {
  const me = useSession();
  const { certificate, progress } = view;
  const last = (certificate.approvals ?? []).at(-1);
  const may = can(me, 'care_certificate.approve') && certificate.user.id !== me?.uuid;
  return (
    <>
      {certificate.approved_at && (
        <>
          <Badge className={evidence.long} tone="ok" icon={IconCheck}>
            Approved {formatDay(certificate.approved_at)}
            {last ? ` by ${last.by.name}` : ''}
          </Badge>
          {last?.method && (
            <small className={layout.soft}>
              Signed {last.method === 'signed_in' ? 'while signed in' : signedHow[last.method]}.
              {last.doubtful ? ` ${countOf(last.doubtful, 'record')} not signed by everybody: “${last.reason}”` : ''}
            </small>
          )}
          {last?.drawing && <Drawn path={last.drawing} of={last.by.name} />}
          {may && last?.approved && <Withdraw key={last.id} view={view} approval={last} />}
        </>
      )}
      {!certificate.approved_at && progress.complete && !can(me, 'care_certificate.approve') && (
        <Badge tone="warning" icon={IconClock}>
          Awaiting approval
        </Badge>
      )}
      {last?.approved && !certificate.approved_at && (
        <p className={layout.notice} data-tone="warning">
          The approval of {formatDay(last.at)} by {last.by.name} no longer holds: something that was met is open again.
        </p>
      )}
      {last && !last.approved && (
        <p className={layout.notice} data-tone="warning">
          {last.withdraws ? 'Approval withdrawn' : 'Sent back'} {formatMoment(last.at)} by {last.by.name}: {last.reason}
        </p>
      )}
    </>
  );
};
