import * as z from 'zod/mini';
import { Id, Instant, Ref } from '#contract/entities/fields.ts';

export const MessageText = z.string().check(z.trim(), z.minLength(1, 'Enter a message.'), z.maxLength(5000, 'Use no more than 5,000 characters.'));

/** A message between two people. `id` is the id of the change that created it, so it exists once. */
export const Message = z.object({
  id: Id,
  sender: Ref,
  recipient: Ref,
  message: z.string(),
  sent_at: Instant,
  received_at: Instant,
  read_at: z.nullable(Instant),
});
export type Message = z.infer<typeof Message>;

export const Conversation = z.object({ person: Ref, last: Message, unread_message_count: z.int() });
export type Conversation = z.infer<typeof Conversation>;

/** Ours: a reminder to these people of their own courses. `message` stands before the courses. */
export const reminderLimits = { people: 5000 } as const;
const ReminderWords = z.string().check(z.trim(), z.maxLength(1000, 'Use no more than 1,000 characters.'));
export const Reminder = z.object({
  user_ids: z
    .array(Id)
    .check(
      z.minLength(1, 'Choose at least one person.'),
      z.maxLength(reminderLimits.people, `Choose at most ${reminderLimits.people.toLocaleString('en-GB')} people.`),
    ),
  message: z._default(ReminderWords, ''),
});
/** Who is written to and what: everybody of these with something overdue or due soon. `examples`: the first of them, by name. */
export const ReminderPreview = z.object({
  reminded: z.int(),
  nothing_due: z.int(),
  examples: z.array(z.object({ user: Ref, message: z.string() })),
});
export type ReminderPreview = z.infer<typeof ReminderPreview>;

/** A message to many people as its sender sees it. `audience` describes the recipients. */
export const Broadcast = z.object({
  id: Id,
  audience: z.string(),
  message: z.string(),
  by_mail: z.boolean(),
  recipients: z.int(),
  /** Number of recipients who have read it. */
  read: z.int(),
  sent_at: Instant,
});
export type Broadcast = z.infer<typeof Broadcast>;
