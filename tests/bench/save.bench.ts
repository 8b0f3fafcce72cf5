import { launch } from '#tests/bench/chromium.ts';
import { withApp } from '#tests/bench/in-page.ts';
import type { App } from '#tests/bench/page/page.ts';
import { quantile, report } from '#tests/bench/report.ts';

/**
 * Saving an answer until the screen may say *Saved on this device*, against one raw strict IndexedDB transaction over
 * two such stores with the same values: ours seals both rows, keeps a line in the second journal and flushes it.
 * Interleaved, the order turned each time. Targets: p95 ≤ 4 and ≤ 50 ms.
 */
export const run = async () => {
  const browser = await launch();
  const page = await withApp(await browser.newContext(), 'http://localhost:39999');
  const { ours, raw } = await page.evaluate(async () => {
    const { saveAnswer, personDb, openStore, hasSecondCopy } = (window as unknown as { app: App }).app;
    const person = crypto.randomUUID();
    const db = personDb(person);
    await openStore(db);
    const attempt = { id: crypto.randomUUID(), user_id: person, rev: 1 };
    const quiz = crypto.randomUUID();
    await saveAnswer(db, attempt, { quiz_id: quiz, try_no: 1, question_id: crypto.randomUUID() }, { kind: 'single', option: 'a' }, 'Answered');
    const sample = await db.outbox.toCollection().first();
    // In a separate store: other writes would change the predicted positions.
    const beside = personDb(crypto.randomUUID());
    await openStore(beside);
    const native = beside.backendDB();
    const rawSave = (entry: object, answer: object) =>
      new Promise<void>((resolve, reject) => {
        const tx = native.transaction(['outbox', 'quizAnswers'], 'readwrite', { durability: 'strict' });
        tx.objectStore('outbox').add(entry);
        tx.objectStore('quizAnswers').put(answer);
        tx.oncomplete = () => resolve();
        tx.onerror = () => reject(tx.error);
      });
    const times = { ours: [] as number[], raw: [] as number[] };
    const one = async (which: 'ours' | 'raw') => {
      const question_id = crypto.randomUUID();
      const { n: _, ...entry } = { ...sample, id: crypto.randomUUID(), mergeKey: `${attempt.id}:answer:${quiz}:1:${question_id}` };
      const started = performance.now();
      if (which === 'ours') await saveAnswer(db, attempt, { quiz_id: quiz, try_no: 1, question_id }, { kind: 'single', option: 'a' }, 'Answered');
      else await rawSave(entry, { attempt_id: attempt.id, quiz_id: quiz, try_no: 1, question_id, answer: { kind: 'single', option: 'a' } });
      times[which].push(performance.now() - started);
    };
    for (let i = 0; i < 30; i++) await one(i % 2 ? 'ours' : 'raw');
    times.ours.length = 0;
    times.raw.length = 0;
    for (let i = 0; i < 400; i++) for (const which of i % 2 ? (['ours', 'raw'] as const) : (['raw', 'ours'] as const)) await one(which);
    if (!hasSecondCopy()) throw new Error('there was no second copy');
    return times;
  });
  report('saving an answer, raw strict transaction p50', quantile(raw, 0.5), 'ms', 1, 'floor');
  report('saving an answer, p50', quantile(ours, 0.5), 'ms', quantile(ours, 0.5) / quantile(raw, 0.5), 'raw');
  report('saving an answer, p95', quantile(ours, 0.95), 'ms', quantile(ours, 0.95) / quantile(raw, 0.95), 'raw p95, target 4');
  await browser.close();
};
