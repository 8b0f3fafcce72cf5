import type { RefusalOf } from '#contract/kinds.ts';

/** A choice that the sync centre offers. What it promises is checked by the campaign `two-devices` in every history. */
export type Choice = 'mine' | 'theirs' | 'new-try';
type Promised =
  /** What this device says last counts, and what it waits for is received. */
  | 'the last of this device counts'
  /** What the server had counts, unchanged; nothing that this device chose on the matter is sent later. */
  | 'the server’s counts, for good'
  /** One more try, marked on exactly the questions that were answered, with these answers. */
  | 'one more try on the questions that were shown'
  /** The tries stay as they were. */
  | 'nothing is added';

/** For each refusal about which the person chooses: each choice, and what its words promise. */
export const promises: { [code in RefusalOf<'register' | 'certificate' | 'attempt'>]?: Partial<Record<Choice, Promised>> } = {
  marked_elsewhere: { mine: 'the last of this device counts', theirs: 'the server’s counts, for good' },
  decided_elsewhere: { mine: 'the last of this device counts', theirs: 'the server’s counts, for good' },
  resume_elsewhere: { mine: 'the last of this device counts', theirs: 'the server’s counts, for good' },
  quiz_try_taken: { 'new-try': 'one more try on the questions that were shown', theirs: 'nothing is added' },
  no_tries_left: { theirs: 'nothing is added' },
};
