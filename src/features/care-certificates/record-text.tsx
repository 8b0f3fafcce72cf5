import type { ObservationRecord } from '#contract/entities/care-certificate.ts';
import classes from '#src/features/care-certificates/certificates.module.css';
import { EvidenceList } from '#src/features/care-certificates/evidence-view.tsx';
import type { CertificateView } from '#src/features/care-certificates/use-certificate.ts';
import { outcomeWords } from '#src/features/care-certificates/words.ts';
import { formatDay } from '#src/lib/format.ts';

/** The full content of a record, in words. */
export const RecordText = ({ record, view }: { record: ObservationRecord; view: CertificateView }) => (
  <>
    <p>{record.seen}</p>
    <ul className={classes.said}>
      {record.criteria.map((c) => (
        <li key={c.criterion}>
          {c.criterion} {view.criteria.get(c.criterion)?.text}: <strong>{outcomeWords[c.outcome]}</strong>
          {c.action ? ` · ${c.action}` : ''}
          {c.due ? `, by ${formatDay(c.due)}` : ''}
        </li>
      ))}
    </ul>
    {record.feedback && <p>Feedback: {record.feedback}</p>}
    {record.witness && (
      <p>
        Witness: {record.witness.name}, {record.witness.role}
        {record.witness.relationship ? ` (${record.witness.relationship})` : ''}: “{record.witness.statement}”
      </p>
    )}
    <EvidenceList view={view} files={record.evidence ?? []} />
  </>
);
