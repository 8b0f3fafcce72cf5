/** An origin that no page has, against which a path is resolved as a browser does it. */
const nowhere = 'https://app.invalid';
/** Characters that browsers drop or turn into others before they read an address, and white space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a link must not contain
const unsafe = /[\u0000-\u0020\u007f-\u00a0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff\\]/;

/**
 * A path of this app, as typed; null for everything else: another host (`//host`, `/\host`, with tabs or newlines in between), a scheme,
 * a relative path. The only place that decides it: a text that it returns never leaves the app's origin, wherever a browser resolves it.
 */
export const appPath = (text: string | null | undefined): string | null => {
  if (!text || !/^\/(?!\/)/.test(text) || unsafe.test(text)) return null;
  const url = URL.parse(text, nowhere);
  // `/.//host` is a path whose shortened form names a host.
  return url && url.origin === nowhere && !url.pathname.startsWith('//') ? text : null;
};

/** A web address with a host and without a name or password in it; null for everything else, among it scripts. */
export const webAddress = (text: string | null | undefined): string | null => {
  if (!text || !/^https?:\/\/[^/?#@]+([/?#]|$)/i.test(text) || unsafe.test(text)) return null;
  const url = URL.parse(text);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '' ? text : null;
};

/** What a link in a text may lead to: a web address, a path of this app, an e-mail address or a telephone number; null for everything else. */
export const linkTarget = (text: string | null | undefined): string | null =>
  webAddress(text) ?? appPath(text) ?? (text && /^(mailto|tel):[^/\s]/i.test(text) && !unsafe.test(text) ? text : null);
