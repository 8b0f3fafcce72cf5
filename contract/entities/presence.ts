import * as z from 'zod/mini';
import { Id, Instant } from '#contract/entities/fields.ts';

/** What authors have open to change it. */
export const presenceKinds = ['course', 'content', 'lesson', 'topic', 'quiz', 'h5p'] as const;
export type PresenceKind = (typeof presenceKinds)[number];

/**
 * How often an open editor says that it is there, and after how long one that says nothing is taken for closed: browsers let a page that is
 * not looked at speak once a minute.
 */
export const presenceTimes = { everyMs: 20_000, goneAfterMs: 90_000 } as const;

/** Somebody who has the same open. `you`: in another tab, or on another device. */
export const OtherAuthor = z.object({ id: Id, name: z.string(), you: z.boolean(), since: Instant });
export type OtherAuthor = z.infer<typeof OtherAuthor>;
