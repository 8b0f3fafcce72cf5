import { demoId } from '#server/db/demo/authoring.ts';
import { expect, signIn, test } from '#tests/support/browser-test.ts';
import { desktop, lookOnDesktop } from '#tests/support/look.ts';

const slug = 'willowbrook';
const amara = demoId('user:learner@willowbrook.test');
const care = demoId('role:group:care');
/** Everything that an administrator of a care group works with, by its address. */
const screens = {
  home: '/',
  messages: '/messages',
  'written-to-many': '/messages?many=1',
  users: '/users',
  'user-create': '/users/create',
  user: `/users/${amara}`,
  'user-update': `/users/update/${amara}`,
  'user-permissions': `/users/${amara}/permissions`,
  'user-competence': `/users/${amara}/competence`,
  'bulk-add': '/users/bulk-add-events',
  'bulk-history': '/users/bulk-add-events-history',
  entities: '/entities',
  'entity-create': '/entities/create',
  entity: `/entities/${slug}`,
  'entity-update': `/entities/${slug}/update`,
  branding: `/entities/${slug}/branding`,
  'certificate-branding': `/entities/${slug}/certificate-branding`,
  categories: `/entities/${slug}/course-categories`,
  'password-requirements': `/entities/${slug}/password-requirements`,
  courses: `/entities/${slug}/courses`,
  permissions: `/entities/${slug}/permissions/`,
  'types-permissions': `/entities/${slug}/types/permissions`,
  roles: `/entities/${slug}/roles/`,
  'role-courses': `/entities/${slug}/role/${care}/courses`,
  'role-pathways': `/entities/${slug}/role/${care}/pathways`,
  types: `/entities/${slug}/types`,
  tags: `/entities/${slug}/tags`,
  compliance: `/entities/${slug}/update/role/${care}/course/${demoId('course:Fire safety')}/compliance`,
  pathways: '/pathways',
  'pathway-create': '/pathways/create',
  'care-certificates': '/care-certificate',
  'care-certificate-historical': '/care-certificate/historical',
  'care-certificate-report': '/reports/care-certificate',
  'care-certificate-overview': '/care-certificate/overview',
  registers: '/training-sessions',
  'session-create': '/training-sessions/create',
  'session-update': `/training-sessions/update/${demoId('session:moving')}`,
  register: `/training-sessions/${demoId('session:first-aid')}`,
  importer: '/importer/logs',
  'importer-create': '/importer/create',
  'audit-log': '/audit-log',
  devices: '/devices',
  'sign-in-ways': '/sign-in-ways',
  'content-creator': '/content-creator',
};

test('an administrator’s screens can be used by everybody on a desktop, too', async ({ page, server }) => {
  test.setTimeout(300_000);
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  for (const [name, path] of Object.entries(screens)) {
    await page.goto(server.url + path);
    await expect(page.getByRole('heading', { level: 1 }), name).toBeVisible();
    await expect(page.getByText(/^Loading/), name).toHaveCount(0);
    await expect(page.getByRole('heading', { name: /not found|not allowed|went wrong|no connection/i }), name).toHaveCount(0);
    await lookOnDesktop(page, name);
  }
});
