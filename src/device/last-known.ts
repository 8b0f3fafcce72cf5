import { currentUser } from '#src/access/session.ts';
import { mayBeLocked } from '#src/device/lock-hint.ts';
import { whenIdle } from '#src/lib/when-idle.ts';
import { lastKnownCacheName } from '#src/offline/cache-names.ts';

/**
 * The home snapshot: the home page as last shown, stored by the worker and displayed at the next start before any script
 * runs. It belongs to one person: it carries their id, is never shown to another, and is deleted at sign-out.
 *
 *   start ─▶ worker answers index.html with the snapshot in it ─▶ the app renders beside it, hidden
 *         ─▶ a tap on the snapshot is remembered (public/early-taps.js)
 *         ─▶ home is ready ─▶ the app replaces the snapshot ─▶ a new snapshot is taken
 */
export const pictureId = 'last-known';

const controls = 'button, a, label';

/** Replaces the snapshot with the app and replays a tap made on the snapshot. */
const showApp = () => {
  const picture = document.getElementById(pictureId);
  const root = document.getElementById('root');
  root?.removeAttribute('hidden');
  if (!picture || !root) return;
  const tapped = picture.dataset.tapped === undefined ? null : [...picture.querySelectorAll(controls)][Number(picture.dataset.tapped)];
  picture.remove();
  if (tapped) answerTap(root, nameOf(tapped));
};

/** Activates the control with that name, now or as soon as it exists. */
const answerTap = (root: HTMLElement, name: string) => {
  const press = () => {
    const control = [...root.querySelectorAll<HTMLElement>(controls)].find((c) => nameOf(c) === name);
    control?.click();
    return control !== undefined;
  };
  if (press()) return;
  const watch = new MutationObserver(() => {
    if (press()) watch.disconnect();
  });
  watch.observe(root, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), 5000);
};
/** Identifies a control by its position and label. */
const nameOf = (control: Element) =>
  `${control.closest('article')?.getAttribute('aria-label') ?? ''}/${control.tagName}/${control.getAttribute('aria-label') ?? ''}/${control.textContent}`;

/** Called before the app renders: removes a snapshot of another person. */
export const checkLastKnown = () => {
  const picture = document.getElementById(pictureId);
  // In any case the app is shown after a time limit.
  if (picture) setTimeout(showApp, 8000);
  if (picture && (picture.dataset.person !== currentUser()?.uuid || location.pathname !== '/')) showApp();
};

const dataId = 'last-known-data';
let atStart: { person: string; data: unknown } | null | undefined;
/** The data shown when the snapshot was taken; null if there is none, or it is another person's. */
export const lastKnownData = <T>(): T | null => {
  if (atStart === undefined) {
    const text = document.getElementById(dataId)?.textContent;
    atStart = text ? (JSON.parse(text) as { person: string; data: unknown }) : null;
  }
  return atStart && atStart.person === currentUser()?.uuid ? (atStart.data as T) : null;
};

/** Called by the home page with its data once it shows the person's courses. */
export const homeIsReady = (data: unknown) => {
  showApp();
  const user = currentUser();
  // If the store is locked, the lock screen is shown instead.
  if (!user || mayBeLocked(user.uuid) || !navigator.serviceWorker?.controller) return;
  whenIdle(() => void takePicture(user.uuid, data).catch(() => undefined));
};

/** Called by every other page, which has nothing to wait for. */
export const otherPageIsReady = showApp;

const notForTheFirstTap = /\/(graph|workbox-window|tools|care|package)-/;

const takePicture = async (personId: string, data: unknown) => {
  const root = document.getElementById('root');
  if (!root || location.pathname !== '/' || document.querySelector('[role=dialog]')) return;
  // Volatile parts are omitted: an old snapshot must not claim that everything has been sent.
  const picture = root.cloneNode(true) as HTMLElement;
  for (const live of picture.querySelectorAll<HTMLElement>('[data-live]')) {
    live.replaceChildren();
    live.removeAttribute('aria-label');
    live.style.visibility = 'hidden';
  }
  const page = await fetch('/index.html');
  const text = await page.text();
  // The other rules are only what the last one builds on.
  const main = [...text.matchAll(/<script type="module"[^>]* src="([^"]+)"/g)].at(-1)?.[1];
  if (!main) return;
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map((l) => new URL(l.href).pathname);
  const styles = [...document.querySelectorAll('head style')].map((s) => `<style>${s.textContent}</style>`).join('');
  const loaded = performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname);
  const scripts = [
    main,
    ...new Set(loaded.filter((path) => path.startsWith('/assets/') && path.endsWith('.js') && path !== main && !notForTheFirstTap.test(path))),
  ];
  const html = document.documentElement;
  const attributes = `style="${html.getAttribute('style')?.replaceAll('"', '&quot;') ?? ''}" data-mantine-color-scheme="${html.dataset.mantineColorScheme ?? 'light'}"`;
  const json = JSON.stringify({ person: personId, data }).replaceAll('<', '\\u003c');
  const body = text
    .replace(/<script type="module"[^>]*><\/script>/g, '')
    .replace(/<link rel="(modulepreload|stylesheet)"[^>]*>/g, '')
    .replace('<html', `<html ${attributes}`)
    .replace('</head>', () => `${sheets.map((href) => `<link rel="stylesheet" href="${href}">`).join('')}${styles}</head>`)
    .replace(
      '<div id="root"></div>',
      () =>
        `<div id="${pictureId}" data-person="${personId}" data-main="${main}" data-scripts="${scripts.join(' ')}">${picture.innerHTML}</div>` +
        `<script type="application/json" id="${dataId}">${json}</script><div id="root" hidden></div><script src="/early-taps.js"></script>`,
    );
  if (currentUser()?.uuid !== personId) return;
  await (await caches.open(lastKnownCacheName)).put('/', new Response(body, { headers: page.headers }));
  // Signed out in the meantime: discard the snapshot.
  if (currentUser()?.uuid !== personId) await caches.delete(lastKnownCacheName);
};
