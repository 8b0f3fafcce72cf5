import { LastWord, lastWordPlace, type SealedWord } from '#contract/bridge.ts';
import { fromBase64 } from '#contract/rules/bytes.ts';
import { unseal } from '#contract/rules/seal.ts';
import { commitScorm, recordH5p } from '#src/offline/kinds/attempt/package-commands.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

const wordOf = (key: string, { session_id, sealed }: SealedWord): LastWord | null => {
  try {
    return LastWord.safeParse(unseal(fromBase64(key), fromBase64(sealed), lastWordPlace(session_id))).data ?? null;
  } catch {
    return null;
  }
};

/**
 * Saves the last report of a session, written while its tab was closing. Returns whether it can be deleted: false if the
 * session belongs to another person on a shared device, who will collect it when they next sign in.
 */
export const takeLastWord = async (db: PersonDb, left: SealedWord): Promise<boolean> => {
  const session = await db.playerSessions.get(left.session_id);
  if (!session) return false;
  if (session.looking) return true;
  const word = wordOf(session.key, left);
  // Not encrypted with the session's key, so it was not written by our player.
  if (!word || word.session_id !== session.session_id || word.item_id !== session.item_id) return true;
  const here = { attempt: { id: session.attempt_id, user_id: db.personId }, item: { id: session.item_id, title: session.title } };
  if (!('facts' in word)) await recordH5p(db, here, word.statements, word.state);
  else {
    const known = await db.scormSessions.get([session.attempt_id, word.item_id, word.session_id]);
    // There was no space for the data: progress is known, and the data stays as last saved.
    const { cmi } = Object.keys(word.facts.cmi).length === 0 && known ? known : word.facts;
    if (!known || word.facts.ticks > known.ticks) await commitScorm(db, here, word.session_id, { ...word.facts, cmi });
  }
  return true;
};
