/**
 * What each figure means, wherever it is shown. One figure has one meaning and one way of computing it: home, dashboards, matrix, reports, files
 * and the graph show the same number to the same person (`tests/contract/agreeing-figures.pg.test.ts` asks each of them). All are about the
 * people whom the caller may see, at every organisation below theirs, now; percentages are rounded as a calculator does (`percentOf`).
 */
export const figureMeanings = {
  people: 'People who have not left.',
  required: 'Pairs of a person and a course that their job roles require now, mandatory or required, without new starters who still have time.',
  in_date: 'Those of the required pairs whose status is In date or Expires soon.',
  overdue_people: 'People with at least one required course that is Expired or Missing.',
  overdue_courses: 'Pairs of a person and a required course that is Expired or Missing.',
  red_in_30_days: 'People with a required course that is not red and turns Expired or Missing within 30 days if nothing is done.',
  new_starters: 'People whose time as a new starter is not over and of whom something is required.',
  results_to_approve: 'Results that wait for a decision which the caller may make.',
  certificates_to_approve: 'Care certificates with everything met and not approved, of people who have not left.',
} as const;
export type FigureName = keyof typeof figureMeanings;
