import type { PersonCompliance } from '#contract/entities/compliance.ts';
import { type ComplianceStatus, complianceColourOf } from '#contract/rules/compliance-status.ts';

const dayMs = 86_400_000;
/** How long before the deadline new starters are reminded. */
const starterDays = 28;
/** As many courses as a reminder names; the others are counted. */
export const mostInReminder = 15;

/** Whether somebody is reminded of a required course that is not overdue: it expires soon, or a new starter has it to do in four weeks. */
export const isDueSoon = ({ status, due_at }: { status: ComplianceStatus; due_at: string | null }, now: Date): boolean =>
  status === 'expiring' || (status === 'starter' && due_at !== null && Date.parse(due_at) - now.getTime() <= starterDays * dayMs);

const lines = (heading: string, all: readonly PersonCompliance[]) =>
  all.length === 0 ? [] : [`${heading}\n${all.map((c) => `• ${c.course_title}: ${c.reason}`).join('\n')}`];

/**
 * What a reminder says to a person: the sender's own words, then the courses that are overdue and due soon, each with its reason and dates.
 * Null where nothing is due: they are not written to. `must`: their required courses, due first first.
 */
export const reminderText = (must: readonly PersonCompliance[], words: string, now: Date): string | null => {
  const overdue = must.filter((c) => complianceColourOf[c.status] === 'red');
  const soon = must.filter((c) => isDueSoon(c, now));
  const count = overdue.length + soon.length;
  if (count === 0) return null;
  const named = overdue.slice(0, mostInReminder);
  const more = count - mostInReminder;
  return [
    ...(words.trim() === '' ? [] : [words.trim()]),
    ...lines('Overdue:', named),
    ...lines('Due soon:', soon.slice(0, mostInReminder - named.length)),
    ...(more > 0 ? [`And ${more} more ${more === 1 ? 'course' : 'courses'}: see your home page.`] : []),
  ].join('\n\n');
};
