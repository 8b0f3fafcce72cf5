/** The dialogs in which a learner gives feedback on a course. They are loaded on demand. */
export const sayDialogs = { problem: 'report-problem', question: 'ask-question' } as const;
export type SayDialog = keyof typeof sayDialogs;
