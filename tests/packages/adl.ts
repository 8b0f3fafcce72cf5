import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScormActivity, ScormManifest } from '#contract/entities/package.ts';
import { courseItem } from '#contract/rules/package-completion.ts';
import { type Step, sequencedCourse } from '#player/scorm/sequenced-course.ts';
import { nameOf } from '#player/scorm/sequencing/definition.ts';
import { openArchive } from '#server/archives/archive.ts';
import { manifestFile, readScormManifest } from '#server/features/packages/scorm-manifest.ts';

/**
 * Plays the test cases of the ADL suite for SCORM 2004 4th edition against our player's run-time and rules: what each SCO
 * calls, and what the learner does in between. Every return, value, error code, way out and next activity is compared.
 *
 * A test case is a file of its suite: `Act2V1.commands.0=SET->c~SS!pass->t->0` is the first call of the first visit to
 * activity 2 with what it has to return and the error after it; words are short for those in Commands.properties.
 */

/** Reads a file of names and values as Java writes them. */
const properties = (text: string): [string, string][] => {
  const lines = text
    .replace(/\r/g, '')
    .replace(/\\\n[ \t]*/g, '')
    .split('\n');
  const value = (v: string) =>
    v.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))).replace(/\\(.)/g, '$1');
  return lines.flatMap((line) => {
    if (line.startsWith('#') || !line.includes('=')) return [];
    const at = line.indexOf('=');
    return [[line.slice(0, at).trim(), value(line.slice(at + 1))]];
  });
};

type Visit = { key: string; act: string; commands: string[]; questions: string[]; answers: string[]; instruction: string | null };
const visitsOf = (lines: [string, string][]): Visit[] => {
  const visits: Visit[] = [];
  for (const [name, value] of lines) {
    const found = /^Act(\w+?)V(\d+)\.(commands\.\d+|UIQ|UIA|CUI)$/.exec(name);
    if (!found) continue;
    const [, act = '', no, what = ''] = found;
    const key = `${act}V${no}`;
    // A visit with the same name that starts again is a separate one.
    let visit = visits.at(-1);
    if (!visit || visit.key !== key || (what === 'commands.0' && visit.commands.length > 0)) {
      visit = { key, act, commands: [], questions: [], answers: [], instruction: null };
      visits.push(visit);
    }
    if (what === 'UIQ') visit.questions = value.split('~');
    else if (what === 'UIA') visit.answers = value.split('~');
    else if (what === 'CUI') visit.instruction = value;
    else visit.commands.push(value);
  }
  return visits;
};

const seconds = (text: string): number | null => {
  const parts = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text);
  if (!parts) return null;
  const [y = 0, mo = 0, d = 0, h = 0, m = 0, s = 0] = parts.slice(1).map((p) => Number(p ?? 0));
  return (((y * 365 + mo * 30 + d) * 24 + h) * 60 + m) * 60 + s;
};
const same = (seen: string, expected: string): boolean => {
  if (seen === expected) return true;
  if (seen.trim() !== '' && expected.trim() !== '' && Number(seen) === Number(expected)) return true;
  const both = [seconds(seen), seconds(expected)];
  return both[0] !== null && both[0] === both[1];
};

type Failure = string;
type Api = Record<'Initialize' | 'Terminate' | 'Commit' | 'GetValue' | 'GetErrorString' | 'GetDiagnostic', (a: string) => string> & {
  SetValue: (a: string, b: string) => string;
  GetLastError: () => string;
};

/** Runs one test case. Returns the deviations; empty if there are none. */
const play = (manifest: ScormManifest, lines: [string, string][], words: Map<string, string>): Failure | null => {
  const word = (w: string) => words.get(w) ?? w;
  const all = (list: readonly ScormActivity[]): ScormActivity[] => list.flatMap((a) => [a, ...all(a.children)]);
  const titled = (title: string) =>
    title.startsWith('the activity that corresponds to the root') || title.trim() === manifest.title
      ? courseItem
      : (all(manifest.activities).find((a) => a.title.trim() === title.trim())?.id ?? title);
  const actOf = (a: ScormActivity | null) => new URLSearchParams((a?.href ?? '').split('?')[1] ?? '').get('act');

  let delivered: ScormActivity | null = null;
  let told = false;
  const begin = (state: Record<string, string> | null) =>
    sequencedCourse(manifest, state, (activity) => {
      delivered = activity;
      told = activity !== null;
    });
  let course = begin(null);
  const kept = new Map<string, { cmi: Record<string, string>; seconds: number }>();
  // A case that reads who learns expects the learner whom it is to be played as.
  const expectedOf = (element: string) =>
    lines.flatMap(([, command]) => (command.startsWith(`GET->c~${element}->`) ? (command.split('->')[2] ?? '') : [])).find((text) => text !== '');
  const learner = { id: expectedOf('LI') ?? 'learner', name: expectedOf('LN') ?? 'Learner' };

  const api = () => course.api as unknown as Api;
  const indexed = (path: string): string => {
    const parts = /^(.*)\.&([^&]*)&(.*)$/.exec(path);
    if (!parts) return path;
    const [, list = '', id = '', rest = ''] = parts;
    const count = Number(api().GetValue(`${list}._count`));
    const ids = Array.from({ length: count }, (_, i) => api().GetValue(`${list}.${i}.id`));
    // As it is written, or as what it stands for.
    const at = [ids.indexOf(id), ids.findIndex((one) => nameOf(one) === nameOf(id))].find((i) => i >= 0);
    if (at !== undefined) return `${list}.${at}${rest}`;
    return `${list}.${count}${rest}`;
  };
  const pathOf = (text: string): string =>
    text
      .replace(/tar~([^~]+)/, '{target=$1}')
      .split('~')
      .map(word)
      .join('.');
  const meant = (text: string): string => (text.startsWith('tar~') ? `{target=${text.split('~')[1]}}${word(text.split('~')[2] ?? '')}` : word(text));

  const run = (command: string): Failure | null => {
    const [call = '', argument = '', expected = '', code = '0'] = command.split('->');
    let seen = '';
    let wanted: string | null = word(expected);
    if (call === 'I') seen = api().Initialize(argument);
    else if (call === 'T') seen = api().Terminate(argument);
    else if (call === 'C') seen = api().Commit(argument);
    else if (call === 'GLE') seen = api().GetLastError();
    else if (call === 'GES') seen = api().GetErrorString(argument);
    else if (call === 'GeDi') seen = api().GetDiagnostic(argument);
    else if (call === 'COI') {
      const count = Number(api().GetValue('cmi.objectives._count'));
      const ids = Array.from({ length: count }, (_, i) => nameOf(api().GetValue(`cmi.objectives.${i}.id`))).sort();
      return ids.join() === argument.split(',').map(nameOf).sort().join() ? null : `objectives are ${ids.join()}, not ${argument}`;
    } else if (call === 'GET') {
      const path = indexed(pathOf(argument));
      seen = api().GetValue(path);
      // An identifier is asked for to find its place.
      if (/^cmi\.(objectives|interactions)\.\d+\.id$|^adl\.data\.\d+\.id$/.test(path) && expected === '') wanted = null;
    } else if (call === 'SET') {
      const at = argument.indexOf('!');
      seen = api().SetValue(at === 0 ? '' : indexed(pathOf(argument.slice(0, at))), meant(argument.slice(at + 1)));
    } else return `unknown call ${call}`;
    const error = ['GLE', 'GES', 'GeDi'].includes(call) ? null : api().GetLastError();
    const fits = expected === 'less255' ? seen.length <= 255 : expected === 'emptyCS' ? seen === '' : wanted === null || same(seen, wanted);
    if (!fits) return `${command}: “${seen.slice(0, 60)}” instead of “${(wanted ?? '').slice(0, 60)}”`;
    if (error !== null && error !== code) return `${command}: error ${error} instead of ${code}`;
    return null;
  };
  const asks = (question: string, answer: string): Failure | null => {
    const [control = '', title = ''] = question.split('@');
    const ways = course.ways();
    const open = control.startsWith('continue')
      ? ways.forward
      : control.startsWith('previous')
        ? ways.back
        : title === ''
          ? ways.choices.size > 2
          : ways.choices.has(titled(title));
    const yes = control.endsWith('.disabled') ? !open : open;
    return yes === (answer === 'Y') ? null : `${question}: ${yes ? 'yes' : 'no'} instead of ${answer}`;
  };
  const relaunch = (from?: string) => {
    course = begin(course.facts().cmi);
    told = false;
    delivered = null;
    course.start(from);
  };

  const start = lines.find(([n]) => n === 'start')?.[1]?.trim() ?? '.';
  course.start(start === '.' || start === '' ? undefined : titled(start));
  const visits = visitsOf(lines);
  for (const [i, visit] of visits.entries()) {
    const here = `visit ${i + 1} (activity ${visit.act})`;
    const now = delivered as ScormActivity | null;
    if (!told || now === null || actOf(now) !== visit.act) return `${here}: ${now ? `“${now.title}” came instead` : 'nothing was delivered'}`;
    const runTime = course.launch({ activity: now, learner, before: kept.get(now.id) ?? null });
    told = false;
    delivered = null;
    for (const [n, question] of visit.questions.entries()) {
      const wrong = asks(question, visit.answers[n] ?? '');
      if (wrong) return `${here}: ${wrong}`;
    }
    for (const command of visit.commands) {
      const wrong = run(command);
      if (wrong) return `${here}: ${wrong}`;
    }
    const resumed = api().GetValue('cmi.entry') === 'resume';
    const before = resumed ? (kept.get(now.id)?.seconds ?? 0) : 0;
    // What the SCO asks for happens when it ends; where the learner is told to do something, it ends by being taken away.
    const [instruction = '', title = '', part = ''] = (visit.instruction ?? '').split('~');
    const last = i === visits.length - 1;
    const leave = () => {
      if (course.api.isInitialized()) api().Terminate('');
    };
    const asked = ((): Step | null => {
      if (instruction === 'Continue' || instruction === 'ContinueExitCM8') return { to: 'forward' };
      if (instruction === 'Previous') return { to: 'back' };
      if (instruction === 'Choice' || instruction === 'ChoiceExit') return { to: 'activity', id: titled(title) };
      if (instruction === 'TRIGExitAll' || /^Exit/.test(instruction)) return { to: 'end' };
      if (instruction === 'SuspendCM09ca') return { to: 'leave' };
      if (instruction.startsWith('APIt')) return { to: 'activity', id: titled(`API Implementation Test ${instruction.slice(4)}`) };
      return null;
    })();
    const { reportedSeconds, cmi } = runTime;
    const close = () => {
      leave();
      kept.set(now.id, { cmi: cmi(), seconds: before + (reportedSeconds() ?? 0) });
    };
    if (asked) course.step(asked, close);
    else close();
    // The part is taken away, and the learner chooses the course itself in the session that goes on.
    if (instruction === 'RootSX4b') course.step({ to: 'activity', id: courseItem }, () => undefined);
    if (instruction === 'AutoTest' && !course.ended()) return `${here}: the course has not ended`;
    if (!last && /^(Re[Ll]aunch|relaunch|Exit|ContinueExit|ChoiceExit|Suspend|DMBx|autoend|exitlaunch|launch)/.test(instruction))
      relaunch(
        instruction === 'RelaunchCM10'
          ? titled('Activity 4')
          : instruction === 'DMBxAct'
            ? titled('Data Model Behavior Test 1')
            : instruction.endsWith('nchoose')
              ? titled(part)
              : undefined,
      );
  }
  return null;
};

const [folder = '', suite = '', only = ''] = process.argv.slice(2);
if (!folder || !suite) {
  process.stderr.write('npm run adl -- PACKAGES SUITE [CASE]\n');
  process.exit(2);
}
const words = new Map(properties(readFileSync(join(suite, 'Commands.properties'), 'latin1')));
/** The cases by name, from every archive in the folder of the suite, whatever these are called. */
const cases = new Map<string, string>();
for (const file of readdirSync(suite).filter((f) => f.endsWith('.zip'))) {
  const archive = await openArchive(join(suite, file));
  for (const [path, entry] of archive.files) {
    const name = /([^/]+)\.properties$/.exec(path)?.[1];
    if (name) cases.set(name, (await archive.read(entry)).toString('latin1'));
  }
  archive.close();
}
let passed = 0;
let failed = 0;
for (const file of readdirSync(folder)
  .filter((f) => f.endsWith('.zip'))
  .sort()) {
  const name = file.replace(/^LMSTestPackage_|\.zip$/g, '');
  if (only && only !== name) continue;
  const listed = cases.get(name);
  let wrong: Failure | null;
  try {
    if (!listed) wrong = 'the suite has no case of this name';
    else {
      const archive = await openArchive(join(folder, file));
      const entry = archive.files.get(manifestFile);
      const { manifest } = readScormManifest(entry ? await archive.read(entry) : Buffer.alloc(0), new Set(archive.files.keys()));
      archive.close();
      wrong = play(manifest, properties(listed), words);
    }
  } catch (error) {
    wrong = error instanceof Error ? (only ? (error.stack ?? error.message) : error.message) : String(error);
  }
  if (wrong) failed++;
  else passed++;
  process.stdout.write(`${wrong ? 'FAIL' : 'ok  '} ${name}${wrong ? `: ${wrong}` : ''}\n`);
}
process.stdout.write(`passed ${passed}, failed ${failed}\n`);
