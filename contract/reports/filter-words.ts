import { starterWords } from '#contract/matrix/words.ts';
import { resultTypeWords } from '#contract/entities/result.ts';
import {
  type adminOnlyFilters,
  type assessmentFilters,
  type careCertificateFilters,
  certificateStates,
  type courseTypes,
  type FilterList,
  type FilterNames,
  filterLists,
  type inspectableFilters,
  plainFilter,
  type reportDates,
  type ReportField,
  type ReportFilter,
  type reportedTypes,
  type reportPeriods,
  reportStatuses,
} from '#contract/reports/filter.ts';
import { dayWords } from '#contract/rules/days.ts';

type Of<T extends readonly string[]> = Record<T[number], string>;

/** The labels of a filter's fields in panels, documents and messages. */
export const filterWords = {
  compliance_type: { primary: 'Primary', secondary: 'Secondary', all: 'Both' } satisfies Of<typeof reportedTypes>,
  new_starters_filter: starterWords,
  inspectable: { all: 'All', inspectable: 'Inspected ones', not_inspectable: 'Not inspected ones' } satisfies Of<typeof inspectableFilters>,
  care_certificate_filter: { either: 'However far it is', in_progress: 'In progress', complete: 'Complete' } satisfies Of<
    typeof careCertificateFilters
  >,
  period: { today: 'Today', last_week: 'The last 7 days', last_month: 'The last month', all_time: 'All time' } satisfies Of<typeof reportPeriods>,
  date_by: { completed: 'Completed', expires: 'Expires', recorded: 'Recorded' } satisfies Of<typeof reportDates>,
  course_type: { all: 'All', ...resultTypeWords, scorm: 'E-learning package' } satisfies Of<typeof courseTypes>,
  assessment_filter: {
    ...{ include_assessments: 'With assessments', exclude_assessments: 'Without assessments', assessments_only: 'Assessments only' },
  } satisfies Of<typeof assessmentFilters>,
  admin_only_filter: {
    include_admin_only: 'However it was recorded',
    exclude_admin_only: 'Not what the office entered',
    admin_only_only: 'Only what the office entered',
  } satisfies Of<typeof adminOnlyFilters>,
} as const;
const labels: Record<keyof typeof filterWords, string> = {
  ...{ compliance_type: 'Requirements', new_starters_filter: 'New starters', inspectable: 'Job roles', care_certificate_filter: 'Care certificate' },
  ...{
    period: 'Period',
    date_by: 'Period by',
    course_type: 'Kind of training',
    assessment_filter: 'Assessments',
    admin_only_filter: 'Entered by hand',
  },
};
export const listWords: Record<FilterList, string> = {
  ...{ entities: 'organisations', roles: 'job roles', tags: 'tags', users: 'people', courses: 'courses', pathways: 'pathways' },
  certificates: 'certificates',
};
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** The most names that are listed. */
const mostNamed = 5;

/** A filter in words, printed on documents. */
export const describeFilter = (filter: ReportFilter, fields: readonly ReportField[], names: FilterNames | null): string => {
  const sentences: string[] = [];
  const has = (field: ReportField) => fields.includes(field);
  for (const list of filterLists) {
    const chosen = filter[list];
    if (!has(list) || chosen.length === 0) continue;
    const known = names?.[list].map((n) => n.name) ?? [];
    const more = chosen.length - Math.min(known.length, mostNamed);
    sentences.push(`${capital(listWords[list])}: ${[...known.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ')}`);
  }
  const { from_date: from, to_date: to, grade, includeStatusTypes: statuses } = filter;
  const days = has('period') && (from || to) ? `${from ? `from ${dayWords(from)}` : ''} ${to ? `to ${dayWords(to)}` : ''}`.trim() : null;
  for (const [name, words] of Object.entries(filterWords) as [keyof typeof filterWords, Record<string, string>][]) {
    if (!has(name)) continue;
    if (name === 'period')
      sentences.push(`${has('date_by') ? filterWords.date_by[filter.date_by] : 'Period'}: ${days ?? words[filter.period]?.toLowerCase()}`);
    else if (name !== 'date_by' && (filter[name] !== plainFilter[name] || name === 'compliance_type'))
      sentences.push(`${labels[name]}: ${words[filter[name]]?.toLowerCase()}`);
  }
  if (has('includeStatusTypes') && statuses.length > 0) sentences.push(`Status: ${statuses.map((s) => reportStatuses[s].toLowerCase()).join(', ')}`);
  if (has('grade') && grade !== null) sentences.push(`Score: ${grade} % and more`);
  if (has('never_logged_in_only') && filter.never_logged_in_only) sentences.push('Only people who have never signed in');
  const states = Object.keys(certificateStates) as (keyof typeof certificateStates)[];
  if (has('includeApproved') && states.some((s) => !filter[s]))
    sentences.push(
      `State: ${states
        .filter((s) => filter[s])
        .map((s) => certificateStates[s].toLowerCase())
        .join(', ')}`,
    );
  return sentences.join('; ') || 'Everybody';
};
