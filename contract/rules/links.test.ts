import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appPath, linkTarget, webAddress } from '#contract/rules/links.ts';

const app = 'https://app.example.org';
/** Pieces from which addresses are composed that somebody could mistake for a path of the app. */
const pieces = fc.constantFrom(
  ...[
    '/',
    '//',
    '\\',
    '\t',
    '\n',
    '\r',
    ' ',
    '.',
    '..',
    '%2f',
    '%5c',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    'javascript:',
    'https:',
    'a',
    '\u0000',
    '\u200b',
  ],
);
const addresses = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
  fc.array(pieces, { maxLength: 8 }).map((all) => `/${all.join('')}`),
  fc.string(),
  fc.webUrl(),
);

describe('links', () => {
  it('whatever is taken as a path of the app stays in it, also when its result is resolved again', () => {
    fc.assert(
      fc.property(addresses, fc.constantFrom('/', '/login', '/a/b/', '/a//b'), (text, from) => {
        const path = appPath(text);
        if (path === null) return;
        const once = new URL(path, app + from);
        expect(once.origin).toBe(app);
        // As the app reads it from its own address and opens it again.
        const again = new URL(once.pathname + once.search + once.hash, app);
        expect(again.origin).toBe(app);
        expect(again.pathname).toBe(once.pathname);
      }),
      { numRuns: 20_000 },
    );
  });
  it('a link of a text runs nothing, and leads to the host that it names', () => {
    fc.assert(
      fc.property(addresses, (text) => {
        const target = linkTarget(text);
        if (target === null) return;
        const url = new URL(target, app);
        expect(['https:', 'http:', 'mailto:', 'tel:']).toContain(url.protocol);
        if (target.startsWith('/')) expect(url.origin).toBe(app);
        else if (url.protocol.startsWith('http')) expect(target.slice(target.indexOf('//') + 2).toLowerCase()).toMatch(/^[^/@\\]+/);
      }),
      { numRuns: 20_000 },
    );
  });
  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '',
    ' /courses',
    'https:evil.example',
  ])('refuses %j as a path of the app', (text) => expect(appPath(text)).toBeNull());
  it.each([
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'https:evil.example',
    'https://good.example@evil.example/',
    'https://@evil.example',
    'https://:@evil.example/',
    'https://\\evil.example',
  ])('refuses %j as a link of a text', (text) => expect(linkTarget(text)).toBeNull());
  it.each(['/', '/courses/1?tab=done#top', '/users/0b2f?redirect=%2F%2Fevil', '/login?redirect=https://evil.example'])(
    '%j is a path of the app',
    (text) => expect(appPath(text)).toBe(text),
  );
  it.each(['https://example.org/a?b=c#d', 'http://example.org', 'HTTPS://EXAMPLE.org/', 'https://example.org:8443/ä'])(
    '%j is a web address',
    (text) => expect(webAddress(text)).toBe(text),
  );
  it.each(['mailto:office@example.org', 'tel:+441234567890'])('%j may be a link of a text', (text) => expect(linkTarget(text)).toBe(text));
});
