import type { Attempt } from '#contract/entities/attempt.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { always, percent, type Sides, type Words } from '#src/offline/kinds/words.ts';
import type { Entry } from '#src/offline/ports.ts';

const currentOf = (entry: Entry) => (entry.trouble?.current ?? null) as Attempt | null;

const quizSides = (entry: Entry, args: ArgsOf<'attempt.submit_quiz'>): Sides => {
  const last = currentOf(entry)
    ?.submissions.filter((s) => s.quiz_id === args.quiz_id)
    .at(-1);
  return {
    mine: `Handed in ${formatMoment(entry.at)}, ${countOf(Object.keys(args.answers).length, 'answer')}, not marked`,
    theirs: last ? `Handed in ${formatMoment(last.submitted_at)}, ${percent(last.score)}, ${last.passed ? 'passed' : 'not passed'}` : 'Nothing yet',
    keepMine: null,
    keepTheirs: 'Keep the one on the server',
    keptMine: '',
    keptTheirs: 'The other one is kept. Yours stays in the archive.',
  };
};

const resumeSides = (entry: Entry, args: ArgsOf<'attempt.scorm_resume'>, later: readonly Entry[]): Sides | null => {
  const item = currentOf(entry)?.scorm.find((i) => i.item_id === args.item_id);
  const session = item?.sessions.find((s) => s.session_id === args.session_id);
  const theirs = item?.sessions.find((s) => s.session_id === item.resume);
  if (!session || !theirs) return null;
  const minutes = (seconds: number) => countOf(Math.max(1, Math.round(seconds / 60)), 'minute');
  if (later.length > 0) {
    const last = formatMoment((later.at(-1) as Entry).at);
    return {
      mine: `At ${percent(session.percent)}, after ${minutes(session.seconds)}, and begun again here, last on ${last}`,
      theirs: `At ${percent(theirs.percent)}, after ${minutes(theirs.seconds)}, last on ${formatMoment(theirs.at)}`,
      keepMine: 'Go on where you are on this device',
      keepTheirs: `Go on at ${percent(theirs.percent)} (the other device)`,
      keptMine: 'You go on where you are on this device. The other one is kept.',
      keptTheirs: `You go on at ${percent(theirs.percent)}. What you did on this device is kept.`,
    };
  }
  return {
    mine: `At ${percent(session.percent)}, after ${minutes(session.seconds)}, last on ${formatMoment(session.at)}`,
    theirs: `At ${percent(theirs.percent)}, after ${minutes(theirs.seconds)}, last on ${formatMoment(theirs.at)}`,
    keepMine: `Go on at ${percent(session.percent)} (this device)`,
    keepTheirs: `Go on at ${percent(theirs.percent)} (the other device)`,
    keptMine: `You go on at ${percent(session.percent)}. The other one is kept.`,
    keptTheirs: `You go on at ${percent(theirs.percent)}. What you did on this device is kept.`,
  };
};

export const attemptWords: Words<'attempt'> = {
  commands: {
    'attempt.start': { was: 'Starting a course', did: always('started') },
    'attempt.progress': { was: 'Reading a page', did: (n) => countOf(n, 'page') },
    'attempt.answer': { was: 'Answering a question', did: (n) => countOf(n, 'answer') },
    'attempt.submit_quiz': { was: 'Handing in a quiz', did: (n) => (n === 1 ? 'quiz handed in' : `${n} quizzes handed in`) },
    'attempt.scorm_commit': { was: 'Working in a package', did: always('work in a package') },
    'attempt.scorm_resume': { was: 'Going on with a package', did: always('work in a package') },
    'attempt.h5p_statements': { was: 'Working in an activity', did: always('work in an activity') },
    'attempt.h5p_state': { was: 'Working in an activity', did: always('work in an activity') },
  },
  refusals: {
    quiz_try_taken: 'You handed this quiz in on another device first. That one counts. The answers you gave here are kept.',
    no_tries_left: 'The tries for this quiz were used up on another device. The answers you gave here are kept.',
    attempt_closed: 'The course was started again on another device before this arrived. What you did here is kept.',
    begun_after:
      'This course was completed on another device before you began it on this one. What you did here belongs to a new try, and is sent as that.',
    resume_elsewhere: 'You went on with this on another device too. What you did on both counts, and your time is added up. Choose where to go on.',
    prerequisite_missing: 'Another course has to be completed before this one. What you did here is kept: complete the other one, then try again.',
  },
  unnamed: 'A course',
  names: async (db, ids) => (await db.attempts.bulkGet(ids)).flatMap((a) => (a ? [[a.id, a.content_title]] : [])),
  sides: (entry, later) =>
    entry.command === 'attempt.submit_quiz'
      ? quizSides(entry, entry.args as ArgsOf<typeof entry.command>)
      : entry.command === 'attempt.scorm_resume'
        ? resumeSides(entry, entry.args as ArgsOf<typeof entry.command>, later)
        : null,
  results: async (db, received) => {
    const handedIn = new Map(received.filter((e) => e.command === 'attempt.submit_quiz').map((e) => [e.id, e.sentence]));
    return (await db.quizSubmissions.bulkGet([...handedIn.keys()])).flatMap((s) =>
      s?.graded
        ? [{ id: s.id, title: handedIn.get(s.id) ?? '', words: `${s.graded.passed ? 'Passed' : 'Not passed'}, ${percent(s.graded.score)}` }]
        : [],
    );
  },
};
