import '@mantine/core/styles/Combobox.css';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { findTexts, type MatrixData } from '#src/features/matrix/grid/matrix-view.ts';
import { indexFor } from '#src/features/matrix/grid/use-arrangement.ts';
import layout from '#src/ui/page.module.css';

const maxOffered = 12;
type Props = {
  data: MatrixData;
  /** Takes a row or a column of the sheet; returns false if the view does not show it. */
  onJump: (to: { row?: number; column?: number }) => boolean;
};

/** Finds a person or a course by part of the name, and scrolls to it. */
export const JumpTo = ({ data, onJump }: Props) => {
  const [typed, setTyped] = useState('');
  const [notShown, setNotShown] = useState<string | null>(null);
  const isTyped = typed.trim() !== '';
  const rows = isTyped ? [...findTexts(indexFor(data).peopleText, typed, data.people.length).subarray(0, maxOffered)] : [];
  const columns = isTyped ? [...findTexts(indexFor(data).courseText, typed, data.courses.length).subarray(0, maxOffered)] : [];
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
        // The options are matches already: the library's own filter knows neither accents nor word order.
        filter={({ options }) => options}
        nothingFoundMessage={isTyped ? 'No match' : 'Type a part of a name'}
        searchValue={typed}
        onSearchChange={setTyped}
        // Two people can have the same name.
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
          const index = Number(number);
          const name = kind === 'row' ? data.people[index]?.name : data.courses[index]?.title;
          setNotShown(onJump(kind === 'row' ? { row: index } : { column: index }) ? null : (name ?? ''));
          setTyped('');
        }}
      />
      <span role="status" className={layout.count}>
        {notShown !== null && `${notShown} is not shown with these filters.`}
      </span>
    </div>
  );
};
