import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Button, TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { cellAt, isOfKind } from '#contract/matrix/sheet.ts';
import { lookOf } from '#src/features/matrix/grid/marks.ts';
import { CellSign } from '#src/features/matrix/grid/marks-view.tsx';
import type { MatrixProps } from '#src/features/matrix/grid/matrix-grid.tsx';
import { percentage } from '#src/features/matrix/grid/matrix-view.ts';
import classes from '#src/features/matrix/grid/phone.module.css';
import { howSelected, selectionWith } from '#src/features/matrix/grid/selection.ts';
import { cellWords, shareWords } from '#contract/matrix/words.ts';
import { countOf } from '#src/lib/format.ts';
import { IconChevronLeft, IconChevronRight, IconSearch } from '#src/ui/icons.tsx';
import { Segmented } from '#src/ui/segmented.tsx';

/** A long list of which only the visible rows and a few around them are in the page. `size` estimates a row's height in pixels. */
const Rows = ({ label, count, size, children }: { label: string; count: number; size: number; children: (i: number) => ReactNode }) => {
  const scroller = useRef<HTMLUListElement>(null);
  const rows = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => size, overscan: 6 });
  return (
    <ul ref={scroller} className={classes.list} aria-label={label}>
      <li aria-hidden="true" className={classes.room} style={{ height: rows.getTotalSize() }} />
      {rows.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={rows.measureElement}
          data-index={index}
          aria-setsize={count}
          aria-posinset={index + 1}
          className={classes.row}
          style={{ transform: `translateY(${start}px)` }}
        >
          {children(index)}
        </li>
      ))}
    </ul>
  );
};

const Share = ({ percent, words }: { percent: number | null; words: string }) => (
  <span className={classes.share} role="img" aria-label={words}>
    {percent === null ? '–' : `${percent} %`}
  </span>
);

type TickProps = { isOn: boolean; onTick: (isOn: boolean) => void; children: ReactNode };
/** A row that selects a person. It is a label, so that all of it can be pressed and its content names the checkbox. */
const Tick = ({ isOn, onTick, children }: TickProps) => (
  <label className={`${shapes.press} ${classes.card}`} data-selected={isOn || undefined}>
    <input type="checkbox" className={classes.tick} checked={isOn} onChange={(event) => onTick(event.currentTarget.checked)} />
    {children}
  </label>
);

type ChoosingProps = {
  isSelecting: boolean;
  onSelecting: (isSelecting: boolean) => void;
  /** The ids of the listed people. */
  listed: readonly string[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
};
/** Starts and ends selecting, and selects everyone in the list. Ending it clears the selection. */
const Choosing = ({ isSelecting, onSelecting, listed, selected, onSelect }: ChoosingProps) => {
  const all = howSelected(selected, listed) === 'all';
  return (
    <div className={layout.tools}>
      <span role="status" className="visually-hidden">
        {isSelecting && selected.size === 0 ? 'People can be selected. The actions come after the list.' : ''}
      </span>
      <Button
        variant="default"
        onClick={() => {
          onSelecting(!isSelecting);
          if (isSelecting) onSelect(new Set());
        }}
      >
        {isSelecting ? 'Stop selecting' : 'Select'}
      </Button>
      {isSelecting && listed.length > 0 && (
        <Button variant="subtle" onClick={() => onSelect(selectionWith(selected, listed, !all))}>
          {all ? `Unselect all ${listed.length.toLocaleString('en-GB')}` : `Select all ${listed.length.toLocaleString('en-GB')}`}
        </Button>
      )}
    </div>
  );
};

type Opened = { by: 'person' | 'course'; row: number | null; column: number | null };

/** The matrix on a narrow screen: lists of people and of courses, each leading to the list of a person's courses or a course's people. */
export const MatrixPhone = (props: MatrixProps) => {
  const { data, arrangement: a, view, onView, lights, kinds, selected, onSelect } = props;
  const { sheet, loaded, people, courses } = data;
  const [{ by, row, column }, setOpened] = useState<Opened>({ by: 'person', row: null, column: null });
  const [hasStarted, setStarted] = useState(false);
  // A selection from the grid is kept when the device is turned.
  const isSelecting = hasStarted || selected.size > 0;
  const choosing = { isSelecting, onSelecting: setStarted, selected, onSelect };
  const idsOf = (rows: Iterable<number>): string[] => [...rows].flatMap((r) => people[r]?.id ?? []);
  const tick = (r: number, isOn: boolean) => {
    // Deselecting the last person does not end selecting.
    setStarted(true);
    onSelect(selectionWith(selected, idsOf([r]), isOn));
  };
  const heading = useRef<HTMLHeadingElement>(null);
  const isInside = by === 'person' ? row !== null : column !== null;
  const wasInside = useRef(isInside);
  useLayoutEffect(() => {
    if (isInside && !wasInside.current) heading.current?.focus();
    wasInside.current = isInside;
  });
  const cells = useMemo(() => {
    const isShown = (r: number, c: number) => {
      const byte = sheet.states[r * sheet.columns + c] ?? 0;
      if (!isOfKind(byte, view.kind)) return false;
      const { status } = cellAt(sheet, r, c);
      return view.statuses.length === 0 ? status !== 'not_required' : view.statuses.includes(status);
    };
    if (by === 'person' && row !== null) return [...a.columns].filter((c) => isShown(row, c)).map((c) => ({ row, column: c }));
    if (by === 'course' && column !== null) return [...a.rows].filter((r) => loaded[r] === 1 && isShown(r, column)).map((r) => ({ row: r, column }));
    return [];
  }, [by, row, column, a, sheet, loaded, view.kind, view.statuses]);

  if (isInside) {
    const person = row === null ? undefined : people[row];
    const course = column === null ? undefined : courses[column];
    const [inDate, required] =
      by === 'person'
        ? [a.rowInDate[row as number], a.rowRequired[row as number]]
        : [a.columnInDate[column as number], a.columnRequired[column as number]];
    const percent = percentage(inDate ?? 0, required ?? 0);
    return (
      <section className={layout.stack} aria-label={props.label}>
        <button type="button" className={`${shapes.press} ${classes.back}`} onClick={() => setOpened({ by, row: null, column: null })}>
          <IconChevronLeft size={20} /> {by === 'person' ? 'All people' : 'All courses'}
        </button>
        <div className={classes.head}>
          <h2 ref={heading} tabIndex={-1} className={classes.title}>
            {by === 'person' ? person?.name : course?.title}
          </h2>
          <span className={layout.count}>
            {[by === 'person' && person?.role, by === 'person' && person?.place, shareWords(percent, inDate ?? 0, required ?? 0)]
              .filter(Boolean)
              .join(' · ')}
          </span>
          <button
            type="button"
            className={`${shapes.press} ${classes.more}`}
            onClick={() => (by === 'person' ? props.onOpenPerson(row as number) : props.onOpenCourse(column as number))}
          >
            {by === 'person' ? 'Open this person' : 'Open this course'}
          </button>
        </div>
        {by === 'course' && (cells.length > 0 || isSelecting) && <Choosing {...choosing} listed={idsOf(cells.map((at) => at.row))} />}
        {cells.length === 0 ? (
          <p className={layout.count}>{by === 'person' && loaded[row as number] !== 1 ? 'Loading …' : 'Nothing matches these filters.'}</p>
        ) : (
          <Rows key={`${by} ${row} ${column}`} label={by === 'person' ? 'Courses' : 'People'} count={cells.length} size={72}>
            {(i) => {
              const position = cells[i] as { row: number; column: number };
              const cell = cellAt(sheet, position.row, position.column);
              const byte = sheet.states[position.row * sheet.columns + position.column] as number;
              const stands = (
                <>
                  <CellSign look={lookOf(byte, view.kind, view.statuses)} lights={lights} />
                  <span className={classes.words}>
                    <strong>{by === 'person' ? courses[position.column]?.title : people[position.row]?.name}</strong>
                    <span className={`${layout.count} ${classes.sentence}`}>{cellWords(cell, kinds)}</span>
                  </span>
                </>
              );
              return by === 'course' && isSelecting ? (
                <Tick isOn={selected.has(people[position.row]?.id ?? '')} onTick={(isOn) => tick(position.row, isOn)}>
                  {stands}
                </Tick>
              ) : (
                <button type="button" className={`${shapes.press} ${classes.card}`} onClick={() => props.onOpen(position.row, position.column)}>
                  {stands}
                  <IconChevronRight size={20} />
                </button>
              );
            }}
          </Rows>
        )}
      </section>
    );
  }
  const listsPeople = by === 'person';
  const count = listsPeople ? a.rows.length : a.columns.length;
  return (
    <section className={layout.stack} aria-label={props.label}>
      <Segmented
        aria-label="List of"
        value={by}
        onChange={(value) => setOpened({ by: value as Opened['by'], row: null, column: null })}
        data={[
          { value: 'person', label: 'People' },
          { value: 'course', label: 'Courses' },
        ]}
      />
      <TextInput
        aria-label={listsPeople ? 'Find people' : 'Find courses'}
        placeholder={listsPeople ? 'Find people' : 'Find courses'}
        leftSection={<IconSearch size={18} />}
        value={listsPeople ? view.people : view.courses}
        onChange={(event) => onView({ ...view, [listsPeople ? 'people' : 'courses']: event.currentTarget.value })}
      />
      <p className={layout.count} role="status">
        {listsPeople ? countOf(count, 'person', 'people') : countOf(count, 'course')} ·{' '}
        {shareWords(percentage(a.inDate, a.required), a.inDate, a.required)}
      </p>
      {listsPeople && (count > 0 || isSelecting) && <Choosing {...choosing} listed={idsOf(a.rows)} />}
      <Rows key={by} label={listsPeople ? 'People' : 'Courses'} count={count} size={68}>
        {(i) => {
          const index = (listsPeople ? a.rows[i] : a.columns[i]) as number;
          const [inDate, required] = listsPeople
            ? [a.rowInDate[index] ?? 0, a.rowRequired[index] ?? 0]
            : [a.columnInDate[index] ?? 0, a.columnRequired[index] ?? 0];
          const percent = percentage(inDate, required);
          const person = people[index];
          const stands = (
            <>
              <span className={classes.words}>
                <strong>{listsPeople ? person?.name : courses[index]?.title}</strong>
                {listsPeople && <span className={layout.count}>{[person?.role, person?.place].filter(Boolean).join(' · ')}</span>}
              </span>
              <Share percent={percent} words={shareWords(percent, inDate, required)} />
            </>
          );
          return listsPeople && isSelecting ? (
            <Tick isOn={selected.has(person?.id ?? '')} onTick={(isOn) => tick(index, isOn)}>
              {stands}
            </Tick>
          ) : (
            <button
              type="button"
              className={`${shapes.press} ${classes.card}`}
              onClick={() => setOpened({ by, row: listsPeople ? index : null, column: listsPeople ? null : index })}
            >
              {stands}
              <IconChevronRight size={20} />
            </button>
          );
        }}
      </Rows>
    </section>
  );
};
