import { H5P as Standalone } from 'h5p-standalone';
import frameJs from 'h5p-standalone/dist/frame.bundle.js?url';
import frameCss from 'h5p-standalone/dist/styles/h5p.css?url';
import { type FromPlayer, type LastWord, ToPlayer } from '#contract/bridge.ts';
import { packageFileAt, packageFolder } from '#contract/package-addresses.ts';
import { packageWorkLimitBytes, type Statement } from '#contract/entities/package-work.ts';
import { jsonBytes } from '#contract/rules/bytes.ts';
import { h5pFactsOf } from '#contract/rules/h5p-facts.ts';
import { openChannel } from '../channel.ts';
import { forgetLastWord, keepLastWord, lastWords } from '../last-words.ts';

/**
 * The page on the content origin in which one H5P activity runs: it tells the app what the activity reports (xAPI) and
 * where the person is in it, and keeps only what is said while the tab is being closed. The activity's code runs in this
 * very page: nothing is here that it may not have.
 */
type Activity = Extract<ToPlayer, { type: 'activity' }>;
type H5pWord = Exclude<LastWord, { facts: unknown }>;

/** An activity reports every press; its reports are told together, unless one says that it is finished. */
const tellMs = 500;
/** Where the person is changes without a report, too. */
const lookMs = 3000;
const measureMs = 100;
const mostStatements = 200;
/** How many a tab that is being closed can leave behind. */
const mostLeft = 5000;
/** Bytes of reports that are told together; of one report, and of where the person is, as much as the app takes. */
const wordBytes = 1_000_000;

const say = (word: FromPlayer) => channel.say(word);
const problem = (kind: Extract<FromPlayer, { type: 'problem' }>['problem'], detail: unknown) =>
  say({ type: 'problem', problem: kind, detail: String(detail).slice(0, 300) });
let showing: Activity | null = null;
const waiting: Statement[] = [];
let state: string | null = null;
let soon: ReturnType<typeof setTimeout> | undefined;
let ticks = 0;
/** What has been told, and the app has not yet said that it has it. */
let unkept: H5pWord[] = [];
/** Set while the tab is being closed. */
let leaving = false;

/** Where the person is, where that has changed; an activity may say nothing of it, and may fail at it. */
const newState = (): string | null => {
  try {
    const now = window.H5P?.instances[0]?.getCurrentState?.();
    const text = now === undefined || now === null ? null : JSON.stringify(now);
    if (!text || text === state) return null;
    state = text;
    if (jsonBytes(text) <= packageWorkLimitBytes) return text;
    problem('too-large', showing?.title ?? '');
    return null;
  } catch {
    return null;
  }
};
/** As many of the reports that wait as go into one word. */
const nextStatements = (): Statement[] => {
  let bytes = 0;
  let count = 0;
  for (const s of waiting.slice(0, mostStatements)) {
    bytes += jsonBytes(s);
    if (count > 0 && bytes > wordBytes) break;
    count++;
  }
  return waiting.splice(0, count);
};
const tell = () => {
  clearTimeout(soon);
  soon = undefined;
  if (!showing) return;
  const { item_id, session_id } = showing;
  const now = newState();
  if (waiting.length === 0 && now === null) return;
  do {
    const statements = nextStatements();
    const word: H5pWord = { item_id, session_id, ticks: ++ticks, statements, state: waiting.length === 0 ? now : null };
    unkept.push(word);
    say({ type: 'statements', ...word });
  } while (waiting.length > 0);
};
/** What the app may not have heard is kept until its next start, as one word: all of it, as far as there is room. */
const keepUnkept = () => {
  if (!showing || unkept.length === 0) return;
  const { item_id, session_id, key } = showing;
  const statements = unkept.flatMap((w) => w.statements).slice(-mostLeft);
  keepLastWord({ item_id, session_id, ticks, statements, state: unkept.findLast((w) => w.state !== null)?.state ?? null }, ticks, key);
};
const note = (verb: string, statement: Record<string, unknown>) => {
  const { actor: _, ...said } = JSON.parse(JSON.stringify(statement)) as Record<string, unknown>;
  const one: Statement = { id: crypto.randomUUID(), at: new Date().toISOString(), verb: verb.slice(0, 1000), statement: said };
  if (jsonBytes(one) > packageWorkLimitBytes) {
    problem('too-large', showing?.title ?? '');
    return;
  }
  waiting.push(one);
  if (leaving) {
    tell();
    keepUnkept();
  } else if (h5pFactsOf([one]).completed) setTimeout(tell);
  else soon ??= setTimeout(tell, tellMs);
};

/** Parts of the editor that an activity has brought along by mistake: they fail without it, and the activity does not need them. */
const isOfEditor = (file: string) => URL.canParse(file) && packageFileAt(file).startsWith('H5PEditor.');

/** Names what goes wrong: a script that throws or is missing, and requests to elsewhere, which the policy of this page stops. */
const watch = () => {
  addEventListener(
    'error',
    (event) => {
      const source =
        event.target instanceof HTMLScriptElement ? event.target.src : event.target instanceof HTMLLinkElement ? event.target.href : null;
      if (source) problem('missing', packageFileAt(source));
      else if (event instanceof ErrorEvent && !isOfEditor(event.filename)) problem('script', event.message);
    },
    true,
  );
  addEventListener('unhandledrejection', (event) => problem('script', event.reason));
  document.addEventListener('securitypolicyviolation', (event) => {
    if (/^https?:/.test(event.blockedURI)) problem('blocked', new URL(event.blockedURI).host);
  });
};
const iri = (itemId: string) => `urn:lantern:h5p:${encodeURIComponent(itemId)}`;

const show = async (activity: Activity) => {
  if (showing) return;
  showing = activity;
  state = activity.state;
  watch();
  const place = document.querySelector('#activity') as HTMLElement;
  await new Standalone(place, {
    id: 'activity',
    h5pJsonPath: packageFolder(activity.tree).replace(/\/$/, ''),
    frameJs,
    frameCss,
    embedType: 'div',
    // It is begun below, when its reports are heard.
    preventH5PInit: false,
    // The core takes up an earlier state only where it would save one itself; its own saving ends in nothing here.
    saveFreq: 3600,
    title: activity.title,
    xAPIObjectIRI: iri(activity.item_id),
    ...(activity.state === null ? {} : { contentUserData: [{ state: activity.state }] }),
  });
  const core = window.H5P;
  if (!core) throw new Error('The player of H5P activities is not here.');
  core.error = (message) => problem('script', message);
  core.externalDispatcher.on('xAPI', ({ data: { statement } }) =>
    note(String((statement.verb as { id?: unknown } | undefined)?.id ?? ''), statement),
  );
  core.preventInit = false;
  core.init(document.body);
  // That it was opened is known also of an activity that reports nothing.
  const verb = 'http://adlnet.gov/expapi/verbs/initialized';
  note(verb, { verb: { id: verb, display: { 'en-US': 'initialized' } }, object: { id: iri(activity.item_id), objectType: 'Activity' } });
  let height = 0;
  let measuring = false;
  const measure = () => {
    measuring = false;
    const now = Math.ceil(place.getBoundingClientRect().height);
    if (now !== height) say({ type: 'height', height: now });
    height = now;
  };
  // What moves changes its height with every picture.
  new ResizeObserver(() => {
    if (measuring) return;
    measuring = true;
    setTimeout(measure, measureMs);
  }).observe(place);
  addEventListener('resize', () => {
    for (const instance of core.instances) core.trigger(instance, 'resize');
  });
  setInterval(tell, lookMs);
  say({ type: 'opened', item_id: activity.item_id });
  measure();
};

const channel = openChannel(
  (data) => {
    const heard = ToPlayer.safeParse(data);
    if (!heard.success) return;
    const word = heard.data;
    if (word.type === 'activity') show(word).catch((error) => problem('script', error));
    else if (word.type === 'kept') {
      if (word.session_id === showing?.session_id) unkept = unkept.filter((w) => w.ticks > word.ticks);
      forgetLastWord(word.session_id, word.ticks);
    } else if (word.type === 'close') {
      tell();
      say({ type: 'closed' });
    }
  },
  async () => {
    for (const left of lastWords()) say({ type: 'left', ...left });
  },
);
document.addEventListener('visibilitychange', () => document.hidden && tell());
addEventListener('pagehide', () => {
  leaving = true;
  tell();
  keepUnkept();
});
