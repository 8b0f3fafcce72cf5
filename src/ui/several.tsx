import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { MultiSelect } from '@mantine/core';

type Thing = { id: string; name: string };
type Props = {
  label: string;
  description?: string;
  /** What it means that nothing is chosen. */
  none: string;
  among: readonly Thing[];
  /** What is chosen stays in sight, also where it cannot be chosen any more. */
  chosen: readonly Thing[];
  disabled?: boolean;
  error?: string | undefined;
  onChange: (chosen: Thing[]) => void;
};

/** Several of a list that is known whole. */
export const Several = ({ none, among, chosen, onChange, ...shown }: Props) => {
  const all = [...among, ...chosen.filter((c) => !among.some((a) => a.id === c.id))];
  return (
    <MultiSelect
      {...shown}
      searchable
      hidePickedOptions
      placeholder={chosen.length === 0 ? none : ''}
      nothingFoundMessage="Nothing of this name"
      data={all.map((t) => ({ value: t.id, label: t.name }))}
      value={chosen.map((c) => c.id)}
      onChange={(ids) => onChange(ids.flatMap((id) => all.filter((t) => t.id === id)))}
    />
  );
};
