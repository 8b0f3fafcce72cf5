import type { ContentUses, CourseUses, GivenPlace, Uses } from '#contract/entities/authored-content.ts';
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

/** The consequences of removing something from an organisation. */
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

const booked = (n: number) => (n === 0 ? 'nobody booked' : `${people(n)} booked`);
/** What requires a course, in sentences. */
const asking = ({ people_required, pathways, sessions_to_come, people_booked }: Uses): string[] => [
  ...(people_required > 0 ? [`${people(people_required)} ${have(people_required)} the course required by their job role: it stays required.`] : []),
  ...(pathways.length > 0 ? [`The course is a step of ${countOf(pathways.length, 'pathway')}: ${titlesOf(pathways)}.`] : []),
  ...(sessions_to_come > 0
    ? [`${countOf(sessions_to_come, 'training session')} of the course ${are(sessions_to_come)} to come, with ${booked(people_booked)}.`]
    : []),
];
const placeNames = (organisations: readonly GivenPlace[]): string[] =>
  organisations.length > 0 ? [`It was given by itself to ${titlesOf(organisations)}.`] : [];

/** The consequences of withdrawing or deleting a content. */
export const withdrawnWords = (uses: ContentUses): string[] => [
  'Nobody new can begin it.',
  inIt(uses.people_in_it),
  ...asking(uses),
  ...placeNames(uses.organisations),
  ...(uses.before.length > 0 ? [`It has to be done before ${titlesOf(uses.before)}: nobody who has not done it can begin these.`] : []),
  stays,
];

/** The confirmation of a deletion: the consequences, or why it is refused, what needs it, and the alternative. */
export type Deletion = { refused: { why: string; instead: string } | null; words: string[] };

export const contentDeletion = (uses: ContentUses): Deletion =>
  uses.needed_by.length === 0
    ? { refused: null, words: withdrawnWords(uses) }
    : {
        refused: {
          why: 'It cannot be deleted: it is the only one of its course that people can take, and what was offered or bought of the course needs it.',
          instead: 'Add another to the course first.',
        },
        words: [`It is needed by ${uses.needed_by.join(' and ')}.`, inIt(uses.people_in_it)],
      };

export const courseDeletion = ({ organisations, goes, needed_by: needs, ...uses }: CourseUses): Deletion => {
  const { people_in_it: now, sessions_to_come: sessions } = uses;
  if (needs.length > 0)
    return {
      refused: {
        why: 'It cannot be deleted while it is needed:',
        instead: 'Take back “Published” instead: it is no longer offered, and what it is required for stays.',
      },
      words: [
        ...needs.map((need) => `${need.charAt(0).toUpperCase()}${need.slice(1)}.`),
        ...(now > 0 ? [`${people(now)} ${are(now)} taking it.`] : []),
        ...(sessions > 0 ? [`${countOf(sessions, 'training session')} of it ${are(sessions)} to come, with ${booked(uses.people_booked)}.`] : []),
      ],
    };
  const others = organisations.filter((o) => !o.own);
  const { trainers, focused, presets, schedules, schedules_of_it_alone: alone, elsewhere } = goes;
  const more = schedules - alone;
  return {
    refused: null,
    words: [
      'Nobody has begun it or has a result of it, and nothing asks for it. It cannot be brought back.',
      ...(others.length > 0 ? [`${titlesOf(others)} ${have(others.length)} it no longer.`] : []),
      ...(trainers > 0 ? [`${countOf(trainers, 'trainer')} of yours ${are(trainers)} down as competent in it: that goes with it.`] : []),
      ...(focused.length > 0 ? [`It is taken from the courses in focus of ${titlesOf(focused)}.`] : []),
      ...(presets > 0
        ? [
            `${countOf(presets, 'saved choice')} of a report ${presets === 1 ? 'names' : 'name'} it, and ${presets === 1 ? 'goes' : 'go'} on without it.`,
          ]
        : []),
      ...(more > 0
        ? [`${countOf(more, 'scheduled report')} ${more === 1 ? 'names' : 'name'} it, and ${more === 1 ? 'goes' : 'go'} on without it.`]
        : []),
      ...(alone > 0
        ? [
            `${countOf(alone, 'scheduled report')} ${are(alone)} of this course alone, and ${alone === 1 ? 'is' : 'are'} not sent until other courses are chosen.`,
          ]
        : []),
      ...(elsewhere ? ['Other organisations have it among their trainers, courses in focus or reports too: it goes from there as well.'] : []),
    ],
  };
};
