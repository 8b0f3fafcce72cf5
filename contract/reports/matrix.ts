import * as z from 'zod/mini';
import { Count, Day, Id, Instant } from '#contract/entities/fields.ts';
import { MatrixFilter } from '#contract/matrix/filter.ts';
import { MatrixJsonCell, MatrixScore, MatrixUser } from '#contract/matrix/messages.ts';
import { requirementWords, starterWords } from '#contract/matrix/words.ts';
import { report } from '#contract/reports/report.ts';
import { texts } from '#contract/texts.ts';
import { type ComplianceStatus, complianceStatuses } from '#contract/rules/compliance-status.ts';

/** A cell with the specification's fields, and two of ours that give the status in words. */
export const MatrixLineCell = z.object({ ...MatrixJsonCell.shape, status: z.enum(complianceStatuses), exempt: z.boolean() });
/** A person as a row of the matrix: who it is, their score, and a cell for each course in the order of `meta.courses`. */
export const MatrixLine = z.object({
  ...{ id: Id, name: z.string(), role_name: z.nullable(z.string()), primary_entity_name: z.string() },
  ...MatrixScore.shape,
  cells: z.array(MatrixLineCell),
});
export type MatrixLine = z.infer<typeof MatrixLine>;

const byStatus = Object.fromEntries(complianceStatuses.map((status) => [status, Count])) as Record<ComplianceStatus, typeof Count>;
/**
 * What the specification’s matrix result has beside its cells, in `meta`: for the people of the page. Its fields are ours. Numbers can be
 * added up over the pages.
 */
export const MatrixPart = z.object({
  users: z.array(MatrixUser),
  /** The counting results: those that `latest_result_id` of a cell names. */
  results: z.array(
    z.object({ ...{ id: Id, user_id: Id, course_id: Id, type: z.string() }, ...{ completed_at: Instant, expires_at: z.nullable(Instant) } }),
  ),
  /** For each person, the score of the primary requirements, regardless of the filter. */
  primary_scores: z.array(z.object({ user_id: Id, ...MatrixScore.shape })),
  /** The number of people per status in each course. */
  breakdown: z.array(z.object({ course_id: Id, ...byStatus })),
  /** The allocations of pathways to the people: direct ones, or by a job role. */
  pathway_allocations: z.array(
    z.object({ ...{ id: Id, pathway_id: Id, pathway_name: z.string() }, ...{ user_id: z.nullable(Id), role_id: z.nullable(Id), allocated_on: Day } }),
  ),
});
export type MatrixPart = z.infer<typeof MatrixPart>;

/** The training matrix: a row for each person, a column for each course (`server/features/matrix/matrix.report.ts` adds those). */
export const matrixReport = report({
  id: 'matrix',
  path: '/reports/matrix',
  access: ['report.matrix'],
  files: { pdf: ['report.matrix_pdf'], xlsx: ['report.matrix_excel'], csv: ['report.matrix_excel'] },
  title: () => 'Training matrix',
  mailTexts: { requested: texts.matrixRequested, failed: texts.failedToRequestMatrix },
  fileName: 'training matrix',
  summary:
    'The training matrix of the people one may see: a row for each person, with a cell for each course; in `meta` the courses, and of the people of the page `users`, `results`, `primary_scores`, `breakdown` and `pathway_allocations`.',
  filter: MatrixFilter,
  describe: (filter) =>
    [
      requirementWords[filter.compliance_type],
      ...(['entities', 'roles', 'tags', 'users', 'courses'] as const).map(
        (list) => filter[list].length > 0 && `${list}: ${filter[list].length.toLocaleString('en-GB')} chosen`,
      ),
      filter.new_starters_filter !== 'include_new_starters' && starterWords[filter.new_starters_filter],
    ]
      .filter(Boolean)
      .join('; '),
  row: MatrixLine,
  columns: [
    { head: 'Name', type: 'text', width: 28, value: (r) => r.name },
    { head: 'Job role', type: 'text', width: 22, value: (r) => r.role_name },
    { head: 'Organisation', type: 'text', width: 26, value: (r) => r.primary_entity_name },
    { head: 'In date', type: 'percent', width: 10, value: (r) => r.score },
  ],
});
