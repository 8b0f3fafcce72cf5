import { doneBit, statusIn, typeIn } from '#contract/matrix/sheet.ts';
import type { certificateReport, ReportedCertificate } from '#contract/reports/certificate.ts';
import { type ReportFilter, settled } from '#contract/reports/filter.ts';
import { hasCourseHere } from '#server/db/seen.ts';
import { instant, type Statement, sql } from '#server/db/sql.ts';
import { chosenCourses, knownNames } from '#server/features/reports/selection.rows.ts';
import { headFor, partsOf } from '#server/features/reports/standings.report.ts';
import { bestFirst, isCertified } from '#server/features/results/results.rows.ts';
import type { ReportAsked, ReportSource } from '#server/reports/report-source.ts';

type Fact = Pick<ReportedCertificate, 'id' | 'state' | 'course' | 'result_id' | 'certificate_number' | 'completed_at' | 'expires_at'> & {
  user_id: string;
};

/** People's certificates and progress: the newest certificate of each course, results waiting for approval, courses begun. */
const factsOf = ({ db, at }: ReportAsked<unknown>, filter: ReportFilter, ids: readonly string[], courses: Statement): Promise<Fact[]> => {
  const people = sql`any(${[...ids]}::uuid[])`;
  const none = sql`null::text as certificate_number, null::text as completed_at, null::text as expires_at`;
  const days = sql`${instant(sql`r.completed_at`)} as completed_at, ${instant(sql`r.expires_at`)} as expires_at`;
  return db.all<Fact>(sql`select x.id, x.user_id, x.state, json_build_object('id', c.id, 'name', c.title) as course, x.result_id, x.certificate_number, x.completed_at, x.expires_at from (
      select * from (select distinct on (r.user_id, r.course_id) r.id::text, r.user_id, r.course_id, 'includeApproved' as state, r.id as result_id, r.certificate_number, ${days}
        from results r where r.user_id = ${people} and ${isCertified} and ${filter.includeApproved}
        order by r.user_id, r.course_id, ${bestFirst}) newest
      union all select r.id::text, r.user_id, r.course_id, 'includeAwaitingApproval', r.id, null, ${days}
        from results r where r.user_id = ${people} and r.status = 'pending' and r.type <> 'exempt'
      union all select * from (select distinct on (a.user_id, k.course_id) a.id::text, a.user_id, k.course_id, 'includeWorkingTowards', null::uuid, ${none}
        from attempts a join content_titles k on k.id = a.content_id where a.user_id = ${people} and a.closed_at is null and a.state <> 'graded' and a.started_at <= ${at}::timestamptz
        order by a.user_id, k.course_id, a.started_at desc) begun
    ) x join course_titles c on c.id = x.course_id where ${courses}`);
};

const collator = new Intl.Collator('en-GB', { numeric: true });

/** Certificates by person and course. Outstanding is what the matrix shows as not done and nobody has begun or submitted. */
export const certificateSource: ReportSource<typeof certificateReport> = {
  names: knownNames,
  rows: async function* (query) {
    const settledFilter = settled(query.filter);
    const { certificates } = settledFilter;
    // The selected certificates are those of these courses, whichever way they are required.
    const filter: ReportFilter = {
      ...settledFilter,
      ...(certificates.length > 0 && { filter_by: 'courses' as const, courses: [...new Set([...settledFilter.courses, ...certificates])] }),
      compliance_type: 'all',
    };
    const chosen = chosenCourses(filter);
    const courses = chosen ? sql`c.id in (select k.id from courses k where ${chosen} and ${hasCourseHere(query.actor)})` : sql`true`;
    const head = await headFor(query, filter);
    const roleNames = new Map(head.roles.map((r) => [r.id, r.name]));
    const words = query.search?.trim().toLowerCase() ?? '';
    for await (const { people, sheet } of partsOf(query.db, head, query.at)) {
      const facts = Map.groupBy(
        await factsOf(
          query,
          filter,
          people.map((p) => p.id),
          courses,
        ),
        (f) => f.user_id,
      );
      yield people.flatMap((person, row) => {
        const ownFacts = facts.get(person.id) ?? [];
        const begun = new Set(ownFacts.filter((f) => f.state !== 'includeApproved').map((f) => f.course.id));
        const outstanding = filter.includeOutstanding
          ? head.columns.flatMap((column, at): Omit<Fact, 'user_id'>[] => {
              const byte = sheet.states[row * sheet.columns + at] as number;
              const status = statusIn(byte);
              if (typeIn(byte) === 'none' || (byte & doneBit) !== 0 || (status !== 'missing' && status !== 'starter') || begun.has(column.id))
                return [];
              const noResult = { result_id: null, certificate_number: null, completed_at: null, expires_at: null };
              return [{ id: `${person.id} ${column.id}`, state: 'includeOutstanding', course: { id: column.id, name: column.title }, ...noResult }];
            })
          : [];
        const about = { user: { id: person.id, name: person.name }, place: person.place.name, role: roleNames.get(person.role_id ?? '') ?? null };
        return [...ownFacts.filter((f) => filter[f.state]), ...outstanding]
          .filter((f) => words === '' || [person.name, f.course.name, f.certificate_number].some((text) => text?.toLowerCase().includes(words)))
          .sort((a, b) => collator.compare(a.course.name, b.course.name) || a.id.localeCompare(b.id))
          .map(
            ({ id, state, course, result_id, certificate_number, completed_at, expires_at }): ReportedCertificate => ({
              ...{ id, ...about, course, state, result_id, certificate_number, completed_at, expires_at },
            }),
          );
      });
    }
  },
};
