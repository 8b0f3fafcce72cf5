import type { CourseStanding } from '#contract/entities/compliance.ts';

/**
 * The courses that put somebody right and for which there is a session to come with a free place, which they are not booked on yet: only
 * those are offered to be booked. E-learning is started, not booked.
 */
export const bookableNeeds = ({ needs, sessions }: Pick<CourseStanding, 'needs' | 'sessions'>): CourseStanding['needs'] =>
  needs.filter(({ id }) => sessions.some((s) => s.course_id === id && !s.booked && s.free !== 0));
