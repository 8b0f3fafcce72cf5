import '@mantine/core/styles/Combobox.css';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { found, type MatrixData } from '#src/features/matrix/grid/matrix-view.ts';
import { indexFor } from '#src/features/matrix/grid/use-arrangement.ts';
import layout from '#src/ui/page.module.css';

/** As many of each as are read. */
const offered = 12;
type Props = {
  data: MatrixData;
  /** Rows and columns of the sheet; false where the view does not show it. */
  onJump: (to: { row?: number; column?: number }) => boolean;
};

/** Finds a person or a course by a part of the name, and leads there. */
export const JumpTo = ({ data, onJump }: Props) => {
  const [typed, setTyped] = useState('');
  const [missed, setMissed] = useState<string | null>(null);
  const isTyped = typed.trim() !== '';
  const rows = isTyped ? [...found(indexFor(data).peopleText, typed, data.people.length).subarray(0, offered)] : [];
  const columns = isTyped ? [...found(indexFor(data).courseText, typed, data.courses.length).subarray(0, offered)] : [];
  const groups = [
    { group: 'People', items: rows.map((row) => ({ value: `row ${row}`, label: data.people[row]?.name ?? '' })) },
    { group: 'Courses', items: columns.map((column) => ({ value: `column ${column}`, label: data.courses[column]?.title ?? '' })) },
  ].filter(({ items }) => items.length > 0);
  return (
    <div>
      <Select
        label="Jump to"
        placeholder="Person or course"
        searchable
        value={null}
        data={groups}
        // What was found without accents or in another order is not looked for again.
        filter={({ options }) => options}
        nothingFoundMessage={isTyped ? 'No match' : 'Type a part of a name'}
        searchValue={typed}
        onSearchChange={setTyped}
        // Two people can have one name.
        renderOption={({ option }) => {
          const person = option.value.startsWith('row ') ? data.people[Number(option.value.slice(4))] : undefined;
          return (
            <span>
              {option.label}
              {person && <small className={layout.count}> · {[person.role, person.place].filter(Boolean).join(' · ')}</small>}
            </span>
          );
        }}
        onChange={(value) => {
          if (value === null) return;
          const [kind, number] = value.split(' ');
          const at = Number(number);
          const name = kind === 'row' ? data.people[at]?.name : data.courses[at]?.title;
          setMissed(onJump(kind === 'row' ? { row: at } : { column: at }) ? null : (name ?? ''));
          setTyped('');
        }}
      />
      <span role="status" className={layout.count}>
        {missed !== null && `${missed} is not shown with these filters.`}
      </span>
    </div>
  );
};
