import { matrixLimits } from '#contract/matrix/messages.ts';
import { type MatrixSheet, statusIn, typeIn } from '#contract/matrix/sheet.ts';
import { scoreOf } from '#contract/matrix/scores.ts';
import { type ReportFilter, type ReportStatus, settled } from '#contract/reports/filter.ts';
import type { FiguresOf } from '#contract/reports/report.ts';
import { type roleReport, type RoleStanding, wholeWords } from '#contract/reports/role.ts';
import type { staffReport, StaffStanding } from '#contract/reports/staff.ts';
import { addDays } from '#contract/rules/days.ts';
import { scoreBand } from '#contract/rules/score-band.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';
import { cellsOf } from '#server/features/matrix/cells.rows.ts';
import { headOf, isStarter, type MatrixHead, type Person } from '#server/features/matrix/head.rows.ts';
import { knownNames } from '#server/features/reports/selection.rows.ts';
import { ProductError } from '#server/product-error.ts';
import type { ReportAsked, ReportSource } from '#server/reports/report-source.ts';

/** People whose cells are computed at once: other requests are served in between. */
const part = 250;

const tooMany = () =>
  new ProductError('report_too_large', {
    message: `This report is too large: it has more than ${matrixLimits.people.toLocaleString('en-GB')} people. Choose fewer.`,
  });

/** The people and courses of a filter, as in the matrix. */
export const headFor = async ({ db, actor, at }: ReportAsked<unknown>, filter: ReportFilter): Promise<MatrixHead> => {
  const head = await headOf(db, actor, filter, at);
  if (head.people.length > matrixLimits.people) throw tooMany();
  return head;
};

/** The cells of these people, in slices. */
export async function* partsOf(db: Db, head: MatrixHead, at: Date): AsyncGenerator<{ people: readonly Person[]; sheet: MatrixSheet }> {
  const cells = await cellsOf(db, head, at);
  for (let from = 0; from < head.people.length; from += part)
    yield { people: head.people.slice(from, from + part), sheet: await cells(from, Math.min(from + part, head.people.length)) };
}

type Counts = Record<Extract<ReportStatus, 'in_date' | 'expiring' | 'expired' | 'starter' | 'missing'>, number>;
const noCounts = (): Counts => ({ in_date: 0, expiring: 0, expired: 0, starter: 0, missing: 0 });
const isCounted = (status: string): status is keyof Counts => status in noCounts();

/** Counts a cell if the course is required in the way that the filter selects. */
const countCell = (counts: Counts, byte: number, { compliance_type: wanted }: ReportFilter): boolean => {
  const type = typeIn(byte);
  const status = statusIn(byte);
  if (type === 'none' || (wanted !== 'all' && type !== wanted) || !isCounted(status)) return false;
  counts[status]++;
  return true;
};
type Margins = Pick<ReportAsked<unknown>['brand'], 'greenScoreBandLowerMargin' | 'amberScoreBandLowerMargin'>;
/** The counts by the rule of the matrix: people within a starter period do not count yet. */
const figuresOf = (counts: Counts, { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber }: Margins): FiguresOf => {
  const in_date = counts.in_date + counts.expiring;
  const required = in_date + counts.expired + counts.missing;
  const score = scoreOf({ required, in_date });
  return {
    ...{ required, in_date, expiring: counts.expiring, overdue: counts.expired, missing: counts.missing, starters: counts.starter, score },
    band: score === null ? null : scoreBand(score, { green, amber }),
  };
};
/** Whether one of the selected statuses is among them. */
const isWanted = (counts: Counts, { includeStatusTypes: wanted }: ReportFilter): boolean =>
  wanted.length === 0 || wanted.some((status) => isCounted(status) && counts[status] > 0);

const finds = (search: string | undefined) => {
  const words = search?.trim().toLowerCase() ?? '';
  return (...texts: (string | null | undefined)[]) => words === '' || texts.some((text) => text?.toLowerCase().includes(words));
};
const collator = new Intl.Collator('en-GB', { numeric: true });

/** All job roles together. */
const whole = 'all';
/** By job role and course: people with several job roles count in each, and once in the total. */
export const roleSource: ReportSource<typeof roleReport> = {
  names: knownNames,
  rows: async function* (query) {
    const filter = settled(query.filter);
    const head = await headFor(query, filter);
    const found = finds(query.search);
    /** By job role, a count for each column. */
    const byRole = new Map<string, Counts[]>([[whole, head.columns.map(noCounts)]]);
    const chosen = new Set(filter.roles);
    // If job roles were selected, the other roles of their people are not shown.
    const rolesOf = ({ held }: Person) => (held === '' ? [''] : held.split(',').filter((id) => chosen.size === 0 || chosen.has(id)));
    for await (const { people, sheet } of partsOf(query.db, head, query.at))
      people.forEach((person, row) => {
        for (const id of [...rolesOf(person), whole]) {
          const counts = byRole.get(id) ?? head.columns.map(noCounts);
          byRole.set(id, counts);
          counts.forEach((counted, column) => {
            countCell(counted, sheet.states[row * sheet.columns + column] as number, filter);
          });
        }
      });
    const ids = [...byRole.keys()].filter((id) => id !== '' && id !== whole);
    const roleNames = new Map(
      (await query.db.all<{ id: string; name: string }>(sql`select id, name from roles where id = any(${ids}::uuid[])`)).map((r) => [r.id, r.name]),
    );
    const rowsOf = (id: string, name: string, counts: readonly Counts[]): RoleStanding[] =>
      counts.flatMap((counted, column) => {
        const course = head.columns[column];
        const people = Object.values(counted).reduce((sum, n) => sum + n, 0);
        if (!course || people === 0 || !isWanted(counted, filter) || !found(name, course.title)) return [];
        const role = id === '' || id === whole ? null : { id, name };
        const about = { id: `${id} ${course.id}`, role, whole: id === whole, course: { id: course.id, name: course.title } };
        return [{ ...about, people, ...figuresOf(counted, query.brand) }];
      });
    // In reading order: those without a job role after the others, and the total last.
    const named = ids.map((id) => ({ id, name: roleNames.get(id) ?? '' })).sort((a, b) => collator.compare(a.name, b.name));
    const last = [...(byRole.has('') ? [''] : []), ...(byRole.size > 2 ? [whole] : [])];
    for (const { id, name } of [...named, ...last.map((id) => ({ id, name: id === whole ? wholeWords : '' }))])
      yield rowsOf(id, name, byRole.get(id) ?? []);
  },
};

type SignedIn = { id: string; last_signed_in_at: string | null; care_certificate: StaffStanding['care_certificate'] };
/** One row per person. */
export const staffSource: ReportSource<typeof staffReport> = {
  names: knownNames,
  rows: async function* (query) {
    const filter = settled(query.filter);
    const head = await headFor(query, filter);
    const found = finds(query.search);
    const roleNames = new Map(head.roles.map((r) => [r.id, r.name]));
    const people = head.people.filter((p) => found(p.name, p.place.name, roleNames.get(p.role_id ?? '')));
    for await (const { people: some, sheet } of partsOf(query.db, { ...head, people }, query.at)) {
      const known = new Map(
        (
          await query.db.all<SignedIn>(sql`select u.id, (select ${instant(sql`max(v.at)`)} from auth_events v where v.user_id = u.id and v.kind = 'signed_in') as last_signed_in_at,
            case when exists (select 1 from care_certificates c where c.user_id = u.id and c.approved_at is not null)
              or exists (select 1 from historical_certificates c where c.user_id = u.id) then 'complete'
              when exists (select 1 from care_certificates c where c.user_id = u.id) then 'in_progress' end as care_certificate
          from users u where u.id = any(${some.map((p) => p.id)}::uuid[])`)
        ).map((row) => [row.id, row]),
      );
      yield some.flatMap((person, row): StaffStanding[] => {
        const counts = noCounts();
        for (let column = 0; column < sheet.columns; column++) countCell(counts, sheet.states[row * sheet.columns + column] as number, filter);
        if (!isWanted(counts, filter)) return [];
        const { last_signed_in_at = null, care_certificate = null } = known.get(person.id) ?? {};
        return [
          {
            ...{ id: person.id, user: { id: person.id, name: person.name }, place: person.place.name },
            ...{ role: roleNames.get(person.role_id ?? '') ?? null, started_on: person.started_on, last_signed_in_at, care_certificate },
            starter_until: isStarter(person, query.at) ? addDays(person.started_on, person.place.starter_period) : null,
            ...figuresOf(counts, query.brand),
          },
        ];
      });
    }
  },
};
