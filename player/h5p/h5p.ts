import { H5P as Standalone } from 'h5p-standalone';
import frameJs from 'h5p-standalone/dist/frame.bundle.js?url';
import frameCss from 'h5p-standalone/dist/styles/h5p.css?url';
import { type FromPlayer, type LastWord, ToPlayer } from '#contract/bridge.ts';
import { packageFileAt, packageFolder } from '#contract/package-addresses.ts';
import { packageWorkLimitBytes, type Statement } from '#contract/entities/package-work.ts';
import { jsonBytes } from '#contract/rules/bytes.ts';
import { h5pFactsOf } from '#contract/rules/h5p-facts.ts';
import { openChannel } from '../channel.ts';
import { notePackageRuns } from '../tidy.ts';
import { forgetLastWord, keepLastWord, lastWords } from '../last-words.ts';

/**
 * The page on the content origin that runs one H5P activity. It reports the activity's xAPI statements and position to the app,
 * and stores only what was reported while the tab was closing. The activity's code runs in this page, so the page contains
 * nothing that it may not access.
 */
type Activity = Extract<ToPlayer, { type: 'activity' }>;
type H5pWord = Exclude<LastWord, { facts: unknown }>;

/** Activities report every tap. Statements are sent together, or at once when one reports completion. */
const sendAfterMs = 500;
/** The position also changes without a statement. */
const pollMs = 3000;
const measureMs = 100;
const mostStatements = 200;
/** Maximum number of statements stored by a closing tab. */
const mostStored = 5000;
/** Maximum bytes of statements sent together. A single statement or position may be as large as the app accepts. */
const wordBytes = 1_000_000;

const say = (word: FromPlayer) => channel.say(word);
const problem = (kind: Extract<FromPlayer, { type: 'problem' }>['problem'], detail: unknown) =>
  say({ type: 'problem', problem: kind, detail: String(detail).slice(0, 300) });
let showing: Activity | null = null;
const waiting: Statement[] = [];
let state: string | null = null;
let soon: ReturnType<typeof setTimeout> | undefined;
let ticks = 0;
/** Messages that the app has not acknowledged. */
let unacknowledged: H5pWord[] = [];
/** Set while the tab is closing. */
let leaving = false;

/** The position if it has changed; activities may not report it, or may fail to. */
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
/** The waiting statements that fit in one message. */
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
    unacknowledged.push(word);
    say({ type: 'statements', ...word });
  } while (waiting.length > 0);
};
/** Stores unacknowledged messages as a single one for the app's next start, as far as there is space. */
const storeUnacknowledged = () => {
  if (!showing || unacknowledged.length === 0) return;
  const { item_id, session_id, key } = showing;
  const statements = unacknowledged.flatMap((w) => w.statements).slice(-mostStored);
  keepLastWord({ item_id, session_id, ticks, statements, state: unacknowledged.findLast((w) => w.state !== null)?.state ?? null }, ticks, key);
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
    storeUnacknowledged();
  } else if (h5pFactsOf([one]).completed) setTimeout(tell);
  else soon ??= setTimeout(tell, sendAfterMs);
};

/** Editor files that some exports include by mistake: they fail without the editor, and the activity does not need them. */
const isOfEditor = (file: string) => URL.canParse(file) && packageFileAt(file).startsWith('H5PEditor.');

/** Reports errors: failing or missing scripts, and requests to other hosts, which this page's policy blocks. */
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
    // Started below, once its statements are received.
    preventH5PInit: false,
    // The core resumes from a state only if it also saves one; its saving has no effect here.
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
  // Reports the opening, for activities that report nothing.
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
  // Animations change the height with every frame.
  new ResizeObserver(() => {
    if (measuring) return;
    measuring = true;
    setTimeout(measure, measureMs);
  }).observe(place);
  addEventListener('resize', () => {
    for (const instance of core.instances) core.trigger(instance, 'resize');
  });
  setInterval(tell, pollMs);
  say({ type: 'opened', item_id: activity.item_id });
  measure();
};

notePackageRuns();
const channel = openChannel(
  (data) => {
    const heard = ToPlayer.safeParse(data);
    if (!heard.success) return;
    const word = heard.data;
    if (word.type === 'activity') show(word).catch((error) => problem('script', error));
    else if (word.type === 'kept') {
      if (word.session_id === showing?.session_id) unacknowledged = unacknowledged.filter((w) => w.ticks > word.ticks);
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
  storeUnacknowledged();
});
