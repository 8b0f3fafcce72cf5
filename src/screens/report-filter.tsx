import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/Combobox.css';
import { Button, Checkbox, MultiSelect, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { can } from '#contract/can.ts';
import {
  type FilterList,
  peopleFields,
  type ReportField,
  type ReportFilter as Filter,
  type ReportStatus,
  reportStatuses,
} from '#contract/reports/filter.ts';
import { filterWords } from '#contract/reports/filter-words.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { PathwaysDocument } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import { dayTyped } from '#src/lib/day-text.ts';
import { countOf, dayFrom } from '#src/lib/format.ts';
import { choicesIn, cleared, selectionOf, withChoice } from '#src/lib/report-filter.ts';
import { MultiPicker, type Option, rolesOf, tagsOf } from '#src/screens/pickers.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import { DateField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Segmented } from '#src/ui/segmented.tsx';

type Words<T extends string> = Record<T, string>;
const optionsIn = <T extends string>(words: Words<T>) => (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }));

const pathways = {
  ...{ placeholder: 'None', nothing: 'No matching pathway' },
  find: async (search: string, signal: AbortSignal) => {
    const result = await graphCall(PathwaysDocument, { page: 1, search, mine: false, sort: null }, { signal });
    return result.kind === 'ok'
      ? { options: result.data.pathways.data.map(({ id, name }) => ({ id, name })) }
      : { failed: result.kind === 'refused' ? result.error.message : 'There is no connection to the server.' };
  },
};

type Props = {
  filter: Filter;
  /** The fields of the filter. */
  fields: readonly ReportField[];
  /** The states of its rows, if the filter has them. */
  statuses?: readonly ReportStatus[];
  onChange: (filter: Filter) => void;
  /** The saved views, beside the filter. */
  saved?: ReactNode;
  /** Further filters of the report. */
  children?: ReactNode;
};

/**
 * The filter panel of all reports, with the number of people and courses that match. It follows the rules of the specification
 * (`withChoice`): choosing organisations clears the tags, clearing the people clears the job roles, and clearing all includes new starters again.
 */
export const ReportFilter = ({ filter, fields, statuses = [], onChange, saved, children }: Props) => {
  const user = useSession();
  const acting = useActingAs();
  const brand = useBrand();
  const [open, setOpen] = useState(choicesIn(filter, fields) > 0);
  const [known, setKnown] = useState<Partial<Record<FilterList, readonly Option[]>>>({});
  const slug = acting?.slug ?? user?.primary_entity.slug ?? '';
  const selection = selectionOf(filter);
  const { state } = useReadOf(
    ['report-selection', selection],
    (signal) => call('POST /reports/selection', { body: selection }, { signal, quiet: true }),
    {
      keepShown: true,
    },
  );
  const meant = state.kind === 'loaded' ? state.data : null;

  const optionsOf = (list: FilterList): Option[] =>
    filter[list].map(
      (id) => [...(known[list] ?? []), ...(meant?.chosen[list] ?? [])].find((o) => o.id === id) ?? { id, name: meant ? 'Not available' : '…' },
    );
  const set = (to: Partial<Filter>) => onChange({ ...filter, ...to });
  const list = (name: FilterList, label: string, placeholder: string, from: Parameters<typeof MultiPicker>[0]['from']) =>
    fields.includes(name) && (
      <MultiPicker
        {...{ from, label, placeholder }}
        value={optionsOf(name)}
        onChange={(options) => {
          setKnown({ ...known, [name]: options });
          onChange(
            withChoice(
              filter,
              name,
              options.map((o) => o.id),
            ),
          );
        }}
      />
    );
  const one = <K extends ReportField, T extends string>(name: K, label: string, words: Words<T>) =>
    fields.includes(name) && (
      <Select
        {...{ label, data: optionsIn(words) }}
        allowDeselect={false}
        value={filter[name] as unknown as T}
        onChange={(to) => to && set({ [name]: to } as Partial<Filter>)}
      />
    );
  const count = choicesIn(filter, fields);
  /** Whether it is about certain people; some reports are about sessions or money. */
  const ofPeople = fields.some((field) => field !== 'entities' && (peopleFields as readonly ReportField[]).includes(field));
  /** Whether its courses are counted: without requirements or a choice, it is about all there are. */
  const ofCourses = fields.includes('compliance_type') || filter.courses.length + filter.pathways.length > 0;
  const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = brand;
  const dates = filter.from_date !== null || filter.to_date !== null;
  const requirements = [
    { value: 'primary', label: brand.primaryComplianceAltName },
    { value: 'secondary', label: brand.secondaryComplianceAltName },
    { value: 'all', label: 'Both' },
  ];
  return (
    <section className={`app-card ${layout.block}`} aria-label="What is shown">
      <div className={shapes.controls}>
        {fields.includes('compliance_type') && (
          <div>
            <Segmented
              aria-label="Requirements"
              data={requirements}
              value={filter.compliance_type}
              onChange={(to) => set({ compliance_type: to as Filter['compliance_type'] })}
            />
          </div>
        )}
        {fields.includes('period') && (
          <Select
            label={fields.includes('date_by') ? `${filterWords.date_by[filter.date_by]} in` : 'Period'}
            allowDeselect={false}
            data={[...optionsIn(filterWords.period), { value: 'dates', label: 'Chosen days' }]}
            value={dates ? 'dates' : filter.period}
            onChange={(to) =>
              to === 'dates'
                ? set({ from_date: dayFrom(new Date(), -30), to_date: dayFrom(new Date(), 0) })
                : to && set({ period: to as Filter['period'], from_date: null, to_date: null })
            }
          />
        )}
        {fields.includes('period') && dates && (
          <>
            <DayOf label="From" value={filter.from_date} onChange={(from_date) => set({ from_date })} />
            <DayOf label="To" value={filter.to_date} onChange={(to_date) => set({ to_date })} />
          </>
        )}
        <Button variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open
            ? 'Fewer choices'
            : count > 0
              ? `Choices (${count})`
              : ofPeople
                ? 'Choose people and courses'
                : `Choose ${brand.entitiesAltName.toLowerCase()} and courses`}
        </Button>
        {count > 0 && (
          <Button
            variant="subtle"
            onClick={() => {
              setKnown({});
              onChange(cleared(filter));
            }}
          >
            Clear all
          </Button>
        )}
        {meant && (ofPeople || ofCourses) && (
          <p className={layout.count} role="status">
            {[
              ...(ofPeople ? [meant.people === null ? 'Very many people' : countOf(meant.people, 'person', 'people')] : []),
              ...(ofCourses ? [countOf(meant.courses, 'course')] : []),
            ].join(', ')}
          </p>
        )}
        {saved}
      </div>
      {open && (
        <div className={form.pair}>
          {can(user, 'entity.search') && list('entities', brand.entitiesAltName, 'All', 'organisations')}
          {can(user, ['role.view', 'role.view_read_only', 'user.role']) && list('roles', 'Job roles', 'All', rolesOf(slug))}
          {one('inspectable', 'Which job roles', filterWords.inspectable)}
          {can(user, ['tag.view', 'tag.manage', 'tag.link', 'tag.use']) && list('tags', 'Tags', 'Any', tagsOf(slug))}
          {can(user, 'user.search') && list('users', 'People', 'Everybody', 'people')}
          {one('new_starters_filter', 'New starters', filterWords.new_starters_filter)}
          {one('care_certificate_filter', brand.certificateGroupMenuName, filterWords.care_certificate_filter)}
          {list('courses', 'Courses', fields.includes('compliance_type') ? 'All that are required' : 'All', 'courses')}
          {list('pathways', 'Courses of pathways', 'None', pathways)}
          {list('certificates', 'Certificates of courses', 'All', 'courses')}
          {fields.includes('includeStatusTypes') && (
            <MultiSelect
              label="Status"
              placeholder={filter.includeStatusTypes.length === 0 ? 'Any' : ''}
              data={statuses.map((value) => ({ value, label: reportStatuses[value] }))}
              value={filter.includeStatusTypes}
              onChange={(to) => set({ includeStatusTypes: to as ReportStatus[] })}
            />
          )}
          {one('date_by', 'Period by', filterWords.date_by)}
          {one('course_type', 'Kind of training', filterWords.course_type)}
          {fields.includes('grade') && (
            <Select
              label="Score"
              allowDeselect={false}
              data={[
                { value: '', label: 'Any, or none' },
                { value: String(green), label: `${green} % and more` },
                { value: String(amber), label: `${amber} % and more` },
                ...(filter.grade === null || filter.grade === green || filter.grade === amber
                  ? []
                  : [{ value: String(filter.grade), label: `${filter.grade} % and more` }]),
              ]}
              value={filter.grade === null ? '' : String(filter.grade)}
              onChange={(to) => set({ grade: to ? Number(to) : null })}
            />
          )}
          {one('assessment_filter', 'Assessments', filterWords.assessment_filter)}
          {one('admin_only_filter', 'Entered by hand', filterWords.admin_only_filter)}
          {fields.includes('never_logged_in_only') && (
            <Checkbox
              label="Only people who have never signed in"
              checked={filter.never_logged_in_only}
              onChange={(e) => set({ never_logged_in_only: e.currentTarget.checked })}
            />
          )}
          {children}
        </div>
      )}
    </section>
  );
};

const isDay = (text: string) => dayTyped(text) === text;
/** A day of a period. An invalid day shows an error and changes nothing. */
const DayOf = ({ label, value, onChange }: { label: string; value: string | null; onChange: (day: string | null) => void }) => {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <DateField
      label={label}
      value={typed ?? value ?? ''}
      error={typed ? 'Enter a date, for example 21/11/2026.' : undefined}
      onChange={(to) => {
        const fine = to === '' || isDay(to);
        setTyped(fine ? null : to);
        if (fine) onChange(to || null);
      }}
    />
  );
};
