import type { Line } from '#tests/faults/real/real-device.ts';

/** A connection that fails at random, by seed, while `bad` holds, for paths that match `where`. */
export const faultyLine = (real: Line, random: () => number, state: { bad: boolean }, where: RegExp): Line => {
  const late: (() => void)[] = [];
  return async (path, init) => {
    if (!state.bad || !where.test(path)) return real(path, init);
    if (random() < 0.3) for (const again of late.splice(0)) again();
    const dice = random();
    if (dice < 0.12) throw new TypeError('fetch failed');
    if (dice < 0.17) return new Response('<html>Sign in to the café</html>', { status: 200, headers: { 'Content-Type': 'text/html' } });
    if (dice < 0.2) return new Response(null, { status: 302, headers: { Location: 'http://portal.test/' } });
    if (dice < 0.25)
      return new Response('{"code":"internal","message":"x"}', { status: 500, headers: { 'X-Lantern': '1', 'Content-Type': 'application/json' } });
    if (dice < 0.3)
      return new Response('{"code":"unavailable","message":"x"}', {
        status: 503,
        headers: { 'X-Lantern': '1', 'Retry-After': '1', 'Content-Type': 'application/json' },
      });
    if (dice < 0.34) {
      const [status, code] = random() < 0.5 ? [419, 'csrf_mismatch'] : [401, 'unauthenticated'];
      return new Response(JSON.stringify({ code, message: 'x' }), {
        status,
        headers: { 'X-Lantern': '1', 'Content-Type': 'application/json' },
      });
    }
    const answer = await real(path, init);
    // Repeats the same request later, with its cookie.
    if (dice < 0.5) late.push(() => void real(path, init).catch(() => undefined));
    if (dice > 0.88) throw new TypeError('terminated');
    if (dice > 0.84)
      return new Response((await answer.text()).slice(0, 20), {
        status: answer.status,
        headers: { 'X-Lantern': '1', 'Content-Type': 'application/json' },
      });
    return answer;
  };
};
