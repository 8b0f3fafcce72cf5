import { expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, look, lookOnDesktop } from '#tests/support/look.ts';

test('an office reads how training is used, who did not come, what is to come and what it cost @reading', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await goTo(page, 'Upcoming training');
  for (const [title, path] of [
    ['Upcoming training', 'upcoming-training'],
    ['Training sessions: utilisation', 'training-sessions?period=all_time'],
    ['No-shows', 'no-shows?period=all_time'],
    ['Training evaluation', 'training-evaluation?period=all_time'],
    ['Training by month', 'training-months?period=all_time'],
    ['Training spend', 'training-spend?period=all_time'],
  ] as const) {
    await page.goto(`${server.url}/reports/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('table', { name: title }).or(page.getByText(/^(No|Nothing|Nobody) /).first())).toBeVisible();
    const name = `report-${path.split('?')[0]}`;
    await look(page, name);
    await lookOnDesktop(page, name);
    // A table is as wide as what stands above it.
    const edges = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main [role=table], main table')].map(
          (t) => t.getBoundingClientRect().right - (t.closest('[data-view]')?.parentElement?.getBoundingClientRect().right ?? 0),
        ),
      );
    await expect.poll(edges, name).toEqual((await edges()).map(() => expect.closeTo(0, 0)));
  }
  // The last one: its amounts are money, and it is about orders and bookings: people and courses are counted only where some are chosen.
  await expect(page.getByRole('row', { name: /TO-00001/ })).toContainText('£99.00');
  await expect(page.getByRole('region', { name: 'What is shown' }).getByRole('status')).toHaveCount(0);
});
