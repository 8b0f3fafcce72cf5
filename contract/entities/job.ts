/** Work that the server does by itself. What each kind is stands in `server/job-registry.ts`. */
export const jobKinds = ['import', 'mail', 'reminders', 'report', 'retention', 'score'] as const;
export type JobKind = (typeof jobKinds)[number];
