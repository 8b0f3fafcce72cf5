import * as z from 'zod/mini';
import { Ref } from '#contract/entities/fields.ts';

/** The lists of a filter that refer to people or things, with the noun for each. */
export const chosenLists = {
  entities: ['organisation', 'organisations'],
  roles: ['job role', 'job roles'],
  tags: ['tag', 'tags'],
  users: ['person', 'people'],
  courses: ['course', 'courses'],
  pathways: ['pathway', 'pathways'],
} as const;
export type ChosenList = keyof typeof chosenLists;
export const chosenListNames = Object.keys(chosenLists) as ChosenList[];

/** The names of the chosen filter values. */
export const ChosenNames = z.partialRecord(z.enum(chosenListNames), z.array(Ref));
export type ChosenNames = z.output<typeof ChosenNames>;

/** How many values of a filter were deleted, or are not visible to the person who runs the report. */
export const GoneChoice = z.object({ list: z.enum(chosenListNames), count: z.int() });
export type GoneChoice = z.output<typeof GoneChoice>;

/** The missing values, as sentences; empty if there are none. */
export const goneWords = (gone: readonly GoneChoice[]): string => {
  if (gone.length === 0) return '';
  const parts = gone.map(({ list, count }) => `${count} ${chosenLists[list][count === 1 ? 0 : 1]}`);
  const all = gone.reduce((sum, { count }) => sum + count, 0);
  return `${new Intl.ListFormat('en-GB').format(parts)} chosen here ${all === 1 ? 'is' : 'are'} no longer there, or not yours to see. The rest is applied.`;
};
