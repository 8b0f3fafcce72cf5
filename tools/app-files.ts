import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShellFile } from '#src/offline/shell-messages.ts';

/**
 * The files into which the app is bundled: few, so that a tablet stores it soon, and in the order in which people need them. Each part has
 * what its sources import, minus what an earlier part has: a part depends only on earlier parts.
 */
export type AppPart = { name: string; sources: RegExp };

/** In order of need. Parts before `drag` are everything that learners and trainers use offline. */
export const appParts: readonly AppPart[] = [
  // With the sign-in page: who has nothing of the app yet begins there, and a file of its own costs a round trip.
  { name: 'app', sources: /\/src\/app\/main\.tsx$|\/account\/login\.page\.tsx$|rolldown[/-]runtime/ },
  { name: 'ways', sources: /\/account\/(other-ways|others-waiting|(forgot-password|reset-password|verify-email|register)\.page)\.tsx$/ },
  { name: 'frame', sources: /\/src\/app\/layouts\/(shell-layout|component-library)\.tsx$/ },
  { name: 'store', sources: /\/src\/app\/layouts\/shell-tools\.tsx$/ },
  { name: 'home', sources: /\/learning\/learner-events\.page\.tsx$/ },
  // Fetched when the home page is idle.
  { name: 'kept', sources: /\/src\/device\/(team|registers|leaving|kept-matrix)\.ts$|\/src\/offline\// },
  { name: 'graph', sources: /\/src\/device\/graph-client\.ts$/ },
  { name: 'course', sources: /\/learning\/attempt\.page\.tsx$/ },
  { name: 'package', sources: /\/learning\/(package-player|h5p-activity|player-frame)\.tsx$|\/src\/device\/framed-keeper\.ts$/ },
  { name: 'designed', sources: /\/learning\/(cattempt\.page|design-player)\.tsx$|\/screens\/design\// },
  // Needed by every screen that reads from the server.
  { name: 'reads', sources: /\/src\/screens\/use-read\.ts$/ },
  // The home page of managers.
  { name: 'work', sources: /\/learning\/work-home\.tsx$/ },
  {
    name: 'tools',
    sources: /\/(account\/(account-menu|login-popup-dialog)|sync-centre\/sync-centre|help-desk\/help-drawer|learning\/ready-dialog)\.tsx$/,
  },
  { name: 'table', sources: /\/src\/screens\/table\.tsx$/ },
  { name: 'sheet', sources: /\/node_modules\/hucre\// },
  { name: 'account', sources: /\/features\/account\// },
  // Fetched when someone first opens a date picker.
  { name: 'calendar', sources: /\/src\/ui\/calendar\.tsx$/ },
  { name: 'controls', sources: /\/src\/(ui|lib|screens(?!\/authoring))\/|\/src\/app\/(layouts\/|forbidden|not-found)/ },
  { name: 'learning', sources: /\/features\/(learning|messages|pathways)\// },
  { name: 'care', sources: /\/features\/(care-certificates|training-sessions)\/|\/users\/kept-people\.tsx$/ },
  { name: 'device', sources: /\/src\/(device|access|api|offline)\// },
  // Opened by people without an account: contains nothing of the office.
  { name: 'verify', sources: /\/(results|inspections)\/verify[\w-]*\.page\.tsx$/ },
  // Used by the editor, which is not kept, and by the calendar of bookings, which is.
  { name: 'drag', sources: /\/node_modules\/@dnd-kit\// },
  // Fetched by authors when they write a topic.
  { name: 'editor', sources: /\/content-creator\/topic-editor\// },
  { name: 'office', sources: /\/features\/(users|sync-centre|compliance|assignments|groups|results)\// },
  { name: 'bookings', sources: /\/features\/bookings\// },
  {
    name: 'organisation',
    sources: /\/features\/(entities|branding|permissions|audit|importer|venues|marketplace|training-companies|training-orders|jobs)\//,
  },
  { name: 'dashboards', sources: /\/features\/dashboards\// },
  { name: 'matrix', sources: /\/features\/matrix\// },
  { name: 'reports', sources: /\/features\/(reports|report-presets|report-schedules|compliance-report|inspections)\// },
  // What authors write with, and its dependencies: nobody else opens it.
  { name: 'authoring', sources: /\/features\/content-(creator|designer)\/|\/screens\/authoring\// },
];

const parts = appParts.map((p) => p.name);
const firstForTheOffice = parts.indexOf('drag');

/** A file's position in the order of need: common files first, then the parts. */
const placeOf = (url: string): number => {
  const name = /^\/assets\/(.+)-[\w-]{8}\.\w+$/.exec(url)?.[1] ?? '';
  const part = parts.indexOf(name);
  if (part >= 0) return part;
  // Home screen icons are requested by the operating system, never by a page.
  return /^\/icons\/.*\.png$/.test(url) ? parts.length : -1;
};

/** Needs a connection in any case: its pages import the editor. */
const onlyWithConnection = /^\/assets\/authoring-/;
const imported = /\b(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g;
/**
 * What stored files import although it is not stored, as “file: import”. One such import makes every page of its file unusable offline:
 * this is how the record of a learner was, whose file also held a calendar that shares its drag and drop with the editor.
 */
export const missingImports = (texts: ReadonlyMap<string, string>): string[] =>
  [...texts].flatMap(([url, text]) =>
    onlyWithConnection.test(url) ? [] : [...text.matchAll(imported)].flatMap(([, name]) => (texts.has(`/assets/${name}`) ? [] : [`${url}: ${name}`])),
  );

const checkImports = (folder: string, urls: readonly string[]) => {
  const scripts = urls.filter((url) => /^\/assets\/.*\.js$/.test(url));
  const missing = missingImports(new Map(scripts.map((url) => [url, readFileSync(join(folder, url), 'utf8')])));
  if (missing.length > 0) throw new Error(`Stored files import files that are not stored: ${missing.join(', ')}`);
};

/** The files that the worker stores, in order of need, with their hashes. */
export const shellFiles = (folder: string, urls: readonly string[]): ShellFile[] => {
  checkImports(folder, urls);
  return urls
    .toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
    .map((url) => ({
      url,
      hash: createHash('sha256')
        .update(readFileSync(join(folder, url)))
        .digest('base64'),
      ...(placeOf(url) >= firstForTheOffice ? { later: true as const } : {}),
    }));
};
