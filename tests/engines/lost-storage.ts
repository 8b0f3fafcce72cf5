import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { until } from '#tests/support/until.ts';
import { appIsKept, chip, countOf, lineIsBack, onServer, same, signIn, type Story, title, waitingIds } from '#tests/engines/story.ts';

const course = { role: 'article', name: /^Fire safety/ } as const;
const user = demoId('user:learner@willowbrook.test');
const content = demoId('content:fire-safety');

/** The browser loses every database while the server is away: what was saved, and the key that it is sealed with, come back from private files. */
export const lostStorage: Story = {
  name: 'a browser that loses its databases brings back what was saved',
  tell: async (telling) => {
    const { screen, server, picture } = telling;
    await signIn(telling, 'learner@willowbrook.test');
    await screen.tap({ role: 'button', name: 'Renew', within: course });
    await screen.see(title('Three things a fire needs'));
    await screen.says(chip, /^All sent/);
    await appIsKept(telling);
    await server.stop();
    await screen.tap({ role: 'button', name: 'Next' });
    await screen.says(chip, /\d+ saved on this device/);
    const waiting = await waitingIds(telling);
    await screen.engine.evaluate(async () => {
      for (const { name } of await indexedDB.databases())
        await new Promise<void>((resolve, reject) => {
          const asked = indexedDB.deleteDatabase(name as string);
          asked.onsuccess = () => resolve();
          asked.onerror = () => reject(asked.error);
        });
    });
    await screen.engine.goto(server.url);
    await screen.says(chip, /\d+ saved on this device/);
    await until('the same ids as before', async () => JSON.stringify(await waitingIds(telling)) === JSON.stringify(waiting));
    await screen.tap(chip);
    await screen.says({ role: 'dialog', name: 'Your work on this device' }, /brought back/);
    await picture('brought-back');
    await lineIsBack(telling);
    await onServer(telling, user, waiting, async (db) =>
      same('attempts', await countOf(db, sql`select count(*) as n from attempts where user_id = ${user} and content_id = ${content}`), 1),
    );
  },
};
