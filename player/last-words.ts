import * as z from 'zod/mini';
import { LastWord } from '#contract/bridge.ts';

/**
 * What a package said while its tab was being closed: the app was closing too, and may not have heard it. Kept here until
 * the app says that it has it; a few at most, the oldest first out.
 */
const key = 'lantern-last-words';
const most = 20;

export const lastWords = (): LastWord[] => {
  try {
    return z.array(LastWord).safeParse(JSON.parse(localStorage.getItem(key) ?? '[]')).data ?? [];
  } catch {
    return [];
  }
};
const write = (words: readonly LastWord[]) => {
  try {
    if (words.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(words.slice(-most)));
  } catch {
    // A full disk: what was saved before is all there is.
  }
};
export const keepLastWord = (word: LastWord): void => write([...lastWords().filter((w) => w.session_id !== word.session_id), word]);
/** The app has what was said up to here. */
export const forgetLastWord = (sessionId: string, ticks: number): void => {
  const words = lastWords();
  if (words.length > 0) write(words.filter((w) => w.session_id !== sessionId || w.facts.ticks > ticks));
};
