import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('on a phone, whoever has more places than fit finds the rest under More', async ({ page, server }) => {
  test.slow();
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, server, 'admin@willowbrook.test');
  const nav = page.getByRole('navigation', { name: 'Main' });
  const tablets = nav.getByRole('link', { name: 'Tablets' });
  const more = nav.getByRole('button', { name: 'More' });
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  await expect(tablets).toBeHidden();
  await more.click();
  await expect(tablets).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tablets).toBeHidden();
  await more.click();
  await tablets.click();
  await expect(page).toHaveURL(/\/devices$/);
  await expect(tablets).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Tablets' })).toBeVisible();
  await more.click();
  await look(page, 'more');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(tablets).toBeVisible();
  await expect(more).toBeHidden();
});
