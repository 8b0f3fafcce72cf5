import { appIsKept, expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an administrator puts courses in an order and gives them to a job role; a carer sees her next step, and where there is no line, so', async ({
  page,
  server,
  browser,
}) => {
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/pathways`);
  await expect(page.getByRole('link', { name: /The first twelve weeks/ })).toBeVisible();
  await look(page, 'pathways');
  await page.getByRole('link', { name: 'Create a pathway' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a name.').first()).toBeVisible();
  await expect(page.getByText('Add at least one course.', { exact: true })).toBeVisible();
  await page.getByLabel('Name').fill('Working with dementia');
  await page.getByLabel('Description').fill('For those who work on the upper floor.');
  const add = async (title: string) => {
    await page.getByRole('combobox', { name: 'Add a course' }).fill(title);
    await page.getByRole('option', { name: title, exact: true }).click();
  };
  await add('Dementia awareness');
  await add('Communication');
  await page.getByLabel('Days for Communication').fill('21');
  await page.getByRole('button', { name: 'Move up: Communication' }).click();
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('listitem').first()).toContainText('Communication');
  await look(page, 'pathway-form');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Working with dementia' })).toBeVisible();
  await expect(page.getByText('Nobody has been added yet')).toBeVisible();

  // By a job role: everybody who has it, and nobody else.
  await page.goto(`${server.url}/entities/willowbrook/roles/`);
  await page.getByRole('link', { name: 'Pathways of Care assistant' }).click();
  const choice = page.getByRole('radiogroup', { name: 'Working with dementia: whether this job role goes through it' });
  await choice.getByText('Goes through it').click();
  await expect(page.getByText('Successfully updated.').first()).toBeVisible();
  await look(page, 'role-pathways');
  await page.getByRole('link', { name: 'Working with dementia' }).click();
  await expect(page.getByText(/^\d\d people, \d+ finished$/)).toBeVisible();

  // By a person, and taken off again.
  await page.getByRole('combobox', { name: 'Assign it to a person' }).fill('Derek');
  await page.getByRole('option', { name: 'Derek Holloway · Willowbrook House' }).click();
  await expect(page.getByText('Derek Holloway starts it today.')).toBeVisible();
  await page.getByLabel('Find a person').fill('Derek');
  const people = page.getByRole('list', { name: 'People on it' });
  await expect(people.getByRole('button', { name: /^Why\? Steps of / })).toHaveCount(1);
  await people.getByRole('button', { name: 'Why? Steps of Derek Holloway' }).click();
  const walked = people.getByRole('list', { name: 'How Derek Holloway stands with each step' });
  await expect(walked.getByRole('listitem')).toHaveCount(2);
  await look(page, 'pathway');
  await walked.getByRole('button', { name: 'Why? Communication' }).click();
  await expect(page.getByRole('dialog').getByText(/Working with dementia, on it since/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Take off Derek Holloway' }).click();
  await expect(page.getByText('Nobody found for “Derek”')).toBeVisible();

  const tablet = await (await browser.newContext({ viewport: { width: 820, height: 1180 } })).newPage();
  await signIn(tablet, server, 'learner@willowbrook.test');
  await goTo(tablet, 'Pathways');
  await tablet.getByRole('link', { name: /Working with dementia/ }).click();
  const steps = tablet.getByRole('region', { name: 'Steps' });
  await expect(steps.getByRole('heading', { name: 'Your steps' })).toBeVisible();
  await expect(steps.getByRole('listitem')).toHaveCount(2);
  await expect(steps.getByRole('listitem').first()).toContainText(/Communication.*(Done|Due) /);
  await expect(tablet.getByText('Who it is for')).toHaveCount(0);
  await steps.getByRole('button', { name: 'Why? Communication' }).click();
  await expect(tablet.getByRole('dialog').getByText('Step of a pathway')).toBeVisible();
  await tablet.keyboard.press('Escape');
  await look(tablet, 'pathway-own');
  await appIsKept(tablet);
  await server.stop();
  await tablet.goto(`${server.url}/pathways`);
  await expect(tablet.getByText(/Last updated/)).toBeVisible();
  await expect(tablet.getByRole('link', { name: /Working with dementia/ })).toBeVisible();
});
