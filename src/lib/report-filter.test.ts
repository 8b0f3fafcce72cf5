import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assessmentFilters,
  courseTypes,
  plainFilter,
  type ReportFilter,
  reportDates,
  reportedTypes,
  reportPeriods,
  reportStatusNames,
  settled,
  starterFilters,
} from '#contract/reports/filter.ts';
import { choicesIn, cleared, filterIn, queryWith, withChoice } from '#src/lib/report-filter.ts';

const ids = fc.uniqueArray(fc.uuid(), { maxLength: 4 });
const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map((d) => d.toISOString().slice(0, 10));
const filters: fc.Arbitrary<ReportFilter> = fc
  .record({
    ...{ entities: ids, roles: ids, tags: ids, users: ids, courses: ids, pathways: ids, certificates: ids },
    ...{ compliance_type: fc.constantFrom(...reportedTypes), new_starters_filter: fc.constantFrom(...starterFilters) },
    ...{ never_logged_in_only: fc.boolean(), includeApproved: fc.boolean(), period: fc.constantFrom(...reportPeriods) },
    ...{ date_by: fc.constantFrom(...reportDates), course_type: fc.constantFrom(...courseTypes), from_date: fc.option(day), to_date: fc.option(day) },
    ...{ grade: fc.option(fc.integer({ min: 0, max: 100 })), assessment_filter: fc.constantFrom(...assessmentFilters) },
    ...{ includeStatusTypes: fc.uniqueArray(fc.constantFrom(...reportStatusNames)), previousMonths: fc.integer({ min: 1, max: 60 }) },
  })
  .map((some) => ({ ...plainFilter, ...some }));

describe('the filter of reports in an address', () => {
  it('is read as it was written, and leaves alone what else stands there', () => {
    fc.assert(
      fc.property(filters, filters, (before, after) => {
        const address = queryWith(after, queryWith(before, new URLSearchParams({ sort: '-name' })));
        expect(filterIn(address)).toEqual(after);
        expect(address.get('sort')).toBe('-name');
      }),
    );
  });
  it('is the plain one where an address names what there is not', () => {
    const wrong = { entities: 'x,y', compliance_type: 'third', new_starters_filter: '', includeApproved: 'maybe', grade: 'high', from_date: '31/12' };
    expect(filterIn(new URLSearchParams(wrong))).toEqual(plainFilter);
    expect(choicesIn(plainFilter, ['entities', 'new_starters_filter', 'includeApproved'])).toBe(0);
  });
  it('begins as the specification says, and so it is when all is cleared', () => {
    const begins = { compliance_type: 'primary', inspectable: 'all', date_by: 'completed', new_starters_filter: 'include_new_starters' };
    const shows = { assessment_filter: 'include_assessments', admin_only_filter: 'include_admin_only', care_certificate_filter: 'either' };
    expect(plainFilter).toMatchObject({ ...begins, ...shows, includeApproved: true, includeOutstanding: true, certificates: [] });
    fc.assert(
      fc.property(filters, (filter) => {
        expect(cleared(filter)).toEqual({ ...plainFilter, compliance_type: filter.compliance_type });
      }),
    );
  });
  it('loses the tags where organisations are chosen, and the job roles where the people are cleared', () => {
    fc.assert(
      fc.property(filters, ids, (filter, chosen) => {
        expect(withChoice(filter, 'entities', chosen).tags).toEqual(chosen.length > 0 ? [] : filter.tags);
        expect(withChoice(filter, 'users', []).roles).toEqual(filter.users.length > 0 ? [] : filter.roles);
        expect(withChoice(filter, 'tags', chosen).entities).toEqual(filter.entities);
        expect(withChoice(filter, 'users', ['someone']).roles).toEqual(filter.roles);
        const walked = withChoice(filter, 'pathways', chosen);
        expect([walked.filter_by, walked.courses]).toEqual(chosen.length > 0 ? ['pathways', []] : ['courses', filter.courses]);
      }),
    );
  });
  it('takes what a preset says in the other words of the specification', () => {
    const said: ReportFilter = { ...plainFilter, compliance_type: 'all', includeStarters: false, primary_only: true, date_completion: 'expires' };
    const meant = { compliance_type: 'primary', new_starters_filter: 'exclude_new_starters', date_by: 'expires' };
    expect(settled(said)).toEqual({ ...plainFilter, ...meant });
    expect(settled(plainFilter)).toEqual(plainFilter);
  });
});
