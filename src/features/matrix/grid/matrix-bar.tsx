import '@mantine/core/styles/Chip.css';
import { ActionIcon, Chip, NativeSelect, TextInput } from '@mantine/core';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { type ComplianceStatus, complianceStatuses } from '#contract/rules/compliance-status.ts';
import { zooms } from '#src/features/matrix/grid/geometry.ts';
import { JumpTo } from '#src/features/matrix/grid/jump-to.tsx';
import classes from '#src/features/matrix/grid/bar.module.css';
import { type Arrangement, dueStatuses, groupings, isOnlyDue, type MatrixData, type MatrixView } from '#src/features/matrix/grid/matrix-view.ts';
import { statusWords } from '#contract/matrix/words.ts';

const groupWords = { person: 'Nothing', place: 'Organisation', role: 'First job role', tag: 'Tag' } as const;
/** The statuses offered as filters, the most urgent first. */
const filters: readonly ComplianceStatus[] = ['expired', 'missing', 'expiring', 'starter', 'in_date'];

/** A search field that reports with a delay, because each report rearranges the whole matrix. */
const Search = ({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) => {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  /** Whether the text was typed here and has not been reported yet. */
  const isUnreported = useRef(false);
  const settled = useDeferredValue(typed);
  useEffect(() => {
    if (!isUnreported.current || settled !== typed) return;
    isUnreported.current = false;
    reported.current = settled;
    onChange(settled);
  });
  // Changed elsewhere: by an address, by clearing the filters, or in the search field of the phone layout.
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    isUnreported.current = false;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      className={classes.search}
      label={label}
      value={typed}
      onChange={(event) => {
        isUnreported.current = true;
        setTyped(event.currentTarget.value);
      }}
    />
  );
};

type Props = {
  data: MatrixData;
  /** No rows have loaded yet: no counts are shown. */
  waits: boolean;
  arrangement: Arrangement;
  view: MatrixView;
  onView: (view: MatrixView) => void;
  /** Whether the fields that find and group are shown above the statuses. */
  open: boolean;
  onJump: (to: { row?: number; column?: number }) => boolean;
};

/** What finds, groups and narrows within the matrix. */
export const MatrixBar = ({ data, waits, arrangement, view, onView, open, onJump }: Props) => {
  const zoom = (by: number) => onView({ ...view, zoom: Math.max(0, Math.min(zooms.length - 1, view.zoom + by)) });
  const countOfStatus = (...statuses: readonly ComplianceStatus[]) =>
    waits ? '' : statuses.reduce((sum, status) => sum + arrangement.statuses[status], 0).toLocaleString('en-GB');
  return (
    <div className={classes.bar}>
      {open && (
        <div className={classes.line}>
          <Search label="Find people" value={view.people} onChange={(people) => onView({ ...view, people })} />
          <Search label="Find courses" value={view.courses} onChange={(courses) => onView({ ...view, courses })} />
          <div className={classes.search}>
            <JumpTo data={data} onJump={onJump} />
          </div>
          <NativeSelect
            className={classes.group}
            label="Group by"
            value={view.group}
            data={groupings.map((value) => ({ value, label: groupWords[value] }))}
            onChange={(event) => onView({ ...view, group: event.currentTarget.value as MatrixView['group'], closed: [] })}
          />
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would add a frame */}
          <div className={classes.zoom} role="group" aria-label="Size">
            <ActionIcon variant="default" aria-label="Smaller" disabled={view.zoom === 0} onClick={() => zoom(-1)}>
              −
            </ActionIcon>
            <span>{zooms[view.zoom]?.name}</span>
            <ActionIcon variant="default" aria-label="Larger" disabled={view.zoom === zooms.length - 1} onClick={() => zoom(1)}>
              +
            </ActionIcon>
          </div>
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would add a frame */}
      <div className={classes.filters} role="group" aria-label="Only with">
        <Chip
          size="md"
          variant="light"
          checked={isOnlyDue(view)}
          onChange={(isOn) => onView({ ...view, statuses: isOn ? complianceStatuses.filter((s) => dueStatuses.includes(s)) : [] })}
        >
          Only what is due {countOfStatus(...dueStatuses)}
        </Chip>
        <Chip.Group multiple value={[...view.statuses]} onChange={(to) => onView({ ...view, statuses: filters.filter((s) => to.includes(s)) })}>
          {filters.map((status) => (
            <Chip key={status} value={status} size="md" variant="light">
              {statusWords[status]} {countOfStatus(status)}
            </Chip>
          ))}
        </Chip.Group>
      </div>
    </div>
  );
};
