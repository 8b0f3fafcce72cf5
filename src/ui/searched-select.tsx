import '@mantine/core/styles/Combobox.css';
import { Select } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

export type Option = { id: string; title: string };
type Found<O> = { options: readonly O[] } | { failed: string };
type Props<O extends Option> = {
  label: string;
  description?: ReactNode;
  placeholder: string;
  /** Shown if nothing was found. */
  nothing: string;
  required?: boolean;
  disabled?: boolean;
  value: O | null;
  error?: string | undefined;
  /** Excluded because already chosen or assigned. */
  except?: readonly string[];
  /** Called while typing. Must be referentially stable. */
  search: (typed: string, signal: AbortSignal) => Promise<Found<O>>;
  onChange: (chosen: O) => void;
};

const pauseMs = 250;

/** A select whose options are searched on the server while typing. */
export const SearchedSelect = <O extends Option>({ value, search, onChange, nothing, except, ...shownAs }: Props<O>) => {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<{ for: string; by: typeof search; answer: Found<O> } | null>(null);
  const { disabled = false } = shownAs;
  const words = typed === value?.title ? '' : typed;
  useEffect(() => {
    // A disabled field is not searched: the person may not have permission to search.
    if (disabled) return;
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        void search(words, stop.signal).then((answer) => {
          if (!stop.signal.aborted) setFound({ for: words, by: search, answer });
        }),
      pauseMs,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [words, search, disabled]);
  // Results of an earlier search are not offered, so that a tap cannot select one of them by mistake.
  const answer = found && found.for === words && found.by === search ? found.answer : null;
  const options = answer && 'options' in answer ? answer.options.filter((o) => o.id === value?.id || !except?.includes(o.id)) : [];
  const shown = value && !options.some((o) => o.id === value.id) ? [value, ...options] : options;
  return (
    <Select
      {...shownAs}
      searchable
      nothingFoundMessage={answer === null ? 'Searching …' : 'failed' in answer ? answer.failed : nothing}
      data={shown.map((o) => ({ value: o.id, label: o.title }))}
      // The server has searched.
      filter={({ options: all }) => (answer === null ? [] : all)}
      value={value?.id ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        const chosen = shown.find((o) => o.id === id);
        if (chosen) onChange(chosen);
      }}
    />
  );
};
