import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { MultiSelect, Select } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { findCourses, findEntities, findPeople } from '#src/api/find.ts';
import { useLine } from '#src/device/line.ts';

export type Option = { id: string; title: string };
/** An organisation, found or known: the slug is needed where what is chosen is looked into. */
export type Place = Option & { slug?: string };
type Found<O> = { options: readonly O[] } | { failed: string };
type Find<O> = (typed: string, signal: AbortSignal) => Promise<Found<O>>;
type Look = {
  label?: string;
  'aria-label'?: string;
  description?: ReactNode;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
  error?: ReactNode;
  'data-field'?: string;
  /** Not offered: what was chosen or given already. */
  except?: readonly string[];
};
type One<O> = Look & { value: O | null; onChange: (chosen: O | null) => void; clearable?: boolean };
type Several<O> = Look & { value: readonly O[]; onChange: (chosen: O[]) => void };

const pauseMs = 250;

/** What the server finds for what is typed, while the list is open; looked for again when it is opened, or the connection is back. */
const useFound = <O extends Option>(find: Find<O>, nothing: string, chosen: readonly O[], except: readonly string[] = []) => {
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState<{ for: string; answer: Found<O> } | null>(null);
  const hasLine = useLine();
  const words = chosen.some((c) => c.title === typed) ? '' : typed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that is back is a reason to look again
  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        void find(words, stop.signal).then((answer) => {
          if (!stop.signal.aborted) setFound({ for: words, answer });
        }),
      pauseMs,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [words, find, open, hasLine]);
  // What was found for other words is not offered: it would be under the finger that taps what is looked for now.
  const answer = found?.for === words ? found.answer : null;
  const options = answer && 'options' in answer ? answer.options.filter((o) => !except.includes(o.id) || chosen.some((c) => c.id === o.id)) : [];
  const all = [...chosen.filter((c) => !options.some((o) => o.id === c.id)), ...options];
  return {
    all,
    props: {
      searchable: true,
      nothingFoundMessage: answer === null ? 'Searching …' : 'failed' in answer ? answer.failed : nothing,
      data: all.map((o) => ({ value: o.id, label: o.title })),
      // The server has searched: what is chosen is not offered in place of what is not found.
      filter: <T,>({ options: shown }: { options: T[] }) => (answer && 'options' in answer ? shown : []),
      searchValue: typed,
      onSearchChange: setTyped,
      onDropdownOpen: () => setOpen(true),
      onDropdownClose: () => setOpen(false),
    },
  };
};

/** A field that chooses one, and a field that chooses several, of what the server finds. */
const pickersOf = <O extends Option>(find: Find<O>, placeholder: string, nothing: string) => ({
  One: ({ value, onChange, except, ...look }: One<O>) => {
    const { all, props } = useFound(find, nothing, value ? [value] : [], except);
    return (
      <Select
        placeholder={placeholder}
        allowDeselect={false}
        {...look}
        {...props}
        value={value?.id ?? null}
        onChange={(id) => onChange(all.find((o) => o.id === id) ?? null)}
      />
    );
  },
  Several: ({ value, onChange, except, ...look }: Several<O>) => {
    const { all, props } = useFound(find, nothing, value, except);
    return (
      <MultiSelect
        placeholder={value.length === 0 ? placeholder : ''}
        hidePickedOptions
        {...look}
        {...props}
        value={value.map((o) => o.id)}
        onChange={(ids) => onChange(ids.flatMap((id) => all.find((o) => o.id === id) ?? []))}
      />
    );
  },
});

const people = pickersOf<Option & { where?: string }>(findPeople, 'Name or e-mail address', 'No matching person');
const courses = pickersOf<Option>(findCourses, 'Choose a course', 'No matching course');
const organisations = pickersOf<Place>(findEntities, 'Choose one', 'No match');
export const PersonPicker = people.One;
export const CoursePicker = courses.One;
export const OrganisationPicker = organisations.One;
