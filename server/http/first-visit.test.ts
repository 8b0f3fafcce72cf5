import { expect, test } from 'vitest';
import { firstVisitPage } from '#server/http/first-visit.ts';

const index =
  '<html><head><title>Lantern</title><link rel="stylesheet" crossorigin href="/assets/app-12345678.css"></head><body><div id="root"></div></body></html>';
const assets = ['app-12345678.js', 'home-abc_-678.js', 'home-abc_-678.js.map', 'frame-12345678.css', 'homely-12345678.js', 'office-12345678.js'];

test('a first visit shows a logo and a name at once, and fetches what home needs only on the way there', () => {
  const page = firstVisitPage(index, assets);
  const toHome = page({ name: 'Lantern', mark: '#0477a8', toHome: true });
  expect(toHome).toMatch(
    /<\/title><\/head><body><div id="root"><\/div><style>.*<svg .* fill="#0477a8".*<span>Lantern<\/span>.*<link rel="stylesheet"/s,
  );
  expect([...toHome.matchAll(/rel="prefetch" crossorigin href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    '/assets/home-abc_-678.js',
    '/assets/frame-12345678.css',
  ]);
  expect(toHome).toContain('<template id="to-come"><link rel="prefetch"');
  expect(page({ name: 'Lantern', mark: '#0477a8', toHome: false })).not.toContain('prefetch');
});
test('an organisation at its own address sees its own name and not our mark; a name is never markup', () => {
  const shown = firstVisitPage(index, assets)({ name: 'Oak & <b>Ash</b> $&', mark: null, toHome: false });
  expect(shown).toContain('<span>Oak &amp; &lt;b&gt;Ash&lt;/b&gt; $&amp;</span>');
  expect(shown).not.toContain('<svg');
});
