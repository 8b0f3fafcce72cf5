import { describe, expect, it } from 'vitest';
import { takenBackWords, titlesOf, withdrawnWords } from '#src/screens/authoring/uses-words.ts';

const id = '00000000-0000-4000-8000-000000000001';
const house = { id, name: 'House', slug: 'house', own: false, roles: [], types: [], inherited: false, people_in_it: 1, people_required: 2 };

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
    const none = { organisations: [], roles: [], pathways: [], sessions: [], before: [], people_in_it: 0, people_done: 0, people_required: 0 };
    expect(withdrawnWords(none)).toEqual(['Nobody new can begin it.', 'Nobody of yours is taking it.', 'Results and certificates stay.']);
    const pathways = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ id, name }));
    const sessions = [{ id, date: '2026-12-01', entity: { id, name: 'House' } }];
    expect(
      withdrawnWords({ ...none, pathways, sessions, organisations: [house], before: [{ id, title: 'Later' }], people_in_it: 3, people_required: 1 }),
    ).toEqual([
      'Nobody new can begin it.',
      '3 people are taking it, and can finish.',
      '1 person has the course required by their job role: it stays required.',
      'The course is a step of 5 pathways: “A”, “B”, “C” and 2 more.',
      '1 training session of the course is to come.',
      'It was given by itself to “House”.',
      'It has to be done before “Later”: nobody who has not done it can begin these.',
      'Results and certificates stay.',
    ]);
  });

  it('names three, and counts the rest', () => {
    expect(titlesOf([{ title: 'One' }])).toBe('“One”');
    expect(titlesOf([{ title: 'One' }, { title: 'Two' }])).toBe('“One” and “Two”');
  });
});
