import type { Kind } from '#contract/kinds.ts';
import { attemptChoices } from '#src/offline/kinds/attempt/choices.ts';
import { attemptWords } from '#src/offline/kinds/attempt/words.ts';
import { certificateChoices } from '#src/offline/kinds/certificate/choices.ts';
import { certificateWords } from '#src/offline/kinds/certificate/words.ts';
import { checkInChoices } from '#src/offline/kinds/check-in/choices.ts';
import { checkInWords } from '#src/offline/kinds/check-in/words.ts';
import type { Choices } from '#src/offline/kinds/choices.ts';
import { evidenceChoices } from '#src/offline/kinds/evidence/choices.ts';
import { evidenceWords } from '#src/offline/kinds/evidence/words.ts';
import { feedbackChoices } from '#src/offline/kinds/feedback/choices.ts';
import { feedbackWords } from '#src/offline/kinds/feedback/words.ts';
import { ofKind } from '#src/offline/kinds/lane.ts';
import { messagesChoices } from '#src/offline/kinds/messages/choices.ts';
import { messagesWords } from '#src/offline/kinds/messages/words.ts';
import { registerChoices } from '#src/offline/kinds/register/choices.ts';
import { registerWords } from '#src/offline/kinds/register/words.ts';
import { submissionChoices } from '#src/offline/kinds/submission/choices.ts';
import { submissionWords } from '#src/offline/kinds/submission/words.ts';
import type { Words } from '#src/offline/kinds/words.ts';

/** The words and choices of each kind, for screens; the worker does not load them. */
const registry: { [K in Kind]: { choices: Choices; words: Words<K> } } = {
  attempt: { choices: attemptChoices, words: attemptWords },
  certificate: { choices: certificateChoices, words: certificateWords },
  check_in: { choices: checkInChoices, words: checkInWords },
  evidence: { choices: evidenceChoices, words: evidenceWords },
  feedback: { choices: feedbackChoices, words: feedbackWords },
  messages: { choices: messagesChoices, words: messagesWords },
  register: { choices: registerChoices, words: registerWords },
  submission: { choices: submissionChoices, words: submissionWords },
};

/** For screens: any kind, by the name in an entry. */
type AnyWords = Omit<Words<Kind>, 'commands' | 'refusals'> & {
  commands: Partial<Record<string, { was: string; did(n: number): string | null }>>;
  refusals: Partial<Record<string, string>>;
};
const all = registry as unknown as Record<Kind, { choices: Choices; words: AnyWords }>;
export const choicesOf = (lane: string): Choices | undefined => ofKind(all, lane)?.choices;
export const wordsOf = (lane: string): AnyWords | undefined => ofKind(all, lane)?.words;

/** A description of a change, for someone who did not make it. */
export const changeWords = (command: string): string =>
  Object.values(all)
    .map(({ words }) => words.commands[command]?.was)
    .find((was) => was !== undefined) ?? 'A change';
