import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { MultiSelect, Select } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '#src/api/call.ts';
import { type Find, findCertificates, findCourses, findCoursesOf, findEntities, findIn, findPeople, type Option } from '#src/api/find.ts';
import { useLine } from '#src/device/line.ts';
import layout from '#src/ui/page.module.css';

export type { Option };
type Source = { find: Find; placeholder: string; nothing: string };
const sources = {
  people: { find: findPeople, placeholder: 'Name or e-mail address', nothing: 'No matching person' },
  courses: { find: findCourses, placeholder: 'Choose a course', nothing: 'No matching course' },
  organisations: { find: findEntities, placeholder: 'Choose one', nothing: 'No match' },
  certificates: { find: findCertificates, placeholder: 'Name', nothing: 'No match among the people on the care certificate' },
} satisfies Record<string, Source>;
const ofPlace = (find: Find): Source => ({ find, placeholder: 'None', nothing: 'No match' });
/** Things of one organisation. */
export const rolesOf = (slug: string) => ofPlace(findIn((options) => call('GET /entities/{slug}/roles', { params: { slug } }, options)));
export const typesOf = (slug: string) => ofPlace(findIn((options) => call('GET /entities/{slug}/types', { params: { slug } }, options)));
export const tagsOf = (slug: string) => ofPlace(findIn((options) => call('GET /entities/{slug}/tags', { params: { slug } }, options)));
export const coursesOf = (slug: string) => ofPlace(findCoursesOf(slug));
/** Its own course categories. */
export const categoriesOf = (slug: string) =>
  ofPlace(
    findIn(async (options) => {
      const result = await call('GET /entities/{slug}/course-categories', { params: { slug } }, options);
      return result.kind === 'ok' ? { ...result, data: result.data.filter((c) => c.entity.slug === slug) } : result;
    }),
  );

type Look = {
  /** Where to search. */
  from: keyof typeof sources | Source;
  label?: string;
  'aria-label'?: string;
  description?: ReactNode;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
  error?: ReactNode;
  'data-field'?: string;
  /** Excluded options: those already chosen or assigned. */
  except?: readonly string[];
};

const pauseMs = 250;

/** Search results for the typed text while the list is open; searched again when it is reopened or the connection returns. */
const useFound = ({ from, except = [] }: Look, chosen: readonly Option[]) => {
  const { find, placeholder, nothing } = typeof from === 'string' ? sources[from] : from;
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState<{ for: string; answer: Awaited<ReturnType<Find>> } | null>(null);
  const hasLine = useLine();
  const words = chosen.some((c) => c.name === typed) ? '' : typed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: search again when the connection returns; the source is stable while the list is open
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
  }, [words, open, hasLine]);
  // Results of an earlier text are not shown: they would be under the finger that taps a new result.
  const answer = found?.for === words ? found.answer : null;
  const options = answer && 'options' in answer ? answer.options.filter((o) => !except.includes(o.id) || chosen.some((c) => c.id === o.id)) : [];
  const all = [...chosen.filter((c) => !options.some((o) => o.id === c.id)), ...options];
  return {
    all,
    placeholder,
    setTyped,
    props: {
      searchable: true,
      nothingFoundMessage: answer === null ? 'Searching …' : 'failed' in answer ? answer.failed : nothing,
      data: all.map((o) => ({ value: o.id, label: o.name })),
      // Two people can have the same name.
      renderOption: ({ option }: { option: { value: string; label?: string } }) => {
        const where = all.find((o) => o.id === option.value)?.where;
        return (
          <span>
            {option.label}
            {where && <small className={layout.count}> · {where}</small>}
          </span>
        );
      },
      // The server has filtered: do not show the chosen ones in place of no result.
      filter: <T,>({ options: shown }: { options: T[] }) => (answer && 'options' in answer ? shown : []),
      searchValue: typed,
      onSearchChange: setTyped,
      onDropdownOpen: () => {
        setFound(null);
        setOpen(true);
      },
      onDropdownClose: () => setOpen(false),
    },
  };
};

type OneProps = Look & {
  value: Option | null;
  onChange: (chosen: Option | null) => void;
  clearable?: boolean;
  clearButtonProps?: { 'aria-label': string };
};
/** Picks one person, course, organisation … by a search on the server. With `value` null it is cleared after each choice. */
export const Picker = ({ value, onChange, ...look }: OneProps) => {
  const { all, placeholder, setTyped, props } = useFound(look, value ? [value] : []);
  const { from: _from, except: _except, ...shown } = look;
  return (
    <Select
      placeholder={placeholder}
      allowDeselect={false}
      {...shown}
      {...props}
      value={value?.id ?? null}
      onChange={(id) => {
        setTyped('');
        onChange(all.find((o) => o.id === id) ?? null);
      }}
    />
  );
};

/** Picks several, each shown with a button to remove it. */
export const MultiPicker = ({ value, onChange, ...look }: Look & { value: readonly Option[]; onChange: (chosen: Option[]) => void }) => {
  const { all, placeholder, props } = useFound(look, value);
  const { from: _from, except: _except, ...shown } = look;
  return (
    <MultiSelect
      hidePickedOptions
      {...shown}
      {...props}
      placeholder={value.length === 0 ? (look.placeholder ?? placeholder) : ''}
      value={value.map((o) => o.id)}
      onChange={(ids) => onChange(ids.flatMap((id) => all.find((o) => o.id === id) ?? []))}
    />
  );
};
