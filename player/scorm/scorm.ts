import { type FromPlayer, ToPlayer } from '#contract/bridge.ts';
import { packageFileAt, packageFolder } from '#contract/package-addresses.ts';
import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { courseItem, launchableActivities } from '#contract/rules/package-completion.ts';
import { openChannel } from '../channel.ts';
import { notePackageRuns } from '../tidy.ts';
import { forgetLastWord, keepLastWord, lastWords } from '../last-words.ts';
import type { RunTime } from './run-time.ts';
import { watchPages } from './watch-page.ts';
import type { sequencedCourse } from './sequenced-course.ts';
import { keepWithinLimit } from './within-limit.ts';

/**
 * The page on the content origin that runs a SCORM course. It provides the API that SCOs look for in parent windows, shows one
 * item at a time, and reports their data to the app. It makes no decisions, and stores only what was reported while the tab was
 * closing.
 */
type Play = Extract<ToPlayer, { type: 'play' }>;
type Open = Extract<ToPlayer, { type: 'open' }>;
type Showing = {
  item: ScormActivity;
  session: string;
  runTime: RunTime;
  since: number;
  shown: number;
  ticks: number;
  frame: HTMLIFrameElement;
  key: string;
};

const say = (word: FromPlayer) => channel.say(word);
let play: Play | null = null;
let showing: Showing | null = null;
/** Set if the course's rules determine what comes next. */
let course: ReturnType<typeof sequencedCourse> | null = null;

/** Seconds for which the item was visible. */
const secondsShown = (s: Showing) => (s.shown + (document.hidden ? 0 : performance.now() - s.since)) / 1000;
document.addEventListener('visibilitychange', () => {
  if (!showing) return;
  if (document.hidden) showing.shown += performance.now() - showing.since;
  showing.since = performance.now();
});

const statusOf = ({ item, runTime }: Showing): ReturnType<RunTime['status']> => {
  const status = runTime.status();
  const reached = course?.reached(item.id);
  return {
    ...status,
    completion: reached?.completed ? 'completed' : status.completion,
    success: reached?.satisfied && status.success === 'unknown' ? 'passed' : status.success,
  };
};
const factsOf = (s: Showing, ended: boolean): ScormFacts => {
  s.ticks++;
  const status = statusOf(s);
  return {
    ticks: s.ticks,
    ended: ended || s.runTime.ended(),
    seconds: Math.round(s.runTime.reportedSeconds() ?? secondsShown(s)),
    ...status,
    // An asset is complete once opened; a SCO without a status is incomplete.
    completion: s.item.kind === 'asset' ? 'completed' : status.completion === 'not attempted' ? 'incomplete' : status.completion,
    percent: s.item.kind === 'asset' ? 100 : status.percent,
    cmi: s.runTime.cmi(),
  };
};
/** Set while the tab is closing: SCOs are unloaded after this page, and report while they are. */
let leaving = false;
/** Set while the app could not save the last report. */
let notKept = false;
/** `final`: save it at once. `ended`: nobody works in the item any more. */
const tell = (s: Showing, final: boolean, ended = leaving) => {
  const word = { item_id: s.item.id, session_id: s.session, facts: factsOf(s, ended) };
  if (leaving) keepLastWord(word, word.facts.ticks, s.key);
  say({ type: 'facts', ...word, final });
};
/** SCOs set dozens of values in sequence: they are reported together, or at once on commit. */
const tellSoonMs = 200;
let soon: ReturnType<typeof setTimeout> | undefined;
const heardCall = (s: Showing, final: boolean) => {
  clearTimeout(soon);
  soon = undefined;
  if (final || leaving) tell(s, final);
  else soon = setTimeout(() => showing === s && tell(s, false), tellSoonMs);
};

/** Reports the overall state of a sequenced course, with everything needed to resume it. */
let courseTicks = 0;
const tellCourse = () => {
  if (!course || !play?.course) return;
  const word = { item_id: courseItem, session_id: play.course.session_id, facts: { ticks: ++courseTicks, seconds: 0, ...course.facts() } };
  if (leaving) keepLastWord(word, word.facts.ticks, play.course.key);
  say({ type: 'facts', ...word, final: true });
};
/** The activity to show next, once the SCO that led there has returned from its call. */
let settling: { show: ScormActivity | null } | null = null;
const moved = (show: ScormActivity | null) => {
  if (leaving) return tellCourse();
  if (!settling) setTimeout(settle);
  settling = { show };
};
const settle = () => {
  const show = settling?.show ?? null;
  settling = null;
  if (!course) return;
  if (show || course.ended()) close();
  else if (showing) tell(showing, true);
  tellCourse();
  const { forward, back, choices } = course.ways();
  say({ type: 'course', show: show?.id ?? null, ended: course.ended(), forward, back, choices: [...choices] });
};
const step = ({ to, item_id }: Extract<ToPlayer, { type: 'step' }>) => {
  if (!course) return;
  if (to === 'start' || course.idle()) course.start(item_id ?? undefined);
  else if (to === 'activity') {
    if (item_id !== null && course.ways().choices.has(item_id)) course.step({ to, id: item_id }, close);
  } else course.step({ to }, close);
};

const watch = (frame: HTMLIFrameElement, url: string) => {
  watchPages(frame, (found) => say({ type: 'problem', ...found }), packageFileAt);
  void fetch(url, { method: 'HEAD' }).then(
    (answer) => {
      if (answer.status === 404) say({ type: 'problem', problem: 'missing', detail: packageFileAt(url) });
    },
    () => undefined,
  );
};

const runTimeOf = ({ manifest: { standard } }: { manifest: { standard: string } }) =>
  standard === '1.2' ? import('./run-time-12.ts').then((m) => m.runTime12) : import('./run-time-2004.ts').then((m) => m.runTime2004);
// The URL names what will be needed, so that it loads while app and page are still connecting.
const expected = location.hash.slice(1);
if (expected !== '')
  (expected === 'rules' ? import('./sequenced-course.ts') : runTimeOf({ manifest: { standard: expected } })).catch(() => undefined);

const open = async ({ item_id, session_id, before, key }: Open) => {
  if (!play) return;
  close();
  const item = launchableActivities(play.manifest.activities).find((a) => a.id === item_id);
  if (!item?.href || (course && course.at() !== item_id)) return;
  const launch = { activity: item, learner: play.learner, before };
  const runTime = course ? course.launch(launch) : (await runTimeOf(play))(launch);
  const frame = document.createElement('iframe');
  frame.title = item.title;
  frame.allow = 'autoplay; fullscreen; unload';
  const url = new URL(item.href, new URL(packageFolder(play.tree), location.origin)).href;
  const now: Showing = { item, session: session_id, runTime, since: performance.now(), shown: 0, ticks: 0, frame, key };
  showing = now;
  const holder = window as unknown as Record<string, unknown>;
  holder.API = undefined;
  holder.API_1484_11 = undefined;
  keepWithinLimit(runTime, {
    isKept: () => !notKept,
    full: () => say({ type: 'problem', problem: 'too-large', detail: item.title.slice(0, 300) }),
  });
  holder[runTime.name] = runTime.api;
  // The run-time of a sequenced course continues with the next item.
  runTime.onCall((final) => showing === now && heardCall(now, final));
  frame.src = url;
  document.body.append(frame);
  // The first page keeps this window, so it is watched while it loads.
  watch(frame, url);
  say({ type: 'opened', item_id });
  tell(now, false);
};

/** Unloads the item's page, which may still report, and ends its session. */
const close = () => {
  const now = showing;
  if (!now) return;
  now.frame.remove();
  now.runTime.end();
  tell(now, true, true);
  showing = null;
};

let begun: Promise<void> = Promise.resolve();
const hear = (data: unknown) => {
  const heard = ToPlayer.safeParse(data);
  if (!heard.success) return;
  const word = heard.data;
  if (word.type === 'play') {
    play = word;
    const { manifest, course: left } = word;
    if (!left) {
      // Loads the run-time before the first item is opened.
      runTimeOf(word).catch(() => undefined);
      return;
    }
    begun = import('./sequenced-course.ts').then((m) => {
      course = m.sequencedCourse(manifest, left.before?.cmi ?? null, moved);
    });
  } else if (word.type === 'open') open(word).catch((error) => say({ type: 'problem', problem: 'script', detail: String(error).slice(0, 300) }));
  else if (word.type === 'step')
    void begun.then(() => step(word)).catch((error) => say({ type: 'problem', problem: 'script', detail: String(error).slice(0, 300) }));
  else if (word.type === 'kept') {
    notKept = false;
    forgetLastWord(word.session_id, word.ticks);
  } else if (word.type === 'not-kept') notKept = true;
  else if (word.type === 'close') {
    if (course && !course.idle()) course.step({ to: 'leave' }, close);
    close();
    say({ type: 'closed' });
  }
};
notePackageRuns();
// Stored reports are sent first, because the app resumes from them.
const channel = openChannel(hear, async () => {
  for (const left of lastWords()) say({ type: 'left', ...left });
});
addEventListener('pagehide', () => {
  leaving = true;
  course?.leaving();
  if (showing) tell(showing, true);
  tellCourse();
});
