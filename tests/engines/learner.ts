import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { until } from '#tests/support/until.ts';
import type { Screen } from '#tests/engines/screen.ts';
import { appIsKept, assert, chip, countOf, lineIsBack, onServer, same, signIn, type Story, title, waitingIds } from '#tests/engines/story.ts';

const course = { role: 'article', name: /^Fire safety/ } as const;
const user = demoId('user:learner@willowbrook.test');
const content = demoId('content:fire-safety');

const list = { role: 'dialog', name: 'Your work on this device' } as const;

const heading = (screen: Screen) => screen.textOf(title(/./));

/** Presses Next until a page with this title is there. */
const readTo = async (screen: Screen, wanted: string) => {
  for (let pages = 0; pages < 40; pages++) {
    const before = await heading(screen);
    if (before === wanted) return;
    await screen.tap({ role: 'button', name: 'Next' });
    await until(`a page after “${before}”`, async () => (await heading(screen)) !== before);
  }
  throw new Error(`there is no page “${wanted}”`);
};

/** Answers the fire safety quiz, all right. */
const answerQuiz = async (screen: Screen) => {
  await screen.tap({ role: 'radio', name: 'Raise the alarm' });
  const wanted = ['Raise the alarm', 'Move those nearest to danger', 'Close doors behind you', 'Call 999', 'Count heads at the place of safety'];
  const places = () =>
    screen.engine.evaluate(() =>
      [...document.querySelectorAll('ol > li > span')]
        .map((e) => e.textContent ?? '')
        .filter((t) => /^\d\. /.test(t))
        .map((t) => t.slice(3)),
    );
  for (const [place, text] of wanted.entries())
    for (let at = (await places()).indexOf(text); at > place; at--) {
      await screen.tap({ role: 'button', name: `Move “${text}” up` });
      await until(`“${text}” one place up`, async () => (await places()).indexOf(text) === at - 1);
    }
  await screen.choose('Paper in a bin', 'Water');
  await screen.choose('A burning television', 'Carbon dioxide');
  await screen.choose('A deep fat fryer', 'Wet chemical');
  await screen.tap({ role: 'radio', name: 'False' });
  for (const name of ['It is smaller than a waste-paper bin', 'The alarm has been raised', 'Your way out is behind you'])
    await screen.tap({ role: 'checkbox', name: new RegExp(name) });
};

/** A course is kept, worked through without the server in a browser that is closed on the way, and received once. */
export const learner: Story = {
  name: 'a learner finishes a course without the server',
  tell: async (telling) => {
    const { screen, server, picture } = telling;
    await signIn(telling, 'learner@willowbrook.test');
    await screen.tap({ role: 'button', name: /^Make available offline/, within: course });
    await screen.tap({ role: 'button', name: /^Download/, within: course });
    await screen.says(course, /Available offline/, 60_000);
    await appIsKept(telling);
    await picture('home');

    await server.stop();
    await screen.engine.reload();
    await screen.see(title(/Amara/));
    await screen.tap({ role: 'button', name: 'Renew', within: course });
    await screen.see(title('Three things a fire needs'));
    await until('the picture of the page', () =>
      screen.engine.evaluate(() => [...document.querySelectorAll('main img')].some((i) => (i as HTMLImageElement).naturalWidth > 0)),
    );
    await screen.says(chip, /\d+ saved on this device/);
    await picture('course');
    await readTo(screen, 'Fire safety check');
    const before = await waitingIds(telling);

    // Closed, and opened again where there is still no server.
    await screen.engine.reopen();
    await screen.engine.goto(server.url);
    await screen.see(title(/Amara/));
    await screen.says(chip, /\d+ saved on this device/);
    const after = await waitingIds(telling);
    same(
      'what waited before the browser was closed and is not there',
      before.filter((id) => !after.includes(id)),
      [],
    );
    await screen.tap({ role: 'button', name: 'Continue', within: course });
    await screen.see(title('Fire safety check'));
    await answerQuiz(screen);
    await screen.tap({ role: 'button', name: 'Hand in' });
    await screen.see({ role: 'text', name: 'Handed in and saved on this device.' });
    const waiting = await waitingIds(telling);
    assert(waiting.length > before.length, 'the quiz does not wait beside the pages');
    await screen.tap(chip);
    // Neither sends while it is closed, neither has promised to keep anything, and WebKitGTK cannot flush private files.
    const [said] = await screen.says(
      list,
      /This browser sends only while Lantern is open: .*may clear it if the device runs out of space.*Last contact.*/s,
    );
    same('a second copy', !said.includes('This browser keeps no second copy of your work.'), telling.hasFiles);
    await picture('sync-centre');

    await lineIsBack(telling);
    await screen.engine.reload();
    await screen.see(title('Course completed'));
    await screen.see({ role: 'text', name: /with a score of 100 %/ });
    await picture('received');
    await onServer(telling, user, waiting, async (db) => {
      const attempts = await db.all<{ state: string }>(sql`select state from attempts where user_id = ${user} and content_id = ${content}`);
      same('attempts', attempts, [{ state: 'graded' }]);
      const handedIn = await countOf(
        db,
        sql`select count(*) as n from quiz_submissions s join attempts a on a.id = s.attempt_id where a.user_id = ${user} and a.content_id = ${content}`,
      );
      same('quizzes handed in', handedIn, 1);
      same('results', await countOf(db, sql`select count(*) as n from results where user_id = ${user} and content_id = ${content}`), 2);
    });
  },
};
