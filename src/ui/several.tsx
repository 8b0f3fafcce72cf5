import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { MultiSelect } from '@mantine/core';
import type { ReactNode } from 'react';

type Thing = { id: string; name: string };
type Props = {
  label: string;
  description?: string;
  /** Shown if nothing is selected. */
  none: string;
  among: readonly Thing[];
  /** What is chosen stays in sight, also where it cannot be chosen any more. */
  value: readonly Thing[];
  disabled?: boolean;
  error?: ReactNode;
  onChange: (chosen: Thing[]) => void;
};

/** Several of a list that is known whole. */
export const Several = ({ none, among, value, onChange, ...shown }: Props) => {
  const all = [...among, ...value.filter((c) => !among.some((a) => a.id === c.id))];
  return (
    <MultiSelect
      {...shown}
      searchable
      hidePickedOptions
      placeholder={value.length === 0 ? none : ''}
      nothingFoundMessage="No match"
      data={all.map((t) => ({ value: t.id, label: t.name }))}
      value={value.map((c) => c.id)}
      onChange={(ids) => onChange(ids.flatMap((id) => all.filter((t) => t.id === id)))}
    />
  );
};
