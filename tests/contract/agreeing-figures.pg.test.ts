import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ComplianceReport, DrillDownLine } from '#contract/entities/compliance-report.ts';
import type { TeamMember } from '#contract/entities/compliance.ts';
import type { CourseFigures, Figures, NeedyPerson, PlaceFigures, Waiting } from '#contract/entities/dashboard.ts';
import type { Forecast } from '#contract/entities/forecast.ts';
import { type FigureName, figureMeanings } from '#contract/figure-meanings.ts';
import type { MatrixExchanged, MatrixUser } from '#contract/matrix/messages.ts';
import { cellAt, emptySheet, unpackRows } from '#contract/matrix/sheet.ts';
import { complianceColourOf } from '#contract/rules/compliance-status.ts';
import { fillWithGroup } from '#server/db/demo/group.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Places = Record<string, number | null | undefined>;
const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0);

/** Every place that shows a figure, with the number that it shows to a person. */
const figuresShownTo = async (client: TestClient): Promise<Record<FigureName, Places>> => {
  const get = async <T>(path: string): Promise<{ data: T; meta: { total: number } }> => {
    let answered: { status: number; body: { data: T; meta: { total: number } } } = await client.json('GET', path);
    // 202: it is being counted, as the screens wait for it.
    if (answered.status === 202)
      await expect
        .poll(
          async () => {
            answered = await client.json('GET', path);
            return answered.status;
          },
          { timeout: 60_000, interval: 250 },
        )
        .toBe(200);
    expect([path, answered.status]).toEqual([path, 200]);
    return answered.body;
  };
  const total = async (path: string) => (await get<unknown>(path)).meta.total;
  const figures = (await get<Figures>('/dashboards/figures')).data;
  const places = (await get<PlaceFigures[]>('/dashboards/places').catch(() => null))?.data ?? null;
  const courses = (await get<CourseFigures[]>('/dashboards/courses?per_page=100').catch(() => null))?.data ?? null;
  const needy = await get<NeedyPerson[]>('/dashboards/people?need=overdue&per_page=100');
  const waiting = (await get<Waiting>('/dashboards/waiting')).data;
  const forecast = (await get<Forecast>('/forecast')).data;
  const team = await get<TeamMember[]>('/team');
  const red = team.data.map((p) => p.must.filter((c) => complianceColourOf[c.status] === 'red').length);
  const isWhole = team.data.length === team.meta.total;

  const started = await client.json<{ data: { matrix: { matrixID: string } } }>('POST', '/graphql', {
    query: '{ matrix(compliance_type: all) { matrixID } users(first: 1) { paginatorInfo { total } } }',
  });
  const { matrix } = started.body.data;
  const fetch = ['users', 'courses', 'matrix_cells'].map((data) => ({ type: 'fetch_data', data }));
  const exchanged = (await client.json<{ data: MatrixExchanged }>('POST', `/matrices/${matrix.matrixID}/exchange`, { fetch })).body.data;
  const rowsOf = (data: string) =>
    exchanged.messages.flatMap((m) => ('json' in m && m.json.type === 'data' && m.json.data === data ? m.json.rows : []));
  const users = rowsOf('users') as MatrixUser[];
  const sheet = emptySheet(users.length, rowsOf('courses').length);
  for (const m of exchanged.messages) if ('base64' in m) unpackRows(Buffer.from(m.base64, 'base64').subarray(4), sheet);
  const cells = users.map((_, row) =>
    Array.from({ length: sheet.columns }, (_none, column) => cellAt(sheet, row, column)).filter((c) => c.type !== 'none'),
  );
  const redCells = cells.map((own) => own.filter((c) => complianceColourOf[c.status] === 'red').length);
  const due = cells.flat().filter((c) => c.status !== 'starter' && c.status !== 'not_required');

  const asked = { entities: [], compliance_type: 'all' };
  const reportOf = async () => {
    let answer = await client.json<{ data: ComplianceReport }>('POST', '/reports/compliance', asked);
    if (answer.status === 202)
      await expect
        .poll(
          async () => {
            answer = await client.json('POST', '/reports/compliance', asked);
            return answer.status;
          },
          { timeout: 60_000, interval: 250 },
        )
        .toBe(200);
    return answer;
  };
  const report = await reportOf();
  const month = report.status === 200 ? report.body.data.months.at(-1) : undefined;
  const drilled = report.status === 200 ? (await get<DrillDownLine[]>('/reports/drill-down/entities?compliance_type=all')).data : null;
  const isMonth = <T>(value: (m: NonNullable<typeof month>) => T) => (month ? value(month) : null);
  const overview = waiting.certificates === null ? null : await get<{ people: { waiting: boolean }[] }>('/care-certificates/overview');
  return {
    people: {
      dashboard: figures.people,
      'people, working here': await total('/users?state=active'),
      team: team.meta.total,
      matrix: users.length,
      places: places && sum(places.map((p) => p.people)),
    },
    required: {
      dashboard: figures.required,
      matrix: due.length,
      'compliance report': isMonth((m) => m.asked - m.starter),
      'drill-down': drilled && sum(drilled.map((l) => l.required)),
      places: places && sum(places.map((p) => p.required)),
    },
    in_date: {
      dashboard: figures.in_date,
      matrix: due.filter((c) => c.status === 'in_date' || c.status === 'expiring').length,
      'compliance report': isMonth((m) => m.in_date + m.expiring),
      'drill-down': drilled && sum(drilled.map((l) => l.in_date + l.expiring)),
      places: places && sum(places.map((p) => p.in_date)),
    },
    overdue_people: {
      dashboard: figures.overdue,
      'list behind it': needy.meta.total,
      matrix: redCells.filter((n) => n > 0).length,
      team: isWhole ? red.filter((n) => n > 0).length : null,
      places: places && sum(places.map((p) => p.overdue)),
    },
    overdue_courses: {
      matrix: sum(redCells),
      'compliance report': isMonth((m) => m.expired + m.missing),
      team: isWhole ? sum(red) : null,
      courses: courses && courses.length < 100 ? sum(courses.map((c) => c.overdue)) : null,
    },
    red_in_30_days: {
      dashboard: figures.turn_red[0],
      'list behind it': await total('/dashboards/people?need=soon'),
      forecast: forecast.figures[0]?.red.people,
    },
    new_starters: { dashboard: figures.starters, 'list behind it': await total('/dashboards/people?need=starters') },
    results_to_approve: { dashboard: waiting.results, results: waiting.results === null ? null : await total('/results?status=pending') },
    certificates_to_approve: { dashboard: waiting.certificates, overview: overview?.data.people.filter((p) => p.waiting).length ?? null },
  };
};

describe.each([
  { world: 'a small organisation', people: 0, manager: 'manager@willowbrook.test' },
  // More people than are counted during a request, and than fit on a page.
  { world: 'a group of homes', people: 300, manager: 'manager.1@willowbrook.test' },
])('in $world', { timeout: 180_000 }, ({ people, manager }) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp();
    if (people > 0) await fillWithGroup(server.database.db, server.clock.now, { people });
  }, 180_000);
  afterAll(() => server.close());

  it.each([manager, 'admin@willowbrook.test', 'super@lantern.test'])('every place that shows a figure shows %s the same', async (email) => {
    const client = server.client();
    await client.signIn(email);
    const shown = await figuresShownTo(client);
    expect(Object.keys(shown)).toEqual(Object.keys(figureMeanings));
    const differing = Object.entries(shown).filter(([, places]) => new Set(Object.values(places).filter((n) => n !== null)).size !== 1);
    expect(Object.fromEntries(differing)).toEqual({});
    if (email !== manager) expect(shown.people.dashboard).toBeGreaterThan(people);
  });
});
