import { beforeEach, describe, expect, it } from 'vitest';
import { lastWordPlace } from '#contract/bridge.ts';
import { fromBase64, toBase64 } from '#contract/rules/bytes.ts';
import { newDataKey, seal } from '#contract/rules/seal.ts';
import { takeLastWord } from '#src/device/last-words.ts';
import { beginPlayerSession } from '#src/offline/kinds/attempt/package-commands.ts';
import { type PersonDb, personDb } from '#src/offline/store/person-db.ts';

const facts = { ticks: 3, seconds: 60, completion: 'completed', success: 'passed', score: 100, percent: 100, cmi: {} };

describe('what a course said while its tab was being closed', () => {
  let db: PersonDb;
  let attempt: string;
  let session: { session_id: string; key: string };
  beforeEach(async () => {
    db = personDb(crypto.randomUUID());
    attempt = crypto.randomUUID();
    session = await beginPlayerSession(db, { id: attempt, closed: false }, { id: 'one', title: 'Before you lift' });
  });
  const left = (word: object, key = session.key, session_id = session.session_id) => ({
    session_id,
    ticks: 3,
    sealed: toBase64(seal(fromBase64(key), { item_id: 'one', session_id: session.session_id, ...word }, lastWordPlace(session.session_id))),
  });
  const saved = async () => (await db.outbox.toArray()).map((e) => e.command);

  it('is saved once, for who it is of', async () => {
    expect(await takeLastWord(db, left({ facts }))).toBe(true);
    expect(await takeLastWord(db, left({ facts }))).toBe(true);
    expect(await saved()).toEqual(['attempt.scorm_commit', 'attempt.scorm_resume']);
    expect(await takeLastWord(personDb(crypto.randomUUID()), left({ facts }))).toBe(false);
  });
  it('is what an activity reported and where the person is in it, too', async () => {
    const statements = [{ id: crypto.randomUUID(), at: '2026-01-01T10:00:00.000Z', verb: 'http://adlnet.gov/expapi/verbs/completed', statement: {} }];
    expect(await takeLastWord(db, left({ ticks: 3, statements, state: '{"page":2}' }))).toBe(true);
    expect(await saved()).toEqual(['attempt.h5p_statements', 'attempt.h5p_state']);
    expect(await db.h5pStates.get([attempt, 'one'])).toMatchObject({ state: '{"page":2}', completed: true });
  });
  it('is nothing where the try was closed and the person only looked', async () => {
    session = await beginPlayerSession(db, { id: attempt, closed: true }, { id: 'one', title: 'Before you lift' });
    expect(await takeLastWord(db, left({ facts }))).toBe(true);
    expect(await saved()).toEqual([]);
  });
  it('is not believed where another course wrote it', async () => {
    const other = await beginPlayerSession(db, { id: attempt, closed: false }, { id: 'two', title: 'Another' });
    const forged = [
      left({ facts }, toBase64(newDataKey())),
      // Sealed with a key that another course has had, for this session.
      left({ facts }, other.key),
      // Its own word, under the name of this session or of another item.
      { ...left({ facts }), session_id: other.session_id },
      left({ facts, item_id: 'two' }),
      { session_id: session.session_id, ticks: 9, sealed: 'nothing of the kind' },
      left({ facts: { ...facts, score: 'all' } }),
    ];
    for (const word of forged) expect(await takeLastWord(db, word)).toBe(true);
    expect(await saved()).toEqual([]);
  });
});
