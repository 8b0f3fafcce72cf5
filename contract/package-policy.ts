import { contentFolder, packagesFolder } from '#contract/package-addresses.ts';

/**
 * What a package's code may load and reach: only what is below the content's folder. Set by the server, and
 * by the service worker for stored files, because a package could have changed what is stored, including its headers.
 */
const packagePolicy = (contentOrigin: string): string => {
  const packageFolder = contentOrigin + contentFolder;
  return `default-src ${packageFolder} 'unsafe-inline' 'unsafe-eval' data: blob:; worker-src ${packageFolder} blob:; base-uri 'self'; form-action ${packageFolder}; object-src 'none'`;
};
/** What the players may load: only what is below the content's folder, and no script of their page. */
const playerPolicy = (contentOrigin: string): string => {
  const contentUrl = contentOrigin + contentFolder;
  return `default-src ${contentUrl}; style-src ${contentUrl} 'unsafe-inline'; img-src ${contentUrl} data: blob:; base-uri 'self'; form-action ${contentUrl}; object-src 'none'`;
};
/** Where third-party code runs: in the pages of a package, and for H5P in the player's page. */
const runsPackages = (path: string) => path.startsWith(packagesFolder) || path === `${contentFolder}h5p.html`;

/**
 * The headers of everything on the content origin that keep a package in its place: the same from the server and from the worker. `path`
 * is without a query.
 */
export const contentHeaders = (contentOrigin: string, appOrigin: string, path: string): Record<string, string> => ({
  'Content-Security-Policy': `${runsPackages(path) ? packagePolicy(contentOrigin) : playerPolicy(contentOrigin)}; frame-ancestors 'self' ${appOrigin}`,
  // What a content security policy does not cover: opening windows, navigation, WebRTC, DNS prefetch. Browsers that do not know this
  // header do not restrict those.
  'Connection-Allowlist': '(response-origin)',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // A separate process, as for the app with the same header: a package that hangs or crashes affects only its own.
  'Origin-Agent-Cluster': '?1',
  'Cross-Origin-Resource-Policy': 'same-site',
  'Permissions-Policy': 'camera=(), geolocation=(), display-capture=(), microphone=(), midi=(), hid=(), payment=(), usb=(), serial=(), unload=(self)',
});
/** A sandboxed page: it runs nothing, loads nothing, and has an opaque origin that no other page can reach into. */
export const nothingPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
