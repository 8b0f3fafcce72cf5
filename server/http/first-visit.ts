import { escapeHtml } from '#server/mail/mail-html.ts';

/**
 * What the server adds to the app's page for a browser that has nothing of the app yet; a page that the worker has stored is without it.
 *
 *   opening     a logo and a name, before any script or style has come: they stand where the sign-in page shows them. The app's styles come
 *               after them: a browser paints nothing while it waits for styles of the head
 *   to come     on the way to the home page: its files, which the sign-in page has fetched while a person types (src/app/opening.ts)
 */
const opening = (name: string, mark: string | null) => `<style>
#opening{position:fixed;inset:0;z-index:-1;display:grid;align-content:start;justify-items:center;gap:12px;padding:clamp(24px,14dvh,180px) 16px;font:700 1.25rem/1.55 system-ui,sans-serif;text-align:center;background:#f5f7f8;color:#17232b}
#opening small{font-size:1rem;font-weight:400}
@media (prefers-color-scheme:dark){#opening{background:#10171b;color:#edf2f4}}
</style><div id="opening" role="status">${
  mark
    ? `<svg width="56" height="56" viewBox="0 0 48 48" aria-hidden="true"><rect width="48" height="48" rx="13" fill="${mark}"/><path d="M18 13.5a6 6 0 0 1 12 0" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/><path d="M15 16h18l-2 4v14l2 4H15l2-4V20z" fill="#fff"/><path d="M24 22.5c3.2 3 4.2 5 4.2 7a4.2 4.2 0 0 1-8.4 0c0-2 1-4 4.2-7z" fill="#f0a92e"/></svg>`
    : ''
}<span>${escapeHtml(name)}</span><small>Opening …</small></div><noscript><style>#opening{display:none}</style></noscript>`;

/** The parts of the app that the home page needs after sign-in, as the build names their files. */
const homeParts = /^(ways|frame|store|home)-[\w-]{8}\.(js|css)$/;
const root = '<div id="root"></div>';
const styles = /<link rel="stylesheet"[^>]*>/g;

/** `mark`: the colour of the product's mark; null where an organisation has a logo of its own. */
export type FirstVisit = { name: string; mark: string | null; toHome: boolean };
/** The app's page for a first visit, made from the page of the build and the names of its assets. */
export const firstVisitPage = (index: string, assets: readonly string[]) => {
  const toCome = assets
    .filter((name) => homeParts.test(name))
    .map((name) => `<link rel="prefetch" crossorigin href="/assets/${name}"${name.endsWith('.css') ? ' as="style"' : ''}>`)
    .join('');
  const sheets = index.match(styles)?.join('') ?? '';
  const page = index.replace(styles, '');
  return ({ name, mark, toHome }: FirstVisit): string =>
    page.replace(root, () => root + opening(name, mark) + sheets + (toHome ? `<template id="to-come">${toCome}</template>` : ''));
};
