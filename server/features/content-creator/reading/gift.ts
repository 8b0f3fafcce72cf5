import { type FoundQuestion, type QuestionFile, questionFileLimits } from '#contract/entities/question-file.ts';
import {
  type Candidate,
  choiceId,
  foundQuestion,
  gapPrompt,
  noCounterpart,
  Notes,
  notTaken,
  pictured,
  quoted,
} from '#server/features/content-creator/reading/found-question.ts';
import { textOfHtml } from '#server/features/content-creator/reading/html-text.ts';
import { type FindPicture, PictureSlot } from '#server/features/content-creator/reading/picture-slot.ts';
import { tooManyQuestions } from '#server/features/content-creator/reading/too-many.ts';

/**
 * GIFT, as documented by Moodle: questions separated by blank lines, each a text with its answers in braces. Characters escaped by a
 * backslash have no special meaning; while a question is read they are mapped to characters that no text contains.
 */
const escapable = '~=#{}:\\n';
const moved = 0xe000;
const lineBreak = escapable.length - 1;
const escaped = (text: string): string =>
  text.replace(/[\ue000-\ue007]/g, '\ufffd').replace(/\\([~=#{}:\\n])/g, (_, c: string) => String.fromCharCode(moved + escapable.indexOf(c)));
const restored = (text: string, newLine: string): string =>
  text.replace(/[\ue000-\ue007]/g, (c) => (c.charCodeAt(0) - moved === lineBreak ? newLine : (escapable[c.charCodeAt(0) - moved] as string)));

const blankInText = ' _____ ';
const trueFalse = /^(TRUE|FALSE|T|F)\s*(?=#|$)/i;
const format = /^\s*\[(html|moodle|plain|markdown)\]/i;

type Answer = { right: boolean; percent: number | null; text: string; feedback: string };

/** A number without a tolerance of nothing: `3:0` is `3`. In one pass, however many blanks or zeros there are. */
const withoutTolerance = (text: string): string => {
  const at = text.lastIndexOf(':');
  return at >= 0 && /^0*(?:\.0*)?$/.test(text.slice(at + 1).trim()) ? text.slice(0, at).trim() : text.trim();
};

/** The answers of a list `=right ~wrong`, with their percentages and feedback. */
const answersIn = (source: string): Answer[] =>
  (source.match(/[=~][^=~]*/g) ?? []).map((part) => {
    const [, sign, percent, rest = ''] = /^([=~])\s*(?:%(-?\d+(?:\.\d+)?)%)?([\s\S]*)$/.exec(part) as RegExpExecArray;
    const cut = rest.indexOf('#');
    return {
      right: sign === '=',
      percent: percent === undefined ? null : Number(percent),
      text: (cut < 0 ? rest : rest.slice(0, cut)).trim(),
      feedback: cut < 0 ? '' : rest.slice(cut + 1).trim(),
    };
  });

/** Parses one question. `source` has no comments and no category. */
const readQuestion = (source: string, place: string, find: FindPicture): FoundQuestion => {
  const notes = new Notes();
  const questionPicture = new PictureSlot('question', find);
  let rest = escaped(source.trim());
  let title = '';
  const named = /^::([\s\S]*?)::/.exec(rest);
  if (named) {
    title = restored(named[1] as string, ' ').trim();
    rest = rest.slice(named[0].length);
  }
  const written = format.exec(rest)?.[1]?.toLowerCase() ?? 'moodle';
  rest = rest.replace(format, '');
  /** A text of the question: in its own format or the question’s. */
  const plainText = (text: string, slot?: PictureSlot): string => {
    const as = format.exec(text)?.[1]?.toLowerCase() ?? written;
    const isMarked = as === 'html' || as === 'moodle';
    const bare = restored(text.replace(format, ''), isMarked ? '<br>' : '\n').trim();
    if (as === 'markdown' && /[*_`#[\]]/.test(bare)) notes.say('It is written in Markdown, whose signs stay as they are.');
    return isMarked ? notes.html(bare, slot) : bare;
  };

  /** The same for naming it in a note: anything in it that is not text is noted elsewhere. */
  const words = (text: string): string => textOfHtml(restored(text.replace(format, ''), ' ')).text;

  const begins = rest.indexOf('{');
  const ends = rest.lastIndexOf('}');
  if (begins < 0 && ends < 0) return notTaken(place, plainText(rest), 'It is a text without a question. Put it into a topic.', notes);
  if (begins < 0 || ends < begins) return notTaken(place, plainText(rest), 'One of its braces { } is missing.', notes);
  const before = plainText(rest.slice(0, begins), questionPicture);
  const after = plainText(rest.slice(ends + 1), questionPicture);
  const inside = rest.slice(begins + 1, ends);
  const cut = inside.indexOf('####');
  const feedback = cut < 0 ? '' : plainText(inside.slice(cut + 4));
  const answer = (cut < 0 ? inside : inside.slice(0, cut)).trim();
  // After the answers, characters are special only where the question has ended.
  const isSentence = after !== '' && !/^[.?!:;,]$/.test(after);
  const prompt = isSentence ? `${before}${blankInText}${after}`.trim() : before;
  const done = (candidate: Candidate) => foundQuestion(place, candidate, notes, title, questionPicture);
  const common = { prompt: prompt || title, feedback };
  const refused = (why: string, answers = 0) => notTaken(place, common.prompt, why, notes, answers);
  if (/[{}]/.test(answer)) return refused('It has braces { } within braces. Divide it, or write \\{ for a brace.');
  const gap = (accepted: string[]): Candidate => ({
    ...{ kind: 'fill_gap', feedback },
    ...(isSentence
      ? { prompt: title && title !== before ? title : gapPrompt, segments: [before ? `${before} ` : '', { gap: 'g1', accepted }, ` ${after}`] }
      : { prompt: common.prompt, segments: [{ gap: 'g1', accepted }] }),
  });

  if (answer === '') return done({ kind: 'free_text', ...common, min_words: 0 });

  if (answer.startsWith('#')) {
    const numbers = answer.slice(1).trim();
    const listed = /^[=~]/.test(numbers) ? answersIn(numbers) : answersIn(`=${numbers}`);
    const isFull = (a: Answer) => a.right && (a.percent ?? 100) === 100;
    const full = listed.filter(isFull);
    const isRange = ({ text }: Answer) => /\.\./.test(text) || Number(/:\s*([\d.]+)\s*$/.exec(restored(text, ' '))?.[1] ?? 0) > 0;
    if (full.some(isRange)) return refused(noCounterpart('A numerical answer with a range'), listed.length);
    const accepted = full.map(({ text }) => withoutTolerance(text));
    for (const a of listed) {
      if (!isFull(a) && (a.percent ?? 0) > 0) notes.say(`Part of the marks for ${quoted(restored(a.text, ' '))} is left behind: it counts as wrong.`);
      notes.leftBehind('What is said to one answer', plainText(a.feedback));
    }
    if (accepted.length === 0 || accepted.some((n) => !/^[-+]?\d+([.,]\d+)?(e[-+]?\d+)?$/i.test(n)))
      return refused('Its number cannot be read.', listed.length);
    notes.say('The number has to be typed as it is written here.');
    return done(gap(accepted));
  }

  const truth = trueFalse.exec(answer);
  if (truth) {
    const correct = (truth[1] as string)[0]?.toUpperCase() === 'T';
    const [wrong = '', right = ''] = answer.slice(truth[0].length).split('#').slice(1);
    notes.leftBehind('What is said about a wrong answer', plainText(wrong));
    notes.leftBehind('What is said about a right answer', plainText(right));
    return done({ kind: 'true_false', ...common, correct });
  }

  // A single word without a marker is the correct one.
  const listed = /^[=~]/.test(answer) ? answersIn(answer) : /[=~]/.test(answer) ? null : answersIn(`=${answer}`);
  if (!listed) return refused('Its first answer has no sign: write = before a right answer and ~ before a wrong one.');

  if (listed.every((a) => a.right) && listed.some((a) => a.text.includes('->'))) {
    const sides = listed.map((a) => {
      const at = a.text.indexOf('->');
      return at < 0 ? null : { left: plainText(a.text.slice(0, at)), right: plainText(a.text.slice(at + 2)) };
    });
    if (sides.some((s) => s === null)) return refused('One of its pairs has no arrow -> between its sides.', listed.length);
    const pairs = sides.flatMap((s) => s ?? []);
    for (const { left, right } of pairs) if (left === '') notes.leftBehind('A right side that belongs to nothing', right);
    return done({ kind: 'match', ...common, pairs: pairs.filter((p) => p.left !== '').map((p, i) => ({ id: choiceId(i), ...p })) });
  }

  if (listed.every((a) => a.right)) {
    const isFull = (a: Answer) => (a.percent ?? 100) === 100;
    const full = listed.filter(isFull);
    for (const a of listed) {
      if (!isFull(a) && a.percent !== 0) notes.say(`Part of the marks for ${quoted(words(a.text))} is left behind: it counts as wrong.`);
      notes.leftBehind('What is said to one answer', plainText(a.feedback));
      if (/\*/.test(a.text)) notes.say(`The star in ${quoted(words(a.text))} stands for a star here, not for any words.`);
    }
    return done(gap(full.map((a) => plainText(a.text))));
  }

  const rights = listed.filter((a) => a.right);
  const isSingle = rights.length > 0;
  if (rights.length > 1) return refused('Several of its answers are each right alone. Here one is right, or all have to be chosen.', listed.length);
  const correct = (a: Answer) => (isSingle ? a.right : (a.percent ?? 0) > 0);
  for (const a of listed) {
    const part = a.percent ?? (a.right ? 100 : 0);
    if (isSingle && !a.right && part > 0) notes.say(`Part of the marks for ${quoted(words(a.text))} is left behind: it counts as wrong.`);
  }
  if (!isSingle && listed.some((a) => a.percent !== null))
    notes.say('Its percentages are left behind: the question is right once all right answers and no others are chosen.');
  const options = listed.map((a, i) => {
    const slot = new PictureSlot('answer', find);
    return pictured({ id: choiceId(i), text: plainText(a.text, slot), correct: correct(a), feedback: plainText(a.feedback) }, slot, notes);
  });
  if (options.filter((o) => o.correct).length === 0) return refused('It does not say which answer is right.', options.length);
  return done({ kind: isSingle ? 'single' : 'multiple', ...common, options });
};

const openBraces = (text: string): number => {
  const signs = text.replace(/\\[\s\S]/g, '');
  return (signs.match(/\{/g)?.length ?? 0) - (signs.match(/\}/g)?.length ?? 0);
};

/** Reads a GIFT file. */
export const readGift = (source: string, find: FindPicture): QuestionFile => {
  const chunks: string[] = [];
  let categories = 0;
  let lines: string[] = [];
  let open = 0;
  const end = () => {
    if (lines.some((line) => line.trim() !== '')) chunks.push(lines.join('\n'));
    lines = [];
    open = 0;
  };
  for (const line of source.split(/\r\n|\r|\n/)) {
    const bare = line.trim();
    if (bare.startsWith('//')) continue;
    if (/^\$CATEGORY:/i.test(bare)) {
      categories += 1;
      continue;
    }
    if (bare === '') {
      // The answers of one question may contain a blank line.
      if (open <= 0) end();
      continue;
    }
    // A brace that was never closed: the rest is the next question.
    if (open > 0 && /^::/.test(bare)) end();
    lines.push(line);
    open += openBraces(line);
  }
  end();
  if (chunks.length > questionFileLimits.questions) throw tooManyQuestions(chunks.length);
  return {
    ...{ format: 'gift', title: '' },
    questions: chunks.map((chunk, i) => readQuestion(chunk, `question ${i + 1}`, find)),
    notes: categories > 0 ? ['Categories are left behind: questions of a quiz have none.'] : [],
  };
};
