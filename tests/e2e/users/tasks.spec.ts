import { expect, newDevice, signIn, test, wake } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an import is followed as a task, cancelled and tried again; without a connection the page says so, and others do not see it @online', async ({
  page,
  server,
  browser,
}) => {
  test.setTimeout(300_000);
  page.setDefaultTimeout(20_000);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/importer/logs`);
  await page.getByRole('link', { name: 'Import a table' }).click();
  const rows = Array.from({ length: 3000 }, (_, i) => `Person ${i},person${i}@example.org`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'everybody.csv', mimeType: 'text/csv', buffer: Buffer.from(['Name,E-mail address', ...rows].join('\n')) });
  await page.getByRole('button', { name: 'Import 3,000 rows' }).click();
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Imports' }).click();
  await page.getByRole('link', { name: 'Tasks in progress' }).click();
  const task = page.getByRole('listitem').filter({ hasText: 'everybody.csv' });
  await expect(page.getByRole('region', { name: 'Running and waiting' }).getByRole('listitem')).toContainText('everybody.csv');
  // A bar that has only begun has no width.
  await expect(task.getByRole('progressbar')).toBeAttached();
  // It goes on without a reload.
  const done = async () => Number(await task.getByRole('progressbar').getAttribute('aria-valuenow'));
  const before = await done();
  // How fast hangs on the machine.
  await expect.poll(done, { timeout: 90_000 }).toBeGreaterThan(before);
  await look(page, 'tasks-running');
  await task.getByRole('button', { name: /Cancel/ }).click();
  await page.getByRole('button', { name: 'Cancel it' }).click();
  await expect(task).toContainText('Stopped');
  await expect(task).toContainText(/of 3,000 rows were done and stay/);
  const { page: other, context } = await newDevice(browser);
  await signIn(other, server, 'learner@willowbrook.test');
  await other.goto(`${server.url}/tasks-in-progress`);
  await expect(other.getByRole('main')).toContainText('You do not have permission to see this');
  await expect(other.getByText('everybody.csv')).toHaveCount(0);
  await context.close();
  await server.stop();
  await expect(page.getByText('There is no connection to the server.')).toBeVisible();
  await expect(task).toContainText('Stopped');
  await server.start();
  await wake(page);
  await expect(page.getByText('There is no connection to the server.')).toBeHidden();
  await task.getByRole('button', { name: /Try .* again/ }).click();
  await expect(page.getByRole('region', { name: 'Recently ended' }).getByRole('listitem').filter({ hasText: 'everybody.csv' })).toContainText(
    'Finished',
    { timeout: 90_000 },
  );
  await look(page, 'tasks-ended');
});
