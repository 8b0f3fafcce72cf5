import { Button, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type RefObject, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { matrixFields } from '#contract/matrix/filter.ts';
import { cellAt, emptySheet } from '#contract/matrix/sheet.ts';
import { plainFilter } from '#contract/reports/filter.ts';
import { matrixReport } from '#contract/reports/matrix.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { MatrixBar } from '#src/features/matrix/grid/matrix-bar.tsx';
import type { MatrixHandle } from '#src/features/matrix/grid/matrix-grid.tsx';
import { MatrixLegend } from '#src/features/matrix/grid/marks-view.tsx';
import { type MatrixData, type MatrixView, plainView, queryOf, viewIn } from '#src/features/matrix/grid/matrix-view.ts';
import { Matrix, withoutGrid } from '#src/features/matrix/grid/matrix.tsx';
import { mostPrinted, PrintMatrix } from '#src/features/matrix/grid/print-matrix.tsx';
import { useArrangement } from '#src/features/matrix/grid/use-arrangement.ts';
import { useMedia } from '#src/features/matrix/grid/use-picture.ts';
import { cellWords } from '#contract/matrix/words.ts';
import { texts } from '#contract/texts.ts';
import { useMatrix } from '#src/features/matrix/use-matrix.ts';
import type { MatrixState } from '#src/features/matrix/watch-matrix.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { choicesIn, cleared, filterIn, matrixFilterOf, queryWith } from '#src/lib/report-filter.ts';
import { bookingPath } from '#src/screens/booking-path.ts';
import { messagePeople } from '#src/screens/message-people.ts';
import { ReportFileButtons, ReportFileState, ReportMailButton } from '#src/screens/report-files.tsx';
import { PresetBar, presetParam } from '#src/screens/report-presets.tsx';
import { ReportFilter } from '#src/screens/report-filter.tsx';
import { BulkBar } from '#src/screens/table/bulk-bar.tsx';
import { useQuery } from '#src/screens/use-query.ts';
import { type ReportFile, useReportFile } from '#src/screens/use-report-file.ts';
import { question, askWhy } from '#src/screens/why.ts';
import { IconAlert, IconChart } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState, ErrorState, OfflineState } from '#src/ui/states.tsx';

const label = 'Training matrix';

/** The training matrix of the people whom the user may see, with every course that one of them is required to do. */
export const Component = () => {
  const [query, setQuery] = useQuery();
  const me = useSession();
  const filter = filterIn(query);
  const matrixFilter = matrixFilterOf(filter);
  const grid = useRef<MatrixHandle>(null);
  const { key, state, data, retry, reload } = useMatrix(matrixFilter, grid);
  const file = useReportFile(matrixReport.path, matrixFilter, '');
  const matrix = state.kind === 'loaded' ? state.view : null;
  const isEmpty = matrix !== null && (matrix.users.length === 0 || matrix.courses.length === 0);
  const waits = state.kind === 'loading' || (matrix !== null && !isEmpty && matrix.rows === 0);
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {label}
        </Title>
        {matrix && !isEmpty && (
          <div className={layout.tools}>
            <ReportFileButtons report={matrixReport} file={file} formats={['xlsx', 'pdf']} />
            <Button variant="default" component={Link} to={`${pathTo('reports-matrix-legacy')}?${queryWith(filter, new URLSearchParams())}`}>
              As a table
            </Button>
            <ReportMailButton report={matrixReport} filter={matrixFilter} format="pdf" />
            {matrix.complete && (
              <Button variant="default" onClick={() => print()}>
                Print
              </Button>
            )}
            {can(me, needOf('reports-inspections-create')) && (
              <Button variant="default" component={Link} to={`${pathTo('reports-inspections-create')}?${queryWith(filter, new URLSearchParams())}`}>
                Freeze for an inspection
              </Button>
            )}
          </div>
        )}
      </div>
      <ReportFileState file={file} />
      <ReportFilter
        filter={filter}
        fields={matrixFields}
        onChange={(to) => setQuery(queryWith(to, query), { replace: true })}
        saved={
          <PresetBar
            report={matrixReport}
            filter={matrixFilterOf(filter)}
            plain={choicesIn(filter, matrixFields) === 0}
            onApply={(to, preset) => {
              const next = queryWith({ ...plainFilter, ...to }, query);
              next.set(presetParam, preset);
              setQuery(next, { replace: true });
            }}
          />
        }
      />
      {state.kind === 'offline' && <OfflineState what="The training matrix needs a connection." onRetry={retry} />}
      {state.kind === 'error' && <ErrorState message={state.message} onRetry={retry} />}
      {isEmpty && (
        <EmptyState
          icon={<IconChart size={36} />}
          title={matrix?.users.length === 0 ? 'Nobody to show' : 'No courses to show'}
          action={
            choicesIn(filter, matrixFields) > 0 && (
              <Button onClick={() => setQuery(queryWith(cleared(filter), query), { replace: true })}>Clear all</Button>
            )
          }
        >
          {choicesIn(filter, matrixFields) > 0
            ? 'Nothing matches all of these choices.'
            : matrix?.users.length === 0
              ? 'People appear here when they are added to your organisation.'
              : 'A course appears here when a job role of one of these people requires it.'}
        </EmptyState>
      )}
      {(state.kind === 'loading' || state.kind === 'loaded') && !isEmpty && (
        // Mounted while loading, so that only the canvas has to be drawn when rows arrive.
        <Content key={key} {...{ state, data, grid, retry, reload, file }} waits={waits} kind={filter.compliance_type} />
      )}
    </div>
  );
};

/** The status line, of constant height: preparing, then the number of loaded rows, then the date of the data. */
const LoadProgress = ({ state, waits, asOf }: { state: ContentProps['state']; waits: boolean; asOf: string }) => {
  const { rows, users } = state.kind === 'loaded' ? state.view : { rows: 0, users: [] };
  const connection = state.kind === 'loaded' ? state.connection : null;
  const takesLong = state.kind === 'loading' && state.takesLong ? '. This is taking longer than usual. Keep this page open.' : ' …';
  const loadedWords = `${rows.toLocaleString('en-GB')} of ${countOf(users.length, 'person', 'people')}`;
  const ending = connection === 'retrying' ? '. The connection was lost; the rest is being requested again.' : connection === 'lost' ? '.' : ' …';
  return (
    <Stack gap={6} className={layout.count}>
      <Text inherit role="status">
        {asOf || (waits ? `Preparing the matrix${takesLong}` : `${loadedWords}${ending}`)}
        {asOf && <span className="visually-hidden"> {texts.matrixFetched}</span>}
      </Text>
      <Progress
        value={users.length === 0 ? 0 : (100 * rows) / users.length}
        aria-label="People loaded"
        style={{ visibility: asOf ? 'hidden' : undefined }}
      />
    </Stack>
  );
};

type Chosen = readonly { id: string; name: string }[];
const resultPath = (page: 'results-historical-create' | 'results-exempt-create', people: Chosen) =>
  `${pathTo(page)}?${new URLSearchParams({ people: people.map((p) => p.id).join(',') })}`;

/** The form that assigns a course begins with the job roles of these people. */
const assignQuery = (people: Chosen) => new URLSearchParams({ give: '', people: people.map((p) => p.id).join(',') });

type ContentProps = {
  state: Extract<MatrixState, { kind: 'loading' | 'loaded' }>;
  data: MatrixData | null;
  /** No rows have loaded yet. */
  waits: boolean;
  grid: RefObject<MatrixHandle | null>;
  retry: () => void;
  /** Requests the rows of these people again, after an action that may have changed them. */
  reload: (people: readonly string[]) => void;
  file: ReportFile;
  kind: MatrixView['kind'];
};
const emptyData: MatrixData = { sheet: emptySheet(0, 0), loaded: new Uint8Array(0), people: [], courses: [] };
const Content = ({ state, data: loadedData, waits, grid, retry, reload, file, kind }: ContentProps) => {
  const { view: matrix, connection } = state.kind === 'loaded' ? state : { view: null, connection: null };
  const complete = matrix?.complete === true;
  const asOf = matrix ? `As of ${formatMoment(new Date(matrix.asOf).toISOString())}` : '';
  const data = loadedData ?? emptyData;
  const { sheet, courses } = data;
  const [query, setQuery] = useQuery();
  const brand = useBrand();
  const me = useSession();
  const db = usePersonDb();
  const navigate = useNavigate();
  const isNarrow = useMedia(withoutGrid);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const acting = useActingAs();
  const home = acting?.slug ?? me?.primary_entity.slug;
  const view: MatrixView = { ...viewIn(query), kind };
  const viewKey = JSON.stringify(view);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the view as text
  const stableView = useMemo(() => view, [viewKey]);
  const setView = (to: MatrixView) => setQuery(queryOf({ ...to, kind: plainView.kind }, query), { replace: true });

  const arrangement = useArrangement(data, matrix?.revision ?? 0, stableView);

  const { trafficLightOk, trafficLightWarning, trafficLightDanger, greenScoreBandLowerMargin, amberScoreBandLowerMargin } = brand;
  const lights = useMemo(
    () => ({ ok: trafficLightOk, warning: trafficLightWarning, danger: trafficLightDanger }),
    [trafficLightOk, trafficLightWarning, trafficLightDanger],
  );
  const bands = useMemo(
    () => ({ green: greenScoreBandLowerMargin, amber: amberScoreBandLowerMargin }),
    [greenScoreBandLowerMargin, amberScoreBandLowerMargin],
  );
  const { primaryComplianceAltName: primary, secondaryComplianceAltName: secondary } = brand;
  const kinds = useMemo(() => ({ primary, secondary }), [primary, secondary]);
  const shared = { label, data, arrangement, view: stableView, lights, kinds };
  const chosen = data.people.filter((p) => selected.has(p.id));
  const bulk = chosen.length > 0 && (
    <BulkBar
      rows={chosen}
      nameOf={(p) => p.name}
      actions={[
        ...(me ? [messagePeople(db, me)] : []),
        ...(can(me, needOf('manage-bookings-create'))
          ? [{ label: 'Book on a session', open: (all: Chosen) => void navigate(bookingPath(all.map((p) => p.id))) }]
          : []),
        ...(can(me, needOf('results-historical-create'))
          ? [
              { label: 'Record training', open: (all: Chosen) => void navigate(resultPath('results-historical-create', all)) },
              { label: 'Exempt', open: (all: Chosen) => void navigate(resultPath('results-exempt-create', all)) },
            ]
          : []),
        ...(can(me, needOf('entities-one-courses')) && home
          ? [
              {
                label: 'Assign a course',
                open: (all: Chosen) => void navigate(`${pathTo('entities-one-courses', { slug: home })}?${assignQuery(all)}`),
              },
            ]
          : []),
      ]}
      onClear={() => setSelected(new Set())}
      onDone={(done) => setSelected(new Set(chosen.map((p) => p.id).filter((id) => !done.some((p) => p.id === id))))}
    />
  );
  return (
    <>
      <LoadProgress state={state} waits={waits} asOf={complete ? asOf : ''} />
      {connection === 'lost' && (
        <p className={layout.notice} data-tone="warning">
          <IconAlert size={20} /> The connection was lost, and not everyone is shown.{' '}
          <Button variant="default" onClick={retry}>
            Load it again
          </Button>
        </p>
      )}
      <MatrixBar {...{ data, waits, arrangement }} view={stableView} onView={setView} onJump={(to) => grid.current?.jumpTo(to) ?? false} />
      {!isNarrow && bulk}
      {waits && isNarrow && [0, 1, 2, 3].map((i) => <Skeleton key={i} animate={false} height={68} radius="md" />)}
      {(!waits || !isNarrow) && (
        <Matrix
          {...shared}
          waits={waits}
          handle={grid}
          onView={setView}
          bands={bands}
          selected={selected}
          onSelect={setSelected}
          onOpen={(row, column) => {
            const [person, course] = [data.people[row], courses[column]];
            if (!person || !course) return;
            const reason = `${person.name}: ${cellWords(cellAt(sheet, row, column), kinds)}.`;
            askWhy({ userId: person.id, courseId: course.id, courseTitle: course.title, reason });
            // Any change made in the dialog, or in another tab, is shown when the dialog closes.
            const stop = question.subscribe(() => {
              if (question.get()?.opened) return;
              stop();
              reload([person.id]);
            });
          }}
          onOpenPerson={(row) => void navigate(pathTo('users-by-uuid', { uuid: data.people[row]?.id ?? '' }))}
          onOpenCourse={(column) => setView({ ...stableView, sort: { by: courses[column]?.id ?? 'name', down: false } })}
        />
      )}
      {isNarrow && bulk}
      <MatrixLegend lights={lights} secondary={secondary} />
      {complete && arrangement.lines.length > mostPrinted && (
        <p className={layout.count}>
          Only the first {mostPrinted.toLocaleString('en-GB')} of {arrangement.lines.length.toLocaleString('en-GB')} lines are printed. A file
          contains everyone. <ReportFileButtons report={matrixReport} file={file} formats={['pdf']} />
        </p>
      )}
      {!waits && <PrintMatrix {...shared} note={asOf} />}
    </>
  );
};
