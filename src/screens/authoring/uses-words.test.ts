import { describe, expect, it } from 'vitest';
import { contentDeletion, courseDeletion, takenBackWords, titlesOf, withdrawnWords } from '#src/screens/authoring/uses-words.ts';

const id = '00000000-0000-4000-8000-000000000001';
const house = { id, name: 'House', slug: 'house', own: false, roles: [], types: [], inherited: false, people_in_it: 1, people_required: 2 };

const uses = {
  ...{ organisations: [], roles: [], pathways: [], sessions: [], sessions_to_come: 0, people_booked: 0 },
  ...{ people_in_it: 0, people_done: 0, people_required: 0, needed_by: [] },
};

describe('what is said before something is taken back', () => {
  it('says who is in it, who has it required, and what stays', () => {
    expect(takenBackWords(house)).toEqual([
      'Nobody there can begin it any more.',
      '1 person there is taking it, and can finish.',
      '2 people there have it required by their job role: it stays required, and they cannot begin it.',
      'Results and certificates stay.',
    ]);
    expect(takenBackWords({ ...house, inherited: true, people_in_it: 0, people_required: 0 })).toEqual([
      'People there can still begin it: an organisation above has it too.',
      'Nobody there is taking it.',
      'Results and certificates stay.',
    ]);
  });

  it('names what asks for a content that is withdrawn', () => {
    const none = { ...uses, before: [] };
    expect(withdrawnWords(none)).toEqual(['Nobody new can begin it.', 'Nobody of yours is taking it.', 'Results and certificates stay.']);
    const pathways = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ id, name }));
    const sessions = { sessions_to_come: 1, people_booked: 0 };
    expect(
      withdrawnWords({
        ...none,
        pathways,
        ...sessions,
        organisations: [house],
        before: [{ id, title: 'Later' }],
        people_in_it: 3,
        people_required: 1,
      }),
    ).toEqual([
      'Nobody new can begin it.',
      '3 people are taking it, and can finish.',
      '1 person has the course required by their job role: it stays required.',
      'The course is a step of 5 pathways: “A”, “B”, “C” and 2 more.',
      '1 training session of the course is to come, with nobody booked.',
      'It was given by itself to “House”.',
      'It has to be done before “Later”: nobody who has not done it can begin these.',
      'Results and certificates stay.',
    ]);
  });

  it('says why a content stays that is needed', () => {
    const needed = { ...uses, before: [], needed_by: ['an item of the marketplace', '2 licences that others have bought'], people_in_it: 2 };
    expect(contentDeletion(needed)).toMatchObject({
      refused: { instead: 'Add another to the course first.' },
      words: ['It is needed by an item of the marketplace and 2 licences that others have bought.', '2 people are taking it, and can finish.'],
    });
    expect(contentDeletion({ ...needed, needed_by: [] }).refused).toBeNull();
  });

  it('says what keeps a course, or what goes with it', () => {
    const nothing = { trainers: 0, focused: [], presets: 0, schedules: 0, schedules_of_it_alone: 0, elsewhere: false };
    const kept = courseDeletion({
      ...uses,
      goes: nothing,
      people_in_it: 1,
      sessions_to_come: 2,
      people_booked: 5,
      needed_by: ['1 content belongs to it'],
    });
    expect(kept.refused?.why).toBe('It cannot be deleted while it is needed:');
    expect(kept.words).toEqual([
      ...['1 content belongs to it.', '1 person is taking it.', '2 training sessions of it are to come, with 5 people booked.'],
    ]);
    const first = 'Nobody has begun it or has a result of it, and nothing asks for it. It cannot be brought back.';
    expect(courseDeletion({ ...uses, goes: nothing })).toEqual({ refused: null, words: [first] });
    const goes = { trainers: 2, focused: [{ id, name: 'House' }], presets: 1, schedules: 3, schedules_of_it_alone: 1, elsewhere: true };
    expect(courseDeletion({ ...uses, organisations: [house], goes }).words).toEqual([
      first,
      '“House” has it no longer.',
      '2 trainers of yours are down as competent in it: that goes with it.',
      'It is taken from the courses in focus of “House”.',
      '1 saved choice of a report names it, and goes on without it.',
      '2 scheduled reports name it, and go on without it.',
      '1 scheduled report is of this course alone, and is not sent until other courses are chosen.',
      'Other organisations have it among their trainers, courses in focus or reports too: it goes from there as well.',
    ]);
  });

  it('names three, and counts the rest', () => {
    expect(titlesOf([{ title: 'One' }])).toBe('“One”');
    expect(titlesOf([{ title: 'One' }, { title: 'Two' }])).toBe('“One” and “Two”');
  });
});
