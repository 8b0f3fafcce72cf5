import '@mantine/core/styles/Combobox.css';
import { Select } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

export type Option = { id: string; title: string };
type Found<O> = { options: readonly O[] } | { failed: string };
type Props<O extends Option> = {
  label: string;
  description?: ReactNode;
  placeholder: string;
  /** What is said where nothing was found. */
  nothing: string;
  required?: boolean;
  disabled?: boolean;
  value: O | null;
  error?: string | undefined;
  /** Asked as one types. Must be the same function at each drawing. */
  search: (typed: string, signal: AbortSignal) => Promise<Found<O>>;
  onChange: (chosen: O) => void;
};

const pauseMs = 250;

/** One of many, looked up on the server as one types. */
export const SearchedSelect = <O extends Option>({ value, search, onChange, nothing, ...shownAs }: Props<O>) => {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<Found<O>>({ options: [] });
  const { disabled = false } = shownAs;
  useEffect(() => {
    // What cannot be changed is not looked up: who may not change it may not be allowed to look either.
    if (disabled) return;
    const stop = new AbortController();
    const words = typed === value?.title ? '' : typed;
    const timer = setTimeout(
      () =>
        void search(words, stop.signal).then((answer) => {
          if (!stop.signal.aborted) setFound(answer);
        }),
      pauseMs,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [typed, value, search, disabled]);
  const options = 'options' in found ? found.options : [];
  const shown = value && !options.some((o) => o.id === value.id) ? [value, ...options] : options;
  return (
    <Select
      {...shownAs}
      searchable
      nothingFoundMessage={'failed' in found ? found.failed : nothing}
      data={shown.map((o) => ({ value: o.id, label: o.title }))}
      // The server has searched.
      filter={({ options: all }) => all}
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
