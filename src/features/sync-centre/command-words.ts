import type { Command } from '#contract/kinds.ts';

/** What a change was, for somebody who did not make it. The person themselves reads the sentence it was saved with. */
const words: Record<Command, string> = {
  'attempt.start': 'Starting a course',
  'attempt.progress': 'Reading a page',
  'attempt.answer': 'Answering a question',
  'attempt.submit_quiz': 'Handing in a quiz',
  'attempt.scorm_commit': 'Working in a package',
  'attempt.scorm_resume': 'Going on with a package',
  'attempt.h5p_statements': 'Working in an activity',
  'attempt.h5p_state': 'Working in an activity',
  'observation.record': 'Recording an observation',
  'observation.correct': 'Correcting an observation',
  'observation.withdraw': 'Withdrawing an observation',
  'observation.decide': 'Deciding on a criterion',
  'observation.sign': 'Signing a record',
  'supervision.grant': 'Saying how closely somebody is looked after',
  'evidence.add': 'Adding a file to a record',
  'register.mark': 'Noting who was there',
  'register.walk_in': 'Adding somebody to a register',
  'register.sign': 'Signing a register',
  'register.complete': 'Finishing a register',
  'message.send': 'Writing a message',
  'message.read': 'Reading a message',
};
export const wordsOf = (command: string): string => (words as Record<string, string>)[command] ?? 'A change';
