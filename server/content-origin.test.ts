import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createContentOrigin } from '#server/content-origin.ts';
import { createFileStore } from '#server/files/file-store.ts';

describe('every answer of the content origin', () => {
  let site: FastifyInstance;
  let port: number;
  beforeAll(async () => {
    site = await createContentOrigin({ config: readConfig({}), files: createFileStore('/nonexistent'), playerFolder: '/nonexistent' });
    port = Number(new URL(await site.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  afterAll(() => site.close());
  const raw = (...lines: string[]) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return text(socket);
  };

  it('has a policy, those too that no route gives: a package could frame a page without one and act from there', async () => {
    const tree = 'a'.repeat(64);
    const asked: [status: string, line: string, ...more: string[]][] = [
      ['404', 'GET /player/nothing HTTP/1.1'],
      ['404', 'GET /elsewhere HTTP/1.1'],
      ['404', `GET /player/p/${tree}/index.html HTTP/1.1`],
      ['404', 'POST /player/scorm.html HTTP/1.1'],
      ['400', 'GET /player/%zz HTTP/1.1'],
      ['400', 'GET /player/p/%E0%A4%A/x HTTP/1.1'],
      ['4', `GET /player/p/${'a'.repeat(1200)}/x HTTP/1.1`],
      ['431', 'GET /player/ HTTP/1.1', `Cookie: ${'x'.repeat(800_000)}`],
      ['400', 'NONSENSE'],
    ];
    for (const [status, line, ...more] of asked) {
      const answer = await raw(line, 'Host: localhost', 'Connection: close', ...more);
      expect.soft(answer.slice(9, 12), line.slice(0, 60)).toMatch(new RegExp(`^${status}`));
      expect.soft(answer, line.slice(0, 60)).toMatch(/\r\ncontent-security-policy: default-src /i);
      // It cannot run scripts, or it has the policy of packages.
      expect.soft(answer, line.slice(0, 60)).toMatch(/default-src 'none'.*; sandbox|connection-allowlist: \(response-origin\)/i);
    }
  });
});
