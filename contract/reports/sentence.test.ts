import { describe, expect, it } from 'vitest';
import type { ChosenNames } from '#contract/reports/chosen.ts';
import { sentenceOf } from '#contract/reports/sentence.ts';

const words = { primaryComplianceAltName: 'Mandatory', secondaryComplianceAltName: 'Required' };
const id = '00000000-0000-4000-8000-000000000000';
const of = (lists: Record<string, string[]>): ChosenNames =>
  Object.fromEntries(Object.entries(lists).map(([list, names]) => [list, names.map((name) => ({ id, name }))]));
const plain = {
  ...{
    entities: [],
    roles: [],
    tags: [],
    users: [],
    courses: [],
    pathways: [],
    filter_by: 'courses',
    compliance_type: 'primary',
    includeStatusTypes: [],
  },
  ...{
    new_starters_filter: 'include_new_starters',
    inspectable: 'all',
    never_logged_in_only: false,
    care_certificate_filter: 'either',
    course_type: 'all',
  },
  ...{ grade: null, assessment_filter: 'include_assessments', admin_only_filter: 'include_admin_only', date_by: 'completed', period: 'all_time' },
  ...{ from_date: null, to_date: null, previousMonths: 12 },
};

describe('the sentence of a filter', () => {
  it.each<[string, object, Record<string, string[]>]>([
    ['Everybody', {}, {}],
    [
      'Night staff without moving and assisting',
      { includeStatusTypes: ['missing', 'expired'] },
      { roles: ['Night staff'], courses: ['Moving and assisting'] },
    ],
    ['Night staff and Bank staff at Willowbrook House', {}, { roles: ['Night staff', 'Bank staff'], entities: ['Willowbrook House'] }],
    // People that are named are more exact than their job roles.
    ['Megan Davies and Rhys Evans', {}, { users: ['Megan Davies', 'Rhys Evans'], roles: ['Night staff'] }],
    ['Everybody tagged Bank or Agency', {}, { tags: ['Bank', 'Agency'] }],
    ['A, B, C and 3 more', {}, { users: ['A', 'B', 'C', 'D', 'E', 'F'] }],
    ['A, B, C and D', {}, { users: ['A', 'B', 'C', 'D'] }],
    ['Everybody and fire safety: expiring or expired', { includeStatusTypes: ['expiring', 'expired'] }, { courses: ['Fire safety'] }],
    ['Everybody and GDPR', {}, { courses: ['GDPR'] }],
    ['Everybody whose training is expiring', { includeStatusTypes: ['expiring'] }, {}],
    ['Everybody, without new starters, Required training', { new_starters_filter: 'exclude_new_starters', compliance_type: 'secondary' }, {}],
    ['Everybody, who have never signed in', { never_logged_in_only: true }, {}],
    ['Everybody, e-learning, with at least 80 %, completed in the last 7 days', { course_type: 'elearning', grade: 80, period: 'last_week' }, {}],
    ['Everybody, expiring from 01/02/2026 to 28/02/2026', { date_by: 'expires', from_date: '2026-02-01', to_date: '2026-02-28' }, {}],
    ['Everybody, recorded until 28/02/2026', { date_by: 'recorded', to_date: '2026-02-28' }, {}],
    ['Everybody, the last 6 months', { previousMonths: 6 }, {}],
  ])('%s', (sentence, more, names) => {
    expect(sentenceOf({ ...plain, ...more }, of(names), words)).toBe(sentence);
  });
  it('is one line that names what was chosen, whatever is chosen together', () => {
    const choices = { roles: ['Night staff'], entities: ['The House'], tags: ['Bank'], courses: ['GDPR'] };
    for (let n = 0; n < 2 ** 7; n++) {
      const on = (bit: number) => (n & (1 << bit)) !== 0;
      const names = Object.fromEntries(Object.entries(choices).filter((_, bit) => on(bit)));
      const more = {
        ...(on(4) && { includeStatusTypes: ['missing'] }),
        ...(on(5) && { new_starters_filter: 'new_starters_only' }),
        ...(on(6) && { period: 'today' }),
      };
      const said = sentenceOf({ ...plain, ...more }, of(names), words);
      expect(said).toMatch(/^\S.*\S$/);
      expect(said).not.toMatch(/undefined|null| {2}|,$|, ,/);
      for (const name of Object.values(names).flat()) expect(said).toContain(name);
    }
  });
});
