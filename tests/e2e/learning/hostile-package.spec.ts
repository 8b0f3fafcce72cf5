import { scormManifest, zip } from '#tests/support/archives.ts';
import { course, courseSaved, expect, signIn, test } from '#tests/support/browser-test.ts';
import { playInstead } from '#tests/support/play-instead.ts';

/** Tries what a package must not be able to do, and writes what came of each try on its page. */
const attack = (app: string) => `
const results = {};
const attempt = async (name, work) => {
  try { results[name] = String(await work()); } catch (error) { results[name] = 'refused: ' + error.name; }
};
const late = (work) => Promise.race([work, new Promise((done) => setTimeout(() => done('nothing came'), 1500))]);
(async () => {
  await attempt('app document', () => top.document.title);
  await attempt('app storage', () => top.localStorage.length);
  await attempt('app cookie', () => top.document.cookie);
  await attempt('own cookie', () => /lantern_session/.test(document.cookie));
  await attempt('app databases', async () => (await indexedDB.databases()).filter((d) => /lantern/i.test(d.name)).length);
  await attempt('call', () => late(fetch(${JSON.stringify(app)} + '/api/auth/user', { credentials: 'include' }).then((r) => r.status)));
  await attempt('form call', () => late(fetch(${JSON.stringify(app)} + '/api/logout', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then((r) => r.type)));
  await attempt('other host', () => late(fetch('https://example.org/').then((r) => r.status)));
  await attempt('top window', () => { top.location.href = 'about:blank'; return 'set'; });
  await attempt('worker', () => navigator.serviceWorker.register('worker.js').then(() => 'registered'));
  await attempt('worker of the origin', () => navigator.serviceWorker.register('/player/p/worker.js', { scope: '/' }).then(() => 'registered'));
  for (let i = 0; i < 20000; i++) parent.postMessage({ type: 'facts', i }, '*');
  for (let i = 0; i < 2000; i++) parent.API.LMSSetValue('cmi.core.lesson_location', String(i));
  await attempt('too long', () => { parent.API.LMSSetValue('cmi.suspend_data', 'x'.repeat(2_000_000)); return parent.API.LMSGetLastError(); });
  document.getElementById('results').textContent = JSON.stringify(results);
})();
`;

test('a package that tries to leave its place reaches nothing', async ({ page, browser, server }) => {
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  const archive = await zip({
    'imsmanifest.xml': scormManifest(),
    'index.html':
      '<!doctype html><title>Before you lift</title><p id="results">trying</p><script>parent.API.LMSInitialize("")</script><script src="attack.js"></script>',
    'attack.js': attack(server.url),
    'worker.js': 'self.addEventListener("fetch", () => undefined)',
  });
  await playInstead(browser, server, archive);

  await page.goto(server.url);
  await course(page, 'Data protection').getByRole('button').first().click();
  await expect(courseSaved(page)).toBeVisible();
  const address = page.url();
  const shown = page.frameLocator('iframe[title]').frameLocator('iframe[title]').locator('#results');
  await expect(shown).not.toHaveText('trying');
  const results = JSON.parse((await shown.textContent()) ?? '{}') as Record<string, string>;
  expect(results).toEqual({
    'app document': 'refused: SecurityError',
    'app storage': 'refused: SecurityError',
    'app cookie': 'refused: SecurityError',
    'own cookie': 'false',
    'app databases': '0',
    call: 'refused: TypeError',
    'form call': 'refused: TypeError',
    'other host': 'refused: TypeError',
    'top window': 'refused: SecurityError',
    worker: 'refused: TypeError',
    'worker of the origin': expect.stringMatching(/^refused: /) as unknown as string,
    'too long': '405',
  });
  // The person is told where it wanted to go, is where they were, still signed in, and the flood has not become work.
  await expect(page.getByText('This course tried to load something from example.org.')).toBeVisible();
  expect(page.url()).toBe(address);
  await expect(courseSaved(page)).toHaveText(/Received|Saved on this tablet|Sending/);
  const outbox = await page.evaluate(() => fetch('/api/auth/user').then((r) => r.status));
  expect(outbox).toBe(200);
});
