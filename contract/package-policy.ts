import { contentFolder } from '#contract/package-addresses.ts';

/**
 * What a package's code may load and reach: only what is below the content's folder. Set by the server, and
 * by the service worker for stored files, because a package could have changed what is stored, including its headers.
 */
export const packagePolicy = (contentOrigin: string): string => {
  const packageFolder = contentOrigin + contentFolder;
  return `default-src ${packageFolder} 'unsafe-inline' 'unsafe-eval' data: blob:; worker-src ${packageFolder} blob:; base-uri 'self'; form-action ${packageFolder}; object-src 'none'`;
};
/**
 * What a content security policy does not cover: opening windows, navigation, WebRTC, DNS prefetch. Browsers that do not know this
 * header do not restrict those.
 */
export const connectionAllowlist = { name: 'Connection-Allowlist', value: '(response-origin)' } as const;
/** A sandboxed page: it runs nothing, loads nothing, and has an opaque origin that no other page can reach into. */
export const nothingPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
