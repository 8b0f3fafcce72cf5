import { observable } from '#src/lib/observable.ts';

/** How somebody stands with one course, with the sentence that is known already. */
export type WhyCourse = { userId: string; courseId: string; courseTitle: string; reason: string };
/** How somebody stands altogether. */
export type WhyPerson = { userId: string; name: string };
export type Why = WhyCourse | WhyPerson;
type Asked = { why: Why /** Whose answer led here. */; from: WhyPerson | null; opened: boolean; by: Element | null };

/** What is being asked, and who is told. */
export const asked = observable<Asked | null>(null);

/** Opens the dialog that says why; the focus comes back to where it was asked. */
export const askWhy = (why: Why, from: WhyPerson | null = null): void =>
  asked.set({ why, from, opened: true, by: asked.get()?.by ?? document.activeElement });
