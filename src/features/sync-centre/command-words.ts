/** What a change was, for somebody who did not make it. The person themselves reads the sentence it was saved with. */
const words: Record<string, string> = {
  'attempt.start': 'Starting a course',
  'attempt.progress': 'Reading a page',
  'attempt.answer': 'Answering a question',
  'attempt.submit_quiz': 'Handing in a quiz',
};
export const wordsOf = (command: string): string => words[command] ?? 'A change';
