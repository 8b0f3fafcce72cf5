import { expect, openPerson, signIn, tabTo, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';

test('an administrator adds a job role and a user type, and sees and changes what each may do and where it comes from @online', async ({
  page,
  server,
}) => {
  // Every screen is looked at in four ways; the largest of them holds several hundred boxes.
  test.slow();
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/entities/willowbrook`);
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Job roles' }).click();
  await expect(page.getByText('Registered nurse')).toBeVisible();
  await look(page, 'roles');
  await page.getByRole('button', { name: 'Add a job role' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Give the job role a name.', { exact: true })).toBeVisible();
  await page.getByLabel('Name').fill('cook');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('There is a job role of this name already.', { exact: true })).toBeVisible();
  await look(page, 'role-form');
  await page.getByLabel('Name').fill('Activities lead');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Job Role has been created.')).toBeVisible();
  await page.getByRole('button', { name: 'Change Cook' }).click();
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('3 people have this job role. Give them another one first.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Change Activities lead' }).click();
  await page.getByRole('button', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Job Role has been deleted.')).toBeVisible();
  await expect(page.getByText('Activities lead')).toHaveCount(0);

  await page.goto(`${server.url}/entities/willowbrook/types`);
  await page.getByRole('button', { name: 'Add a user type' }).click();
  await page.getByLabel('Name').fill('Night lead');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('User Type has been created.')).toBeVisible();
  await look(page, 'types');

  // With the keyboard alone.
  await tabTo(page, page.getByRole('link', { name: 'Permissions' }));
  await page.keyboard.press('Enter');
  const search = page.getByLabel('Find a permission');
  await expect(search).toBeVisible();
  await tabTo(page, search);
  await page.keyboard.type('find people');
  const cell = page.getByRole('checkbox', { name: 'Find people: Night lead' });
  await expect(cell).not.toBeChecked();
  await tabTo(page, cell);
  await page.keyboard.press('Space');
  await expect(page.getByText('Permission added to Type')).toBeVisible();
  await expect(cell).toBeChecked();
  await page.reload();
  await page.getByLabel('Find a permission').fill('find people');
  await expect(cell).toBeChecked();
  await page.getByLabel('Find a permission').fill('');
  // Permissions that one does not have cannot be granted.
  await expect(page.getByRole('checkbox', { name: '2x: Night lead' })).toBeDisabled();
  await look(page, 'type-permissions');
  await page.getByRole('checkbox', { name: 'Edit permissions: Administrator' }).click();
  await expect(page.getByText('You would lose this permission yourself.')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Edit permissions: Administrator' })).toBeChecked();

  await page.goto(`${server.url}/entities/willowbrook-house/permissions/`);
  await page.getByRole('checkbox', { name: 'Available courses: Everybody' }).click();
  await expect(page.getByText('Permission granted.')).toBeVisible();
  await look(page, 'entity-permissions');

  await page.goto(`${server.url}/users`);
  await openPerson(page, 'Amara Okafor');
  await page.getByRole('tab', { name: 'Access' }).click();
  await page.getByRole('link', { name: 'Permissions' }).click();
  await expect(page.getByRole('checkbox', { name: 'Available courses: Everybody here' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Own certificates: User type' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Own certificates: User type' })).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Find people: Their own' }).click();
  await expect(page.getByText('User Permission has been created.')).toBeVisible();
  await look(page, 'user-permissions');
  await page.goto(`${server.url}/audit-log`);
  await expect(page.getByRole('rowheader').first()).toContainText('Priya Raman granted permissions to the person Amara Okafor');

  // Who may not see this does not.
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await signIn(page, server, 'learner@willowbrook.test');
  for (const path of ['/entities', '/entities/willowbrook-house/types/permissions', '/audit-log']) {
    await page.goto(server.url + path);
    await expect(page).toHaveURL(`${server.url}/403`);
  }
});
