import { createMemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { changeQuery, merged } from '#src/screens/use-query.ts';

const query = (text: string) => new URLSearchParams(text);

it('applies only what a change differs in from the shown address', () => {
  const shown = query('search=an&page=3&closed=a&closed=b');
  const newest = query('search=an&page=3&closed=a&closed=b&group=tag');
  expect(String(merged(newest, shown, query('search=be&closed=b')))).toBe('group=tag&search=be&closed=b');
  expect(String(merged(query('page=2&group=tag'), query(''), query('search=be'), ['page']))).toBe('group=tag&search=be');
});

/** Pages whose addresses are checked before they open, as all of the app are. */
const opened = async (address: string) => {
  const router = createMemoryRouter(
    ['/list', '/other'].map((path) => ({ path, loader: () => null, element: null })),
    { initialEntries: [address] },
  );
  router.initialize();
  await expect.poll(() => router.state.initialized).toBe(true);
  return { router, address: () => router.state.location.pathname + router.state.location.search };
};
const idle = async (router: Awaited<ReturnType<typeof opened>>['router']) => expect.poll(() => router.state.navigation.state).toBe('idle');

it('keeps a change that is still being applied when the next one is made on the address before', async () => {
  const { router, address } = await opened('/list?zoom=2');
  const shown = { pathname: '/list', search: '?zoom=2' };
  changeQuery(router, shown, query('zoom=2&group=role'), { replace: true });
  changeQuery(router, shown, query('zoom=2&find_people=ann'), { replace: true });
  await idle(router);
  expect(address()).toBe('/list?zoom=2&group=role&find_people=ann');
  // Applied by now, and not drawn yet.
  changeQuery(router, shown, query('zoom=3'), { replace: true });
  await idle(router);
  expect(address()).toBe('/list?group=role&find_people=ann&zoom=3');
});

it('leaves the way to another page alone', async () => {
  const { router, address } = await opened('/list');
  const going = router.navigate('/other');
  changeQuery(router, { pathname: '/list', search: '' }, { search: 'ann' });
  await going;
  expect(address()).toBe('/other');
});
