const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longestPlain = 30;

/**
 * An address as it may stand in a log: links of e-mails, codes of sign-in providers and names of packages are keys, and
 * whoever reads a log must not be able to use them. Of a query only the names are kept, of a path no long random part.
 */
export const safeUrl = (url: string): string => {
  const [path = '', query] = url.split(/\?(.*)/s);
  const shown = path
    .split('/')
    .map((part) => (part.length > longestPlain && !uuid.test(part) && /^[\w~%-]+$/.test(part) ? `${part.slice(0, 4)}…` : part))
    .join('/');
  const names = (query ?? '')
    .split('&')
    .flatMap((pair) => (pair.includes('=') ? [`${pair.split('=')[0]?.slice(0, longestPlain)}=…`] : pair ? ['…'] : []));
  return names.length > 0 ? `${shown}?${names.join('&')}` : shown;
};
