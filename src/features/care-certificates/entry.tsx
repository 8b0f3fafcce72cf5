import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { WithdrawObservation } from '#contract/commands/certificate-commands.ts';
import { can } from '#contract/can.ts';
import { recordsNow } from '#contract/rules/certificate-progress.ts';
import { signedOf } from '#contract/rules/signed.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/care-certificates/certificates.module.css';
import type { CertificateView } from '#src/features/care-certificates/use-certificate.ts';
import { EvidenceList } from '#src/features/care-certificates/evidence-view.tsx';
import { Confirm, Signatures, AskWitness } from '#src/features/care-certificates/signatures.tsx';
import { RecordText } from '#src/features/care-certificates/record-text.tsx';
import { methodWords, outcomeWords } from '#src/features/care-certificates/words.ts';
import { clockError, clockOffWords } from '#src/lib/clock-words.ts';
import { formatMoment } from '#src/lib/format.ts';
import { amendObservation } from '#src/offline/kinds/certificate/commands.ts';
import type { ObservationRow } from '#src/offline/store/person-db.ts';
import { Form } from '#src/screens/form.tsx';
import type { Done, Failed } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { IconCheck, IconTablet } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Badge } from '#src/ui/badge.tsx';

/** The true save state of an entry. */
const Fate = ({ entry }: { entry: ObservationRow }) =>
  entry.received_at === null ? (
    <Badge tone="warning" icon={IconTablet}>
      {' '}
      Saved on this device
    </Badge>
  ) : (
    <span className={layout.soft}>
      <IconCheck size={16} /> Received {formatMoment(entry.received_at)}
    </span>
  );

/** States that the device's clock was wrong: the times shown are corrected, or may be wrong too. */
const skewOf = ({ skew_ms, clock_off_ms }: Pick<ObservationRow, 'skew_ms' | 'clock_off_ms'>): string => {
  if (clock_off_ms) return `. ${clockOffWords(clock_off_ms)}`;
  const long = clockError(skew_ms ?? 0);
  if (long === null) return '';
  return `. The clock of the device was ${long} ${(skew_ms ?? 0) > 0 ? 'behind' : 'ahead'}; the times here are corrected.`;
};

type WithdrawProps = { me: { uuid: string; name: string }; entry: ObservationRow; view: CertificateView; onDone: () => void };
/** Withdraws a record, with a reason. It stays readable, but no longer counts. */
const Withdraw = ({ me, entry, view, onDone }: WithdrawProps) => {
  const db = usePersonDb();
  const fields = useForm({
    schema: WithdrawObservation.shape.args,
    begin: { reason: '' },
    toInput: ({ reason }) => ({ about: entry.id, reason }),
    save: async ({ reason }): Promise<Done<unknown> | Failed> =>
      amendObservation(db, me, view.certificate, entry.id, reason, null).then(
        (data) => ({ kind: 'ok', data }),
        () => ({ kind: 'failed', errors: { whole: 'This could not be saved on the device. Please try again.' } }),
      ),
    success: 'Withdrawn. It remains on record with your reason.',
    onSaved: onDone,
  });
  return (
    <Form
      form={fields}
      label="Withdraw this record"
      save="Withdraw"
      beside={
        <Button variant="default" onClick={onDone}>
          Keep it
        </Button>
      }
    >
      <TextInput label="Why is it withdrawn?" maxLength={1000} {...fields.field('reason')} />
    </Form>
  );
};

/** One observation with its later corrections and signatures: what counts now, and earlier versions. */
export const EntryCard = ({ entry, amendments, view }: { entry: ObservationRow; amendments: ObservationRow[]; view: CertificateView }) => {
  const me = useSession();
  const [withdrawing, setWithdrawing] = useState(false);
  const counts = recordsNow([entry, ...amendments]).get(entry.id) ?? null;
  const record = counts ?? entry.record;
  if (!record) return null;
  const isOwn = entry.assessor.id === me?.uuid && counts !== null;
  const mayWithdraw = can(me, 'observation.delete') && view.certificate.user.id !== me?.uuid && counts !== null;
  const signed = signedOf(view.observations, view.certificate.signatures ?? [], entry.id);
  return (
    <article
      className={`app-card ${layout.stack} ${classes.entry}`}
      data-gone={counts === null || undefined}
      aria-label={`Observed ${formatMoment(record.done_at)}`}
    >
      <div className={layout.between}>
        <strong>
          {formatMoment(record.done_at)} · {methodWords[record.method]}
          {record.setting ? ` · ${record.setting}` : ''}
        </strong>
        <Fate entry={amendments.find((a) => a.received_at === null) ?? entry} />
      </div>
      <RecordText record={record} view={view} />
      <span className={layout.soft}>
        Recorded by {entry.assessor.name}
        {skewOf(entry)}
      </span>
      <Signatures entry={entry} view={view} />
      {counts && view.certificate.user.id === me?.uuid && <Confirm entry={entry} record={counts} view={view} />}
      {counts && <AskWitness entry={entry} record={counts} view={view} />}
      {amendments.length > 0 && (
        <div className={`${layout.stack} ${layout.tight} ${classes.history}`}>
          {amendments.map((a) => (
            <span key={a.id} className={layout.soft}>
              {a.kind === 'withdrawal' ? 'Withdrawn' : 'Corrected'} {formatMoment(a.at)} by {a.assessor.name}: {a.reason}
            </span>
          ))}
          {counts !== null && entry.record && (
            <details>
              <summary>As it was recorded first</summary>
              <p>{entry.record.seen}</p>
              <ul className={classes.said}>
                {entry.record.criteria.map((c) => (
                  <li key={c.criterion}>
                    {c.criterion}: {outcomeWords[c.outcome]}
                  </li>
                ))}
              </ul>
              {(entry.record.evidence?.length ?? 0) > 0 && <EvidenceList view={view} files={entry.record.evidence ?? []} />}
            </details>
          )}
        </div>
      )}
      {(isOwn || mayWithdraw) &&
        (withdrawing && me ? (
          <Withdraw me={me} entry={entry} view={view} onDone={() => setWithdrawing(false)} />
        ) : (
          <div className={layout.tools}>
            {isOwn && (!signed.assessor || !signed.learner) && (
              <Button
                component={Link}
                to={pathTo('care-certificate-sign', { uuid: view.certificate.id, record: entry.id })}
                aria-label={`Sign what was recorded ${formatMoment(record.done_at)}`}
              >
                Sign
              </Button>
            )}
            {isOwn && (
              <Button
                variant="default"
                component={Link}
                to={`${pathTo('care-certificate-record', { uuid: view.certificate.id })}?about=${entry.id}`}
                aria-label={`Correct what was recorded ${formatMoment(record.done_at)}`}
              >
                Correct
              </Button>
            )}
            {mayWithdraw && (
              <Button
                variant="subtle"
                color="red"
                onClick={() => setWithdrawing(true)}
                aria-label={`Withdraw … what was recorded ${formatMoment(record.done_at)}`}
              >
                Withdraw …
              </Button>
            )}
          </div>
        ))}
    </article>
  );
};
