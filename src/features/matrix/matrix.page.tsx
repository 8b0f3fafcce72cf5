import { Button, Popover, Progress, Skeleton, Text, Title } from '@mantine/core';
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
import { MatrixBar } from '#src/features/matrix/grid/matrix-bar.tsx';
import type { MatrixHandle } from '#src/features/matrix/grid/matrix-grid.tsx';
import { MatrixLegend } from '#src/features/matrix/grid/marks-view.tsx';
import { foldedIn, type MatrixData, type MatrixView, plainView, queryOf, viewIn } from '#src/features/matrix/grid/matrix-view.ts';
import { Matrix, withoutGrid } from '#src/features/matrix/grid/matrix.tsx';
import { mostPrinted, PrintMatrix } from '#src/features/matrix/grid/print-matrix.tsx';
import { useArrangement } from '#src/features/matrix/grid/use-arrangement.ts';
import { useMedia } from '#src/features/matrix/grid/use-picture.ts';
import { cellWords } from '#contract/matrix/words.ts';
import { texts } from '#contract/texts.ts';
import classes from '#src/features/matrix/matrix.module.css';
import { useMatrix } from '#src/features/matrix/use-matrix.ts';
import type { MatrixState } from '#src/features/matrix/watch-matrix.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { choicesIn, cleared, filterIn, matrixFilterOf, queryWith } from '#src/lib/report-filter.ts';
import { usePeopleActions } from '#src/screens/people-actions.tsx';
import { ReportFileButtons, ReportFileState, ReportMailButton } from '#src/screens/report-files.tsx';
import { PresetBar, presetParam } from '#src/screens/report-presets.tsx';
import { ReportFilter } from '#src/screens/report-filter.tsx';
import { BulkBar } from '#src/screens/table/bulk-bar.tsx';
import { useQuery } from '#src/screens/use-query.ts';
import { type ReportFile, useReportFile } from '#src/screens/use-report-file.ts';
import { enterWholeWindow, useWholeWindow } from '#src/screens/whole-window.ts';
import { question, askWhy } from '#src/screens/why.ts';
import { IconAlert, IconChart, IconClose, IconDown, IconDownload, IconFullScreen, IconPrint, IconUp } from '#src/ui/icons.tsx';
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
  const isShown = (state.kind === 'loading' || state.kind === 'loaded') && !isEmpty;
  const brand = useBrand();
  const isNarrow = useMedia(withoutGrid);
  const view = viewIn(query);
  const setFolded = (to: Partial<Pick<MatrixView, 'open' | 'full'>>) => setQuery(queryOf({ ...view, ...to }, query), { replace: true });
  // On a phone there is no grid that needs the room, and without one there is nothing but the choices.
  const isOpen = view.open || isNarrow || !isShown;
  const isFull = view.full && !isNarrow && isShown;
  useWholeWindow(isFull, () => setFolded({ full: false }));
  const choices = choicesIn(filter, matrixFields) + foldedIn(view);
  const asOf = matrix ? `As of ${formatMoment(new Date(matrix.asOf).toISOString())}` : '';
  const counted = { primary: brand.primaryComplianceAltName, secondary: brand.secondaryComplianceAltName, all: 'All requirements' };
  const address = queryWith(filter, new URLSearchParams());
  return (
    <div className={`${layout.page} ${layout.wide} ${classes.page}`}>
      <div className={layout.head}>
        <div className={classes.title}>
          <Title order={1}>{label}</Title>
          {isShown && <LoadProgress state={state} waits={waits} asOf={matrix?.complete ? `${asOf} · ${counted[filter.compliance_type]}` : ''} />}
        </div>
        {isShown && (
          <div className={layout.tools}>
            {!isNarrow && (
              <>
                <Button
                  variant={choices > 0 && !isOpen ? 'light' : 'default'}
                  aria-expanded={isOpen}
                  rightSection={isOpen ? <IconUp size={18} /> : <IconDown size={18} />}
                  onClick={() => setFolded({ open: !view.open })}
                >
                  {choices > 0 ? `Find and choose (${choices})` : 'Find and choose'}
                </Button>
                <Button
                  variant="default"
                  leftSection={isFull ? <IconClose size={20} /> : <IconFullScreen size={20} />}
                  onClick={() => {
                    if (!isFull) enterWholeWindow();
                    setFolded({ full: !isFull });
                  }}
                >
                  {isFull ? 'Leave full screen' : 'Full screen'}
                </Button>
              </>
            )}
            <Popover position="bottom-end" trapFocus returnFocus withinPortal>
              <Popover.Target>
                <Button variant="default" leftSection={<IconDownload size={20} />} rightSection={<IconDown size={18} />}>
                  Export and print
                </Button>
              </Popover.Target>
              <Popover.Dropdown className={classes.files} aria-label="Export and print">
                <ReportFileButtons report={matrixReport} file={file} formats={['xlsx', 'pdf']} />
                <ReportMailButton report={matrixReport} filter={matrixFilter} format="pdf" />
                <Button variant="default" component={Link} to={`${pathTo('reports-matrix-legacy')}?${address}`}>
                  As a table
                </Button>
                {matrix?.complete && (
                  <Button variant="default" leftSection={<IconPrint size={20} />} onClick={() => print()}>
                    Print
                  </Button>
                )}
                {can(me, needOf('reports-inspections-create')) && (
                  <Button variant="default" component={Link} to={`${pathTo('reports-inspections-create')}?${address}`}>
                    Freeze for an inspection
                  </Button>
                )}
              </Popover.Dropdown>
            </Popover>
          </div>
        )}
      </div>
      <ReportFileState file={file} />
      {isOpen && (
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
      )}
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
      {isShown && (
        // Mounted while loading, so that only the canvas has to be drawn when rows arrive.
        <Content key={key} {...{ state, data, grid, retry, reload, file }} open={isOpen} waits={waits} kind={filter.compliance_type} />
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
    <div className={`${layout.count} ${classes.progress}`}>
      <Text inherit role="status">
        {asOf || (waits ? `Preparing the matrix${takesLong}` : `${loadedWords}${ending}`)}
        {asOf && <span className="visually-hidden"> {texts.matrixFetched}</span>}
      </Text>
      <Progress
        value={users.length === 0 ? 0 : (100 * rows) / users.length}
        aria-label="People loaded"
        size="xs"
        style={{ visibility: asOf ? 'hidden' : undefined }}
      />
    </div>
  );
};

type Chosen = readonly { id: string; name: string }[];

/** The form that assigns a course begins with the job roles of these people. */
const assignQuery = (people: Chosen) => new URLSearchParams({ give: '', people: people.map((p) => p.id).join(',') });

type ContentProps = {
  state: Extract<MatrixState, { kind: 'loading' | 'loaded' }>;
  data: MatrixData | null;
  /** No rows have loaded yet. */
  waits: boolean;
  /** Whether the fields that find and group are shown. */
  open: boolean;
  grid: RefObject<MatrixHandle | null>;
  retry: () => void;
  /** Requests the rows of these people again, after an action that may have changed them. */
  reload: (people: readonly string[]) => void;
  file: ReportFile;
  kind: MatrixView['kind'];
};
const emptyData: MatrixData = { sheet: emptySheet(0, 0), loaded: new Uint8Array(0), people: [], courses: [] };
const Content = ({ state, data: loadedData, waits, open, grid, retry, reload, file, kind }: ContentProps) => {
  const { view: matrix, connection } = state.kind === 'loaded' ? state : { view: null, connection: null };
  const complete = matrix?.complete === true;
  const asOf = matrix ? `As of ${formatMoment(new Date(matrix.asOf).toISOString())}` : '';
  const data = loadedData ?? emptyData;
  const { sheet, courses } = data;
  const [query, setQuery] = useQuery();
  const brand = useBrand();
  const me = useSession();
  const peopleActions = usePeopleActions<Chosen[number]>();
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
        ...peopleActions,
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
      {connection === 'lost' && (
        <p className={layout.notice} data-tone="warning">
          <IconAlert size={20} /> The connection was lost, and not everyone is shown.{' '}
          <Button variant="default" onClick={retry}>
            Load it again
          </Button>
        </p>
      )}
      <MatrixBar {...{ data, waits, arrangement, open }} view={stableView} onView={setView} onJump={(to) => grid.current?.jumpTo(to) ?? false} />
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
      {bulk}
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
