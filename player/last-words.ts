import * as z from 'zod/mini';
import { type LastWord, lastWordPlace, SealedWord } from '#contract/bridge.ts';
import { fromBase64, toBase64 } from '#contract/rules/bytes.ts';
import { seal } from '#contract/rules/seal.ts';

/**
 * Reports made while the tab was closing, which the closing app may not have received. Stored until the app acknowledges them;
 * only the latest few are kept. Encrypted, because other packages run on this origin.
 */
export const lastWordsKey = 'lantern-last-words';
const most = 20;

export const lastWords = (): SealedWord[] => {
  try {
    return z.array(SealedWord).safeParse(JSON.parse(localStorage.getItem(lastWordsKey) ?? '[]')).data ?? [];
  } catch {
    return [];
  }
};
const write = (words: readonly SealedWord[]): boolean => {
  try {
    if (words.length === 0) localStorage.removeItem(lastWordsKey);
    else localStorage.setItem(lastWordsKey, JSON.stringify(words.slice(-most)));
    return true;
  } catch {
    // The storage is full: only earlier reports remain.
    return false;
  }
};
/** A smaller report if the whole does not fit: SCORM progress without its data, or part of the latest statements. */
const smaller = (word: LastWord): LastWord | null => {
  if ('facts' in word) return Object.keys(word.facts.cmi).length === 0 ? null : { ...word, facts: { ...word.facts, cmi: {} } };
  if (word.state !== null) return { ...word, state: null };
  return word.statements.length < 2 ? null : { ...word, statements: word.statements.slice(Math.ceil(word.statements.length / 2)) };
};
/** `sessionKey` is the session's key from the app, in base64. */
export const keepLastWord = (word: LastWord, ticks: number, sessionKey: string): void => {
  const others = lastWords().filter((w) => w.session_id !== word.session_id);
  for (let now: LastWord | null = word; now; now = smaller(now)) {
    const sealed = toBase64(seal(fromBase64(sessionKey), now, lastWordPlace(word.session_id)));
    if (write([...others, { session_id: word.session_id, ticks, sealed }])) return;
  }
};
/** The app has received the reports up to `ticks`. */
export const forgetLastWord = (sessionId: string, ticks: number): void => {
  const words = lastWords();
  if (words.length > 0) write(words.filter((w) => w.session_id !== sessionId || w.ticks > ticks));
};
