import { contentFolder } from '#contract/package-addresses.ts';

/**
 * What other people's code may load and reach: what lies below the content's folder, and nothing else. Said by the server, and
 * by the worker for what is kept on a device: what lies there could have been changed by a package, its headers too.
 */
export const packagePolicy = (contentOrigin: string): string => {
  const here = contentOrigin + contentFolder;
  return `default-src ${here} 'unsafe-inline' 'unsafe-eval' data: blob:; worker-src ${here} blob:; base-uri 'self'; form-action ${here}; object-src 'none'`;
};
/**
 * What a content security policy does not reach: windows that are opened, places that are navigated to, WebRTC, addresses looked
 * up ahead. A browser that does not know this header leaves those open.
 */
export const connectionAllowlist = { name: 'Connection-Allowlist', value: '(response-origin)' } as const;
/** A page of nobody: it runs nothing, loads nothing, and is of no origin that another page could reach into. */
export const nothingPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
