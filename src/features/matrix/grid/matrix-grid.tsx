import {
  type PointerEvent as ReactPointerEvent,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { CSSProperties, Ref } from 'react';
import { type Cursor, cursorAt, moveBy, followCursor } from '#src/features/matrix/grid/cursor.ts';
import { describe, partsOf } from '#src/features/matrix/grid/describe.ts';
import {
  boxOf,
  clampNameWidth,
  clampWidth,
  edgeAt,
  geometryOf,
  headLine,
  nameColumn,
  type Place,
  placeAt,
  scrollTo,
  selectColumn,
  totalColumn,
  totalsLine,
  type Widths,
  zooms,
} from '#src/features/matrix/grid/geometry.ts';
import { LiveGrid } from '#src/features/matrix/grid/live-grid.tsx';
import classes from '#src/features/matrix/grid/matrix.module.css';
import { type Arrangement, groupsOfRow, uncounted, type MatrixData, type MatrixView, sortedBy } from '#src/features/matrix/grid/matrix-view.ts';
import type { KindWords } from '#contract/matrix/words.ts';
import type { Lights } from '#src/features/matrix/grid/palette.ts';
import { sample, whileIdle } from '#src/features/matrix/grid/rehearsal.ts';
import { howSelected, peopleOfGroups, rowsBetween, selectionWith } from '#src/features/matrix/grid/selection.ts';
import { showTip } from '#src/features/matrix/grid/tip.ts';
import { firstArrangement, indexFor } from '#src/features/matrix/grid/use-arrangement.ts';
import { useMedia, usePalette, usePicture, useRoom } from '#src/features/matrix/grid/use-picture.ts';

export type MatrixProps = {
  /** The accessible name. */
  label: string;
  /** Referentially stable; cells are filled in place. */
  data: MatrixData;
  /** No rows have loaded yet: skeleton rows are drawn. */
  waits: boolean;
  arrangement: Arrangement;
  view: MatrixView;
  onView: (view: MatrixView) => void;
  /** The organisation's traffic lights, score bands and names of its requirements. Referentially stable. */
  lights: Lights;
  bands: { green: number; amber: number };
  kinds: KindWords;
  /** The ids of the selected people. */
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  /** Rows and columns are those of the sheet. */
  onOpen: (row: number, column: number) => void;
  onOpenPerson: (row: number) => void;
  onOpenCourse: (column: number) => void;
};
export type MatrixHandle = {
  /** Scrolls to a person, a course or both (row and column of the sheet); returns false if the view does not show them. */
  jumpTo: (to: { row?: number; column?: number }) => boolean;
  /** Draws the first rows on the canvas at once, before the `data` prop has them. Returns false if it cannot draw yet. */
  show: (data: MatrixData) => boolean;
};
type Props = MatrixProps & { widths: Widths; onWidths: (widths: Widths) => void; handle?: Ref<MatrixHandle> };

const idsOf = ({ columns }: Arrangement, { courses }: MatrixData): string[] => Array.from(columns, (column) => courses[column]?.id ?? '');
const widthStep = 8;
/** Screen readers get the live grid instead of the canvas. */
const hiddenFromReaders = { 'aria-hidden': true } as const;
const help = 'Arrow keys move, Enter opens, Space selects, Shift and left or right in a heading change a width, plus and minus the size.';

/** The matrix as a grid: a canvas that stays in place while its container scrolls, and a live grid of elements around the focused cell. */
export const MatrixGrid = (props: Props) => {
  const { label, data, waits, arrangement, view, onView, lights, bands, kinds, selected, onSelect, widths, onWidths, handle } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const probe = useRef<HTMLElement>(null);
  const live = useRef<HTMLDivElement>(null);
  const foot = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const room = useRoom(scroller);
  const touch = useMedia('(pointer: coarse)');
  const palette = usePalette(probe, lights);
  // Null until the cursor is moved: there may be no rows when this mounts.
  const [stored, setCursor] = useState<Cursor | null>(null);
  const cursor = followCursor(stored ?? cursorAt({ line: 0, column: 0 }, arrangement), arrangement);
  const [ring, setRing] = useState(false);
  const [announced, announce] = useState('');
  /** Where a range selection begins, valid for one order of the lines. */
  const anchor = useRef<{ line: number; lines: Int32Array } | null>(null);
  const wantsFocus = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids depend on the columns alone
  const columnIds = useMemo(() => idsOf(arrangement, data), [arrangement.columns, data.courses]);
  const lineCount = arrangement.lines.length;
  const geometry = useMemo(
    () => geometryOf({ zoom: view.zoom, columns: columnIds, widths, lines: lineCount, touch, room: room.width }),
    [view.zoom, columnIds, widths, lineCount, touch, room.width],
  );
  const isSelected = useCallback((row: number) => selected.has(data.people[row]?.id ?? ''), [selected, data.people]);
  const shownIds = () => Array.from(arrangement.rows, (row) => data.people[row]?.id ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids depend on the rows alone
  const all = useMemo(() => (selected.size === 0 ? 'none' : howSelected(selected, shownIds())), [selected, arrangement.rows, data.people]);
  const groupPeople = useMemo(() => {
    if (view.group === 'person') return [];
    const membership = indexFor(data).membership(view.group);
    return peopleOfGroups(
      arrangement,
      (row) => groupsOfRow(membership, row),
      (row) => data.people[row]?.id ?? '',
    );
  }, [arrangement, data, view.group]);
  const groupStates = useMemo(() => groupPeople.map((ids) => howSelected(selected, ids)), [groupPeople, selected]);
  const stateOfGroup = useCallback((group: number) => groupStates[group] ?? 'none', [groupStates]);
  const { pointAt, show, rehearse } = usePicture(
    canvas,
    scroller,
    { data, waits, arrangement, geometry, view, palette, bands, isSelected, stateOfGroup, all, focus: ring ? cursor : null },
    room,
  );
  const scroll = () => ({ left: scroller.current?.scrollLeft ?? 0, top: scroller.current?.scrollTop ?? 0 });
  /** The position whose words are shown: in full in the line below, and with its dates beside it. */
  const told = useRef<Place | null>(null);
  const placeTip = () => {
    const place = told.current;
    // What is selected by a box is said by the box.
    const parts = place && place.column !== selectColumn ? partsOf({ data, arrangement, view, kinds }, place) : [];
    if (tip.current) showTip(tip.current, parts, place, geometry, scroll(), room);
  };
  const tell = (place: Place | null) => {
    if (foot.current) foot.current.textContent = place ? describe({ data, arrangement, view, kinds }, place) : help;
    told.current = place;
    placeTip();
  };
  const hideTip = () => {
    told.current = null;
    placeTip();
  };

  const reveal = (place: Place) => {
    const target = scrollTo(geometry, place, scroll(), room);
    scroller.current?.scrollTo({ ...target, behavior: 'instant' });
  };
  const goTo = (place: Place, focus = true) => {
    setCursor(cursorAt(place, arrangement));
    wantsFocus.current = focus;
    reveal(place);
    tell(place);
  };
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    live.current?.querySelector<HTMLElement>('[data-cursor]')?.focus({ preventScroll: true });
  });
  /** A jump to a person in a closed group, completed once the groups are open. */
  const pendingJump = useRef<{ row?: number; column?: number } | null>(null);
  const jumping: Pick<MatrixHandle, 'jumpTo'> = {
    jumpTo: ({ row, column }) => {
      const line = row === undefined ? cursor.line : arrangement.lines.indexOf(row);
      if (line === -1 && row !== undefined && view.closed.length > 0 && arrangement.rows.includes(row)) {
        pendingJump.current = { row, column };
        onView({ ...view, closed: [] });
        return true;
      }
      const targetColumn = column === undefined ? cursor.column : arrangement.columns.indexOf(column);
      const isShown = (row === undefined || line !== -1) && (column === undefined || targetColumn !== -1);
      if (isShown) {
        setRing(true);
        goTo({ line: row === undefined && line < 0 ? 0 : line, column: targetColumn });
      }
      return isShown;
    },
  };
  const firstPicture = (first: MatrixData) => {
    const arrangement = firstArrangement(first, view);
    const lines = arrangement.lines.length;
    const geometry = geometryOf({ zoom: view.zoom, columns: idsOf(arrangement, first), widths, lines, touch, room: room.width });
    return { data: first, waits: false, arrangement, geometry, isSelected: (row: number) => selected.has(first.people[row]?.id ?? '') };
  };
  useImperativeHandle(handle, () => ({ ...jumping, show: (first) => show(firstPicture(first)) }));
  const isReady = palette !== null && room.width > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first picture is rehearsed
  useEffect(() => {
    if (!waits || !isReady) return;
    const sampleData = sample();
    return whileIdle(() => {
      uncounted(sampleData);
      rehearse(firstPicture(sampleData));
    });
  }, [waits, isReady]);
  useLayoutEffect(() => {
    const jump = pendingJump.current;
    if (jump === null || view.closed.length > 0) return;
    pendingJump.current = null;
    jumping.jumpTo(jump);
  });
  // The focused cell stays visible when the zoom changes.
  const zoom = useRef(view.zoom);
  useEffect(() => {
    if (zoom.current === view.zoom) return;
    zoom.current = view.zoom;
    scroller.current?.scrollTo({ ...scrollTo(geometry, cursor, scroll(), room), behavior: 'instant' });
  });

  const setWidth = (column: number, width: number): number => {
    if (column === nameColumn) {
      const names = clampNameWidth(width);
      onWidths({ ...widths, names });
      return names;
    }
    const id = columnIds[column];
    const next = clampWidth(width);
    if (id !== undefined) onWidths({ ...widths, courses: { ...widths.courses, [id]: next } });
    return next;
  };
  const widthOf = (column: number) => boxOf(geometry, { line: headLine, column }, scroll()).width;

  const select = (line: number, shift: boolean) => {
    const entry = arrangement.lines[line] ?? 0;
    if (entry < 0) return;
    const from = shift && anchor.current?.lines === arrangement.lines ? anchor.current.line : null;
    const rows = from === null ? [entry] : rowsBetween(arrangement.lines, from, line);
    // Everyone in a range gets the state of its first person.
    const next = selectionWith(
      selected,
      rows.map((row) => data.people[row]?.id ?? ''),
      from === null ? !isSelected(entry) : isSelected(arrangement.lines[from] ?? 0),
    );
    if (from === null) anchor.current = { line, lines: arrangement.lines };
    onSelect(next);
    announce(`${next.size.toLocaleString('en-GB')} selected`);
  };
  const selectGroup = (group: number) => {
    const next = selectionWith(selected, groupPeople[group] ?? [], stateOfGroup(group) !== 'all');
    onSelect(next);
    announce(`${next.size.toLocaleString('en-GB')} selected`);
  };
  const toggleGroup = (name: string) =>
    onView({ ...view, closed: view.closed.includes(name) ? view.closed.filter((c) => c !== name) : [...view.closed, name] });

  const press = ({ line, column }: Place, shift: boolean) => {
    const course = column < 0 ? undefined : arrangement.columns[column];
    if (line === headLine) {
      if (column === selectColumn) onSelect(selectionWith(selected, shownIds(), all !== 'all'));
      else onView(sortedBy(view, column === nameColumn ? 'name' : column === totalColumn ? 'percentage' : (columnIds[column] ?? 'name')));
      return;
    }
    if (line === totalsLine) {
      if (course !== undefined) props.onOpenCourse(course);
      return;
    }
    const entry = arrangement.lines[line];
    if (entry === undefined) return;
    if (entry < 0) {
      const name = arrangement.groups[~entry]?.name;
      if (column === selectColumn) selectGroup(~entry);
      else if (course === undefined && name !== undefined) toggleGroup(name);
    } else if (column === selectColumn) select(line, shift);
    else if (course === undefined) props.onOpenPerson(entry);
    else props.onOpen(entry, course);
  };

  const changeZoom = (levels: number) => {
    const next = Math.max(0, Math.min(zooms.length - 1, view.zoom + levels));
    if (next !== view.zoom) onView({ ...view, zoom: next });
    announce(`Size: ${zooms[next]?.name ?? ''}`);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    const { key, shiftKey: shift, ctrlKey: ctrl } = event;
    const preventDefault = () => event.preventDefault();
    if (key === 'Escape') return hideTip();
    setRing(true);
    if (cursor.line === headLine && shift && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      preventDefault();
      if (cursor.column === selectColumn || cursor.column === totalColumn) return;
      const width = setWidth(cursor.column, widthOf(cursor.column) + (key === 'ArrowLeft' ? -widthStep : widthStep));
      return announce(`Width ${width}`);
    }
    if (key === 'Enter') {
      preventDefault();
      return press(cursor, shift);
    }
    if (key === ' ') {
      preventDefault();
      return cursor.line < 0 || (arrangement.lines[cursor.line] ?? 0) < 0 ? press(cursor, shift) : select(cursor.line, shift);
    }
    if (ctrl && key.toLowerCase() === 'a') {
      preventDefault();
      const next = selectionWith(selected, shownIds(), all !== 'all');
      onSelect(next);
      return announce(`${next.size.toLocaleString('en-GB')} selected`);
    }
    if (!ctrl && (key === '+' || key === '=' || key === '-')) {
      preventDefault();
      return changeZoom(key === '-' ? -1 : 1);
    }
    const next = moveBy(cursor, { key, ctrl }, arrangement, Math.max(1, Math.floor((room.height - geometry.top) / geometry.row) - 1));
    if (!next) return;
    preventDefault();
    goTo(next);
  };

  const pointOf = (event: { nativeEvent: MouseEvent }) => ({ x: event.nativeEvent.offsetX, y: event.nativeEvent.offsetY });
  const drag = useRef(false);
  const onPointerDown = (event: ReactPointerEvent) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    const { x, y } = pointOf(event);
    const edge = edgeAt(geometry, x, y, scroll());
    if (edge === null) return;
    event.preventDefault();
    drag.current = true;
    const before = widthOf(edge);
    const move = (e: PointerEvent) => setWidth(edge, before + e.clientX - event.clientX);
    const stop = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', stop);
      removeEventListener('pointercancel', stop);
      // After the click event that may follow.
      setTimeout(() => {
        drag.current = false;
      });
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', stop);
    addEventListener('pointercancel', stop);
  };
  const onPointerMove = (event: ReactPointerEvent) => {
    if (event.pointerType !== 'mouse' || !canvas.current) return;
    const { x, y } = pointOf(event);
    const place = placeAt(geometry, x, y, scroll());
    const entry = place && place.line >= 0 ? (arrangement.lines[place.line] ?? 0) : 0;
    const isPressable = place && !(place.line === totalsLine && place.column < 0) && !(entry < 0 && place.column >= 0);
    canvas.current.dataset.points = edgeAt(geometry, x, y, scroll()) !== null ? 'edge' : isPressable ? 'press' : '';
    pointAt(place);
    const next = place ?? (ring ? cursor : null);
    if (next?.line !== told.current?.line || next?.column !== told.current?.column) tell(next);
  };
  const onPointerLeave = () => {
    pointAt(null);
    tell(ring ? cursor : null);
  };
  const onClick = (event: React.MouseEvent) => {
    if (drag.current) return;
    const { x, y } = pointOf(event);
    const place = placeAt(geometry, x, y, scroll());
    if (!place) return;
    setRing(false);
    goTo(place);
    press(place, event.shiftKey);
  };

  return (
    <div className={classes.frame} data-waits={waits || undefined} style={{ '--matrix-content': `${geometry.height}px` } as CSSProperties}>
      <i ref={probe} className={classes.probe} aria-hidden="true" />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of the grid inside */}
      <div
        ref={scroller}
        className={classes.scroller}
        style={{ scrollPadding: `${geometry.top}px 0 0 ${geometry.left}px` }}
        onKeyDown={onKeyDown}
        onScroll={placeTip}
        onBlur={(event) => {
          if (event.currentTarget.contains(event.relatedTarget)) return;
          setRing(false);
          hideTip();
        }}
      >
        <div className={classes.space} style={{ width: geometry.width, height: geometry.height }}>
          <canvas
            ref={canvas}
            {...hiddenFromReaders}
            className={classes.canvas}
            style={{ width: room.width, height: room.height }}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerLeave={onPointerLeave}
            onClick={onClick}
          />
          {!waits && (
            <LiveGrid
              help={helpId}
              {...{ label, data, arrangement, view, kinds, geometry, cursor, isSelected, stateOfGroup, all }}
              element={live}
              onPlace={(place, element) => {
                if (place.line !== cursor.line || place.column !== cursor.column) setCursor(cursorAt(place, arrangement));
                if (element.matches(':focus-visible')) {
                  setRing(true);
                  tell(place);
                }
              }}
              onPress={press}
            />
          )}
        </div>
      </div>
      <div ref={tip} className={classes.tip} aria-hidden="true" hidden />
      {lineCount === 0 && !waits && (
        <p className={classes.empty}>{data.people.length === 0 ? 'There is nobody to show.' : 'Nobody matches these filters.'}</p>
      )}
      <span id={helpId} hidden>
        {help}
      </span>
      <div className={classes.foot} aria-hidden="true">
        <span ref={foot}>{help}</span>
      </div>
      <span role="status" className="visually-hidden">
        {announced}
      </span>
    </div>
  );
};
