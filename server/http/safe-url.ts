const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longestPlain = 30;

/**
 * A URL for the log, without secrets such as e-mail links, sign-in codes and package names: query values and long random path
 * segments are removed.
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
