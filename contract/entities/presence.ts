import * as z from 'zod/mini';
import { Id, Instant } from '#contract/entities/fields.ts';

/** The kinds of things that authors edit. */
export const presenceKinds = ['course', 'content', 'lesson', 'topic', 'quiz', 'h5p'] as const;
export type PresenceKind = (typeof presenceKinds)[number];

/**
 * How often an open editor reports its presence, and after how long a silent one counts as closed: browsers let a page in the background
 * run once a minute.
 */
export const presenceTimes = { everyMs: 20_000, goneAfterMs: 90_000 } as const;

/** Somebody who has the same thing open. `you`: the caller, in another tab or on another device. */
export const OtherAuthor = z.object({ id: Id, name: z.string(), you: z.boolean(), since: Instant });
export type OtherAuthor = z.infer<typeof OtherAuthor>;
