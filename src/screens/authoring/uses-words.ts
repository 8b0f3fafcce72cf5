import type { ContentUses, CourseUses, GivenPlace } from '#contract/entities/authored-content.ts';
import { countOf } from '#src/lib/format.ts';

type Named = readonly { name: string }[] | readonly { title: string }[];
/** “Hand hygiene”, “Food safety” and 3 more. */
export const titlesOf = (things: Named): string => {
  const named = things.slice(0, 3).map((thing) => `“${'title' in thing ? thing.title : thing.name}”`);
  const more = things.length - named.length;
  const parts = more > 0 ? [...named, `${more.toLocaleString('en-GB')} more`] : named;
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
};

const people = (n: number) => countOf(n, 'person', 'people');
const are = (n: number) => (n === 1 ? 'is' : 'are');
const have = (n: number) => (n === 1 ? 'has' : 'have');
const stays = 'Results and certificates stay.';
const inIt = (n: number, where = '') =>
  n === 0 ? `Nobody ${where || 'of yours '}is taking it.` : `${people(n)} ${where}${are(n)} taking it, and can finish.`;

/** What happens when something is taken back from an organisation. */
export const takenBackWords = ({ inherited, people_in_it, people_required }: GivenPlace): string[] => [
  inherited ? 'People there can still begin it: an organisation above has it too.' : 'Nobody there can begin it any more.',
  inIt(people_in_it, 'there '),
  ...(people_required > 0
    ? [
        inherited
          ? `${people(people_required)} there ${have(people_required)} it required by their job role: that stays.`
          : `${people(people_required)} there ${have(people_required)} it required by their job role: it stays required, and they cannot begin it.`,
      ]
    : []),
  stays,
];

/** What asks for a course, in sentences. */
const asking = ({ people_required, pathways, sessions }: Pick<CourseUses, 'people_required' | 'pathways' | 'sessions'>): string[] => [
  ...(people_required > 0 ? [`${people(people_required)} ${have(people_required)} the course required by their job role: it stays required.`] : []),
  ...(pathways.length > 0 ? [`The course is a step of ${countOf(pathways.length, 'pathway')}: ${titlesOf(pathways)}.`] : []),
  ...(sessions.length > 0 ? [`${countOf(sessions.length, 'training session')} of the course ${are(sessions.length)} to come.`] : []),
];
const given = (organisations: readonly GivenPlace[]): string[] =>
  organisations.length > 0 ? [`It was given by itself to ${titlesOf(organisations)}.`] : [];

/** What happens when a content is withdrawn, or deleted. */
export const withdrawnWords = (uses: ContentUses): string[] => [
  'Nobody new can begin it.',
  inIt(uses.people_in_it),
  ...asking(uses),
  ...given(uses.organisations),
  ...(uses.before.length > 0 ? [`It has to be done before ${titlesOf(uses.before)}: nobody who has not done it can begin these.`] : []),
  stays,
];
