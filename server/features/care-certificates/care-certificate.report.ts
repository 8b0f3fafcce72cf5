import type { CareReportFilter, careCertificateReport } from '#contract/reports/care-certificate.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { certificateRows, certificatesOf } from '#server/features/care-certificates/certificates.rows.ts';
import { listedPerson } from '#server/db/seen.ts';
import { contains } from '#server/db/rows.ts';
import type { ReportSource } from '#server/reports/report-source.ts';

/** Filters certificates (`care_certificates c`). */
const chosen = (filter: CareReportFilter): Statement => {
  const begun = sql`exists (select 1 from observations o where o.certificate_id = c.id)`;
  const states: [boolean, Statement][] = [
    [filter.includeApproved, sql`c.approved_at is not null`],
    [filter.includeAwaitingApproval, sql`(c.approved_at is null and c.met_at is not null)`],
    [filter.includeOutstanding, sql`(c.met_at is null and not ${begun})`],
    [filter.includeWorkingTowards, sql`(c.met_at is null and ${begun})`],
  ];
  const chosenStates = states.filter(([on]) => on).map(([, state]) => state);
  return sql`u.disabled_at is null and (${chosenStates.reduce((a, b) => sql`${a} or ${b}`, sql`false`)})`;
};

/** The care certificates of the people that the actor sees, by name. */
export const careCertificateSource: ReportSource<typeof careCertificateReport> = {
  select: ({ actor, filter, search }) => sql`select c.id, u.name as sort from care_certificates c join users u on u.id = c.user_id
    where ${listedPerson(actor)} and ${chosen(filter)} and ${contains([sql`u.name`], search)}`,
  read: async ({ db, actor }, ids) => certificateRows(db, await certificatesOf(db, actor, sql`c.id = any(${[...ids]}::uuid[])`, sql``)),
};
