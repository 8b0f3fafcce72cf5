import { expect, test } from '#tests/support/browser-test.ts';

test('link previews and uptime checks get the page; a missing call or file is not found @reading', async ({ request, server }) => {
  const ask = async (path: string, accept: string, method = 'GET') => {
    const answer = await request.fetch(server.url + path, { method, headers: { Accept: accept } });
    return [answer.status(), answer.headers()['content-type']?.split(';')[0]];
  };
  const page = [200, 'text/html'];
  for (const path of ['/', '/login', '/verify-certificate'])
    for (const accept of ['*/*', 'text/html,application/xhtml+xml,*/*;q=0.8'])
      for (const method of ['GET', 'HEAD']) expect([path, accept, method, await ask(path, accept, method)]).toEqual([path, accept, method, page]);
  const notFound = [404, 'application/json'];
  for (const [path, accept] of [
    ['/login', 'application/json'],
    ['/api/nothing', 'text/html'],
    ['/assets/gone.js', '*/*'],
  ] as const)
    expect([path, await ask(path, accept)]).toEqual([path, notFound]);
  expect(await ask('/login', '*/*', 'POST')).toEqual(notFound);
});
