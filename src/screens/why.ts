import { observable } from '#src/lib/observable.ts';

/** Somebody's status in one course, with its explanation. */
export type WhyCourse = { userId: string; courseId: string; courseTitle: string; reason: string };
/** Somebody's overall status. */
export type WhyPerson = { userId: string; name: string };
export type Why = WhyCourse | WhyPerson;
type OpenQuestion = { why: Why /** Whose answer led here. */; from: WhyPerson | null; opened: boolean; by: Element | null };

/** The open question and its subscribers. */
export const question = observable<OpenQuestion | null>(null);

/** Opens the dialog; on closing, the focus returns to the button. */
export const askWhy = (why: Why, from: WhyPerson | null = null): void =>
  question.set({ why, from, opened: true, by: question.get()?.by ?? document.activeElement });
