import type { Page } from '@playwright/test';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { api, expect, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { expectLargeTargets, look, lookOnDesktop } from '#tests/support/look.ts';

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();

test('a training company sets how it takes bookings and what it writes; two who change it at once lose nothing @online', async ({ page, server }) => {
  test.setTimeout(300_000);
  await signIn(page, server, 'admin@brightpath.test');
  await page.goto(`${server.url}/entities/brightpath/settings`);
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Training company/ })
    .click();
  await heading(page, 'Training company');
  await page.getByLabel('References begin with').fill('bp-');
  await expect(page.getByText('For example BP-01024')).toBeVisible();
  // A text of one's own, with what stands for a fact, and how it will look.
  await page.getByRole('button', { name: 'Change the text: Cancelled' }).click();
  const text = page.getByRole('textbox', { name: 'Text: Cancelled' });
  const preview = page.getByRole('figure', { name: 'Preview: Cancelled' });
  await text.fill('Dear {nobody}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/^\{nobody\} is not known here\. Use \{name\}/).first()).toBeVisible();
  await text.fill('Sorry, ');
  const facts = page.getByRole('list', { name: 'Insert into the text: Cancelled' });
  await facts.getByRole('button', { name: '{name}' }).click();
  await text.press('End');
  await text.pressSequentially('! No session on ');
  await facts.getByRole('button', { name: '{date}' }).click();
  await expect(preview).toContainText('Sorry, Grace Adeyemi! No session on 27/11/2026');
  await page.getByRole('checkbox', { name: 'Booked: also by e-mail', exact: true }).uncheck();
  await look(page, 'provider-settings');
  await lookOnDesktop(page, 'provider-settings');
  await expectLargeTargets(page, 'provider-settings');

  // Somebody else saved in the meantime.
  const { rev } = await api<{ rev: number }>(page, 'GET', '/entities/brightpath/training-company');
  await api(page, 'PATCH', '/entities/brightpath/training-company', { rev, auto_release_certificates: false });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Which version do you want to keep?')).toBeVisible();
  await expect(text).toHaveValue('Sorry, {name}! No session on {date}');
  await page.getByRole('button', { name: 'Save what I entered' }).click();
  await heading(page, 'Brightpath Training');
  const saved = await api<CompanySettings>(page, 'GET', '/entities/brightpath/training-company');
  expect(saved).toMatchObject({ rev: rev + 2, auto_release_certificates: false, bookings_organiser_reference_prefix: 'BP-' });
  expect(saved.communication_preferences_json).toEqual([
    { kind: 'booked', email: false, text: null },
    { kind: 'cancelled', email: true, text: 'Sorry, {name}! No session on {date}' },
  ]);
  await page.goto(`${server.url}/entities/brightpath/training-provider-settings`);
  await page.getByRole('button', { name: 'Back to the standard text: Cancelled' }).click();
  await expect(preview).toContainText('is cancelled. Reason: The trainer is ill.');

  await page.getByRole('link', { name: 'Rules for delegates' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await heading(page, 'Delegates');
  await page.getByLabel('Minimum of delegates: theory').fill('9');
  await page.getByLabel('Maximum of delegates: theory').fill('4');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The minimum is more than the maximum, which is 4.').first()).toBeVisible();
  await look(page, 'delegate-settings');
  await page.getByLabel('Maximum of delegates: theory').fill('14');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await heading(page, 'Brightpath Training');
  expect(await api<CompanySettings>(page, 'GET', '/entities/brightpath/training-company')).toMatchObject({
    ...{ theory_min_delegates: 9, theory_max_delegates: 14 },
  });
});

test('a training company notes its trainers and prices, and gains a client, which ends it @online', async ({ page, server, browser }) => {
  test.setTimeout(300_000);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/trainers`);
  await heading(page, 'Trainers');
  await page.getByRole('button', { name: 'Add a trainer' }).click();
  await page.getByRole('combobox', { name: 'Person' }).fill('Amara');
  await page.getByRole('option', { name: /Amara Okafor/ }).click();
  await page.getByRole('button', { name: 'Make them a trainer' }).click();
  await expect(page.getByRole('row', { name: /Amara Okafor/ })).toBeVisible();
  await look(page, 'trainers');
  await page.goto(`${server.url}/trainers/${demoId('user:learner@willowbrook.test')}`);
  await heading(page, 'Amara Okafor');
  await page.getByRole('combobox', { name: 'Competent for' }).fill('Fire');
  await page.getByRole('option', { name: 'Fire safety' }).click();
  await page.keyboard.press('Escape');
  await page.getByLabel('Home base').fill('Leeds');
  await page.getByRole('button', { name: 'Add a day' }).click();
  await page.getByRole('button', { name: 'Add days away' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter a date.').first()).toBeVisible();
  await look(page, 'trainer');
  await lookOnDesktop(page, 'trainer');
  await page.getByRole('button', { name: 'Remove days away 1' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name: /Amara Okafor.*Fire safety.*Leeds/ })).toBeVisible();

  await page.goto(`${server.url}/training-prices`);
  await page.getByRole('button', { name: 'Add a price' }).click();
  await page.getByRole('combobox', { name: 'Course' }).fill('Fire');
  await page.getByRole('option', { name: 'Fire safety' }).click();
  await page.getByRole('textbox', { name: 'Valid from' }).fill('01/04/2026');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter a price per person, per session, or both.').first()).toBeVisible();
  await page.getByLabel('Per person').fill('45.5');
  await look(page, 'training-price');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('row', { name: /Fire safety.*01\/04\/2026.*£45\.50.*20 %/ })).toBeVisible();

  // The provider hands over a code; the client reads whose it is, and accepts.
  const provider = await newDevice(browser);
  await signIn(provider.page, server, 'admin@brightpath.test');
  await provider.page.goto(`${server.url}/entities/brightpath/training-clients`);
  const clients = provider.page.getByRole('list', { name: 'Clients' });
  const end = async () => {
    await provider.page.getByRole('button', { name: 'End … Willowbrook Care Group' }).click();
    await provider.page.getByRole('button', { name: 'End it' }).click();
    await expect(clients).toContainText('Ended');
  };
  await end();
  await provider.page.getByRole('button', { name: 'Invite a client' }).click();
  await provider.page.getByLabel('Who it is for').fill('Willowbrook');
  await provider.page.getByRole('button', { name: 'Make a code' }).click();
  const code = await provider.page.getByText(/^\w{4}-\w{4}-\w{4}$/).innerText();
  await look(provider.page, 'training-clients');
  await page.goto(`${server.url}/entities/willowbrook/training-providers`);
  await page.getByRole('button', { name: 'Enter a code' }).click();
  await page.getByLabel('Code').fill('AAAA-BBBB-CCCC');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(/^No invitation has this code/).first()).toBeVisible();
  await page.getByLabel('Code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Brightpath Training invites you to book its training.')).toBeVisible();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('list', { name: 'Providers' })).toContainText('Brightpath Training');
  await look(page, 'training-providers');
  await provider.page.reload();
  await expect(clients).not.toContainText('Ended');
  await end();
  await provider.context.close();
});
