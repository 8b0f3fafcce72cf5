import * as z from 'zod/mini';
import { type LastWord, lastWordPlace, SealedWord } from '#contract/bridge.ts';
import { fromBase64, toBase64 } from '#contract/rules/bytes.ts';
import { seal } from '#contract/rules/seal.ts';

/**
 * What a package said while its tab was being closed: the app was closing too, and may not have heard it. Kept here until
 * the app says that it has it; a few at most, the oldest first out. Other packages run on this origin, so it is sealed.
 */
const key = 'lantern-last-words';
const most = 20;

export const lastWords = (): SealedWord[] => {
  try {
    return z.array(SealedWord).safeParse(JSON.parse(localStorage.getItem(key) ?? '[]')).data ?? [];
  } catch {
    return [];
  }
};
const write = (words: readonly SealedWord[]) => {
  try {
    if (words.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(words.slice(-most)));
  } catch {
    // A full disk: what was saved before is all there is.
  }
};
/** `sessionKey` is the key that the app gave with the session, in base64. */
export const keepLastWord = (word: LastWord, ticks: number, sessionKey: string): void => {
  const sealed = toBase64(seal(fromBase64(sessionKey), word, lastWordPlace(word.session_id)));
  write([...lastWords().filter((w) => w.session_id !== word.session_id), { session_id: word.session_id, ticks, sealed }]);
};
/** The app has what was said up to here. */
export const forgetLastWord = (sessionId: string, ticks: number): void => {
  const words = lastWords();
  if (words.length > 0) write(words.filter((w) => w.session_id !== sessionId || w.ticks > ticks));
};
