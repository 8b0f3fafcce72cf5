import { expect, it } from 'vitest';
import { bookableNeeds } from '#contract/rules/bookable-needs.ts';

const needs = ['first-aid', 'fire', 'hoists', 'e-learning'].map((id) => ({ id, name: id }));
const session = (course_id: string, more: { free?: number | null; booked?: boolean } = {}) => ({
  ...{ id: `session-${course_id}`, course_title: course_id, on: '2026-12-01', start: '10:00', venue: '', register: true, company: null },
  ...{ course_id, free: 3, booked: false, ...more },
});

it('offers to book what a place is free for, and neither what is booked, nor what is full, nor what has no session', () => {
  expect(bookableNeeds({ needs, sessions: [] })).toEqual([]);
  const sessions = [session('first-aid'), session('fire', { booked: true }), session('hoists', { free: 0 })];
  expect(bookableNeeds({ needs, sessions }).map((n) => n.id)).toEqual(['first-aid']);
  // As many places as one likes.
  expect(bookableNeeds({ needs, sessions: [session('hoists', { free: null })] }).map((n) => n.id)).toEqual(['hoists']);
});
