import { matrixLimits } from '#contract/matrix/messages.ts';
import { type MatrixSheet, statusIn, typeIn } from '#contract/matrix/sheet.ts';
import { scoreOf } from '#contract/matrix/scores.ts';
import { type ReportFilter, type ReportStatus, settled } from '#contract/reports/filter.ts';
import type { FiguresOf } from '#contract/reports/report.ts';
import type { roleReport, RoleStanding } from '#contract/reports/role.ts';
import type { staffReport, StaffStanding } from '#contract/reports/staff.ts';
import { addDays } from '#contract/rules/days.ts';
import { scoreBand } from '#contract/rules/score-band.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';
import { cellsOf } from '#server/features/matrix/cells.rows.ts';
import { headOf, isStarter, type MatrixHead, type Person } from '#server/features/matrix/head.rows.ts';
import { knownNames } from '#server/features/reports/selection.rows.ts';
import { ProductError } from '#server/product-error.ts';
import type { ReportAsked, ReportSource } from '#server/reports/report-source.ts';

/** People whose cells are computed at once: others are served between them. */
const part = 250;

const tooMany = () =>
  new ProductError('report_too_large', {
    message: `This report is too large: it has more than ${matrixLimits.people.toLocaleString('en-GB')} people. Choose fewer.`,
  });

/** The people and courses of a filter, as the matrix has them. */
export const headFor = async ({ db, actor, at }: ReportAsked<unknown>, filter: ReportFilter): Promise<MatrixHead> => {
  const head = await headOf(db, actor, filter, at);
  if (head.people.length > matrixLimits.people) throw tooMany();
  return head;
};

/** The cells of these people, a part at a time. */
export async function* partsOf(db: Db, head: MatrixHead, at: Date): AsyncGenerator<{ people: readonly Person[]; sheet: MatrixSheet }> {
  const cells = await cellsOf(db, head, at);
  for (let from = 0; from < head.people.length; from += part)
    yield { people: head.people.slice(from, from + part), sheet: await cells(from, Math.min(from + part, head.people.length)) };
}

type Counts = Record<Extract<ReportStatus, 'in_date' | 'expiring' | 'expired' | 'starter' | 'missing'>, number>;
const noCounts = (): Counts => ({ in_date: 0, expiring: 0, expired: 0, starter: 0, missing: 0 });
const isCounted = (status: string): status is keyof Counts => status in noCounts();

/** Counts a cell where the course is asked for as the filter wants. */
const countCell = (counts: Counts, byte: number, { compliance_type: wanted }: ReportFilter): boolean => {
  const type = typeIn(byte);
  const status = statusIn(byte);
  if (type === 'none' || (wanted !== 'all' && type !== wanted) || !isCounted(status)) return false;
  counts[status]++;
  return true;
};
type Margins = Pick<ReportAsked<unknown>['brand'], 'greenScoreBandLowerMargin' | 'amberScoreBandLowerMargin'>;
/** What the counts mean, by the rule of the matrix: who is within a starter period does not count yet. */
const figuresOf = (counts: Counts, { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber }: Margins): FiguresOf => {
  const in_date = counts.in_date + counts.expiring;
  const required = in_date + counts.expired + counts.missing;
  const score = scoreOf({ required, in_date });
  return {
    ...{ required, in_date, expiring: counts.expiring, overdue: counts.expired, missing: counts.missing, starters: counts.starter, score },
    band: score === null ? null : scoreBand(score, { green, amber }),
  };
};
/** Whether one of the wanted statuses is among them. */
const isWanted = (counts: Counts, { includeStatusTypes: wanted }: ReportFilter): boolean =>
  wanted.length === 0 || wanted.some((status) => isCounted(status) && counts[status] > 0);

const finds = (search: string | undefined) => {
  const words = search?.trim().toLowerCase() ?? '';
  return (...texts: (string | null | undefined)[]) => words === '' || texts.some((text) => text?.toLowerCase().includes(words));
};
const collator = new Intl.Collator('en-GB', { numeric: true });

/** By job role and course. */
export const roleSource: ReportSource<typeof roleReport> = {
  names: knownNames,
  rows: async function* (asked) {
    const filter = settled(asked.filter);
    const head = await headFor(asked, filter);
    const found = finds(asked.search);
    const roleNames = new Map(head.roles.map((r) => [r.id, r.name]));
    /** By job role, a count for each column. */
    const byRole = new Map<string | null, Counts[]>();
    for await (const { people, sheet } of partsOf(asked.db, head, asked.at))
      people.forEach((person, row) => {
        const counts = byRole.get(person.role_id) ?? head.columns.map(noCounts);
        byRole.set(person.role_id, counts);
        counts.forEach((of, column) => {
          countCell(of, sheet.states[row * sheet.columns + column] as number, filter);
        });
      });
    const roles = [...byRole].map(([id, counts]) => ({ role: id === null ? null : { id, name: roleNames.get(id) ?? '' }, counts }));
    roles.sort((a, b) => (a.role && b.role ? collator.compare(a.role.name, b.role.name) : a.role ? -1 : 1));
    for (const { role, counts } of roles)
      yield counts.flatMap((of, column): RoleStanding[] => {
        const course = head.columns[column];
        const people = Object.values(of).reduce((sum, n) => sum + n, 0);
        if (!course || people === 0 || !isWanted(of, filter) || !found(role?.name, course.title)) return [];
        return [{ id: `${role?.id ?? ''} ${course.id}`, role, course: { id: course.id, name: course.title }, people, ...figuresOf(of, asked.brand) }];
      });
  },
};

type SignedIn = { id: string; last_signed_in_at: string | null; care_certificate: StaffStanding['care_certificate'] };
/** A person a row. */
export const staffSource: ReportSource<typeof staffReport> = {
  names: knownNames,
  rows: async function* (asked) {
    const filter = settled(asked.filter);
    const head = await headFor(asked, filter);
    const found = finds(asked.search);
    const roleNames = new Map(head.roles.map((r) => [r.id, r.name]));
    const people = head.people.filter((p) => found(p.name, p.place.name, roleNames.get(p.role_id ?? '')));
    for await (const { people: some, sheet } of partsOf(asked.db, { ...head, people }, asked.at)) {
      const known = new Map(
        (
          await asked.db.all<SignedIn>(sql`select u.id, (select ${instant(sql`max(v.at)`)} from auth_events v where v.user_id = u.id and v.kind = 'signed_in') as last_signed_in_at,
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
            starter_until: isStarter(person, asked.at) ? addDays(person.started_on, person.place.starter_period) : null,
            ...figuresOf(counts, asked.brand),
          },
        ];
      });
    }
  },
};
