import { expect, test, vi } from 'vitest';
import { type RouteId, siteMap } from '#contract/site-map.ts';

/** Pages outside the frame, without breadcrumbs or a navigation entry. */
const outside = siteMap.filter((r) => r.layout !== 'default' && r.layout !== 'dashboard').map((r) => r.id as RouteId);

test('every page inside the frame has a title', async () => {
  vi.stubGlobal('window', { addEventListener: () => undefined });
  const [{ pageTitles }, { pages }] = await Promise.all([import('#src/app/page-titles.ts'), import('#src/app/pages.ts')]);
  expect((Object.keys(pages) as RouteId[]).filter((id) => !outside.includes(id) && !pageTitles[id])).toEqual([]);
});
