import { createServer, request as ask } from 'node:http';
import { connect } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, goTo, signIn, test } from '#tests/support/browser-test.ts';
import { freePort } from '#tests/support/free-port.ts';
import { desktop } from '#tests/support/look.ts';
import { RealServer } from '#tests/support/real-server.ts';

const figures = async (page: Page): Promise<string[]> => {
  await expect(page.getByText(/^As of /)).toBeVisible({ timeout: 60_000 });
  return page.getByText(/^(In date|Expires soon|Expired|Missing|New starter) \d/).allTextContents();
};

test('behind a proxy that refuses web sockets the matrix comes over plain requests, with the same figures @online', async ({ page }) => {
  test.setTimeout(240_000);
  const port = await freePort();
  const server = await RealServer.create({ PUBLIC_URL: `http://localhost:${port}` });
  let refused = 0;
  let refuses = false;
  const proxy = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? '/', server.url);
    const passed = ask(target, { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  proxy.on('upgrade', (incoming, socket, head) => {
    if (refuses) {
      refused++;
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const through = connect(Number(new URL(server.url).port), 'localhost', () => {
      const headers = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${value}`);
      through.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      through.write(head);
      through.pipe(socket).pipe(through);
    });
    const ended = () => {
      through.destroy();
      socket.destroy();
    };
    through.on('error', ended);
    socket.on('error', ended);
  });
  await new Promise<void>((resolve) => proxy.listen(port, 'localhost', resolve));
  try {
    await page.setViewportSize(desktop);
    await signIn(page, { url: `http://localhost:${port}` } as typeof server, 'manager@willowbrook.test');
    await goTo(page, 'Training matrix');
    const before = await figures(page);
    expect(before.length).toBeGreaterThan(2);
    refuses = true;
    await page.reload();
    expect(await figures(page)).toEqual(before);
    expect(refused).toBe(1);
    // Remembered: the next time nothing is lost by trying.
    await page.reload();
    expect(await figures(page)).toEqual(before);
    expect(refused).toBe(1);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await server.close();
  }
});
