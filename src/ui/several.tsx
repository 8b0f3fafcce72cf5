import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { MultiSelect } from '@mantine/core';

type Thing = { id: string; name: string };
type Props = {
  label: string;
  description?: string;
  /** Shown if nothing is selected. */
  none: string;
  among: readonly Thing[];
  /** Selected options stay visible even if they are no longer available. */
  chosen: readonly Thing[];
  disabled?: boolean;
  error?: string | undefined;
  onChange: (chosen: Thing[]) => void;
};

/** A multi-select over a list that is fully loaded. */
export const Several = ({ none, among, chosen, onChange, ...shown }: Props) => {
  const all = [...among, ...chosen.filter((c) => !among.some((a) => a.id === c.id))];
  return (
    <MultiSelect
      {...shown}
      searchable
      hidePickedOptions
      placeholder={chosen.length === 0 ? none : ''}
      nothingFoundMessage="No match"
      data={all.map((t) => ({ value: t.id, label: t.name }))}
      value={chosen.map((c) => c.id)}
      onChange={(ids) => onChange(ids.flatMap((id) => all.filter((t) => t.id === id)))}
    />
  );
};
