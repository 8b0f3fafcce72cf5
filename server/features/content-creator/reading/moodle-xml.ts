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
import { GapText } from '#server/features/content-creator/reading/gaps.ts';
import { textOfHtml } from '#server/features/content-creator/reading/html-text.ts';
import { type FindPicture, PictureSlot } from '#server/features/content-creator/reading/picture-slot.ts';
import type { PictureFiles } from '#server/features/content-creator/reading/pictures.ts';
import { tooManyQuestions } from '#server/features/content-creator/reading/too-many.ts';
import { childOf, childrenOf, type XmlElement } from '#server/archives/xml.ts';

const textOf = (element: XmlElement | undefined): string => childOf(element, 'text')?.text ?? '';
const fractionOf = (answer: XmlElement): number => Number(answer.attributes.fraction ?? 0) || 0;

const kindWords: Record<string, string> = {
  calculated: 'A question with calculated numbers',
  calculatedsimple: 'A question with calculated numbers',
  calculatedmulti: 'A question with calculated numbers',
  ddmarker: 'Dragging markers onto a picture',
  ddimageortext: 'Dragging onto a picture',
  coderunner: 'A programming question that is run',
  stack: 'A question that is marked by computer algebra',
  randomsamatch: 'A question put together from others at random',
  random: 'A question drawn at random from a category',
};

type Read = {
  q: XmlElement;
  notes: Notes;
  said: (element: XmlElement | undefined, slot?: PictureSlot) => string;
  find: (element: XmlElement | undefined) => FindPicture;
  /** Room for the picture of the question itself. */
  own: PictureSlot;
  prompt: string;
  title: string;
  feedback: string;
};
/** A text for naming it in a note: anything in it that is not text is noted elsewhere. */
const wordsOf = (element: XmlElement) => textOfHtml(textOf(element)).text;

/** Finds pictures among the files beside a text. */
const filesBeside =
  (pictures: PictureFiles) =>
  (element: XmlElement | undefined): FindPicture => {
    const files = new Map(childrenOf(element, 'file').map((f) => [`${f.attributes.path ?? '/'}${f.attributes.name ?? ''}`.replace(/^\/+/, ''), f]));
    return pictures.finder((path) => {
      const name = /^@@PLUGINFILE@@\/+(.*)$/is.exec(path)?.[1];
      const file = name === undefined ? undefined : files.get(name);
      if (!file) return null;
      return file.attributes.encoding === 'base64'
        ? pictures.embedded(file.text, file.attributes.name ?? '')
        : { why: 'in an encoding that cannot be read' };
    });
  };

/** The common part of Moodle’s choice questions: the options with their feedback. */
const optionsOf = ({ q, said, find, notes }: Read, correct: (fraction: number) => boolean) =>
  childrenOf(q, 'answer').map((a, i) => {
    const slot = new PictureSlot('answer', find(a));
    const feedback = said(childOf(a, 'feedback'));
    return pictured({ id: choiceId(i), text: said(a, slot), correct: correct(fractionOf(a)), feedback }, slot, notes);
  });

/** Typed answers: those with full marks; any others are noted. */
const acceptedOf = ({ q, said, notes }: Read): string[] => {
  const accepted: string[] = [];
  for (const a of childrenOf(q, 'answer')) {
    const text = said(a);
    if (fractionOf(a) >= 100) accepted.push(text);
    else if (fractionOf(a) > 0) notes.say(`Part of the marks for ${quoted(text)} is left behind: it counts as wrong.`);
    notes.leftBehind('What is said to one answer', said(childOf(a, 'feedback')));
    if (text.includes('*') && fractionOf(a) >= 100) notes.say(`The star in ${quoted(text)} stands for a star here, not for any words.`);
  }
  return accepted;
};

/** A text with gaps written as `[[1]]`, which are filled from a list. */
const fromList = ({ prompt, q, notes, said }: Read, list: 'selectoption' | 'dragbox'): { segments: GapText } | { why: string } => {
  const options = childrenOf(q, list).map((o) => ({ text: said(o), group: childOf(o, 'group')?.text ?? '1' }));
  const segments = new GapText();
  for (const [i, part] of prompt.split(/\[\[(\d{1,3})\]\]/).entries()) {
    if (i % 2 === 0) {
      segments.text(part);
      continue;
    }
    const right = options[Number(part) - 1];
    if (!right) return { why: `Its gap ${part} names no answer.` };
    segments.gap([right.text]);
    segments.choices(options.filter((o) => o.group === right.group).map((o) => o.text));
  }
  notes.say('Words are typed into its gaps, not chosen: what there is to choose from stands in brackets.');
  return { segments };
};

/** `{1:SHORTANSWER:=right~wrong}` within a text. */
const embedded = /\{\d*:([A-Z_]+):((?:\\[\s\S]|[^}\\])*)\}/g;
const fromEmbedded = ({ q, notes, own }: Read): { segments: GapText } | { why: string } => {
  const source = textOf(childOf(q, 'questiontext'));
  const segments = new GapText();
  let at = 0;
  for (const found of source.matchAll(embedded)) {
    const [whole, kind = '', inside = ''] = found;
    segments.text(`${notes.html(source.slice(at, found.index), own)} `);
    at = found.index + whole.length;
    if (/^N/.test(kind)) return { why: noCounterpart('A numerical answer within a text') };
    const answers = inside
      .split(/(?<!\\)~/)
      .map((part) => {
        const [, sign = '', percent, rest = ''] = /^(=?)(?:%(-?[\d.]+)%)?(=?[\s\S]*)$/.exec(part.trim()) as RegExpExecArray;
        const [text = '', ...feedback] = rest.replace(/^=/, '').split(/(?<!\\)#/);
        const isRight = sign === '=' || rest.startsWith('=') || percent === '100';
        return { text: notes.html(text.replace(/\\([~=#{}\\"/])/g, '$1')), isRight, percent: Number(percent ?? 0), said: feedback.join('#') };
      })
      .filter((a) => a.text !== '');
    for (const a of answers) {
      notes.leftBehind('What is said to one answer', notes.html(a.said));
      if (!a.isRight && a.percent > 0) notes.say(`Part of the marks for ${quoted(a.text)} is left behind: it counts as wrong.`);
    }
    segments.gap(answers.filter((a) => a.isRight).map((a) => a.text));
    if (/^M/.test(kind)) {
      segments.choices(answers.map((a) => a.text));
      notes.say('Words are typed into its gaps, not chosen: what there is to choose from stands in brackets.');
    }
  }
  segments.text(` ${notes.html(source.slice(at), own)}`);
  return { segments };
};

const candidateOf = (type: string, read: Read): Candidate | { why: string } => {
  const { q, prompt, title, feedback, notes, said } = read;
  const common = { prompt: prompt || title, feedback };
  const gaps = (found: { segments: GapText } | { why: string }): Candidate | { why: string } =>
    'why' in found ? found : { kind: 'fill_gap', prompt: gapPrompt, feedback, segments: found.segments.trimmed };
  switch (type) {
    case 'multichoice': {
      const single = !/^(false|0)$/i.test(childOf(q, 'single')?.text ?? 'true');
      const fractions = childrenOf(q, 'answer').map(fractionOf);
      if (single) {
        if (fractions.filter((f) => f >= 100).length > 1)
          return { why: 'Several of its answers are each right alone. Here one is right, or all have to be chosen.' };
        for (const a of childrenOf(q, 'answer'))
          if (fractionOf(a) > 0 && fractionOf(a) < 100) notes.say(`Part of the marks for ${quoted(wordsOf(a))} is left behind: it counts as wrong.`);
        return { kind: 'single', ...common, options: optionsOf(read, (f) => f >= 100) };
      }
      if (fractions.some((f) => f !== 0 && f !== 100))
        notes.say('Its percentages are left behind: the question is right once all right answers and no others are chosen.');
      return { kind: 'multiple', ...common, options: optionsOf(read, (f) => f > 0) };
    }
    case 'truefalse': {
      for (const a of childrenOf(q, 'answer')) notes.leftBehind(`What is said to “${textOf(a)}”`, said(childOf(a, 'feedback')));
      const right = childrenOf(q, 'answer').find((a) => fractionOf(a) > 0);
      return right ? { kind: 'true_false', ...common, correct: /^true$/i.test(textOf(right)) } : { why: 'It does not say which answer is right.' };
    }
    case 'shortanswer':
      return { kind: 'fill_gap', ...common, segments: [{ gap: 'g1', accepted: acceptedOf(read) }] };
    case 'numerical': {
      const ranges = childrenOf(q, 'answer').some((a) => fractionOf(a) >= 100 && Number(childOf(a, 'tolerance')?.text ?? 0) > 0);
      if (ranges) return { why: noCounterpart('A numerical answer with a range') };
      notes.say('The number has to be typed as it is written here.');
      return { kind: 'fill_gap', ...common, segments: [{ gap: 'g1', accepted: acceptedOf(read) }] };
    }
    case 'matching': {
      const pairs = childrenOf(q, 'subquestion').map((s) => ({ left: said(s), right: said(childOf(s, 'answer')) }));
      for (const { left, right } of pairs) if (left === '') notes.leftBehind('A right side that belongs to nothing', right);
      return { kind: 'match', ...common, pairs: pairs.filter((p) => p.left !== '').map((p, i) => ({ id: choiceId(i), ...p })) };
    }
    case 'ordering':
      return { kind: 'order', ...common, items: childrenOf(q, 'answer').map((a, i) => ({ id: choiceId(i), text: said(a) })) };
    case 'essay':
      notes.leftBehind('What helps to mark it', said(childOf(q, 'graderinfo')));
      notes.leftBehind('What the answer begins with', said(childOf(q, 'responsetemplate')));
      return { kind: 'free_text', ...common, min_words: Math.min(1000, Number(childOf(q, 'minwordlimit')?.text) || 0) };
    case 'gapselect':
      return gaps(fromList(read, 'selectoption'));
    case 'ddwtos':
      return gaps(fromList(read, 'dragbox'));
    case 'cloze':
    case 'multianswer':
      return gaps(fromEmbedded(read));
    case 'gapfill': {
      const [begin = '[', end = ']'] = childOf(q, 'delimitchars')?.text ?? '[]';
      const segments = new GapText();
      let rest = prompt;
      for (let from = rest.indexOf(begin); from >= 0; from = rest.indexOf(begin)) {
        const to = rest.indexOf(end, from + 1);
        if (to < 0) break;
        segments.text(rest.slice(0, from));
        segments.gap(
          rest
            .slice(from + 1, to)
            .split('|')
            .map((word) => word.trim()),
        );
        rest = rest.slice(to + 1);
      }
      segments.text(rest);
      const wrong = childrenOf(q, 'answer')
        .filter((a) => fractionOf(a) <= 0)
        .map((a) => said(a));
      if (wrong.length > 0) notes.leftBehind('What could be chosen wrongly', wrong.join(', '));
      for (const a of childrenOf(q, 'answer')) notes.leftBehind('What is said to one answer', said(childOf(a, 'feedback')));
      return gaps({ segments });
    }
    case 'description':
      return { why: 'It is a text without a question. Put it into a topic.' };
    default:
      return { why: noCounterpart(kindWords[type] ?? `A question of the kind “${type}”`) };
  }
};

const answerNames = ['answer', 'subquestion', 'selectoption', 'dragbox'];
const usual = /^(your answer is (partially )?(correct|incorrect)\.?)?$/i;

const readQuestion = (q: XmlElement, place: string, pictures: PictureFiles): FoundQuestion => {
  const notes = new Notes();
  const type = q.attributes.type ?? '';
  const find = filesBeside(pictures);
  const questionPicture = new PictureSlot('question', find(childOf(q, 'questiontext')));
  const plainText = (element: XmlElement | undefined, slot?: PictureSlot): string => {
    const text = textOf(element);
    const format = element?.attributes.format;
    if (format === 'markdown' && /[*_`#[\]]/.test(text)) notes.say('It is written in Markdown, whose signs stay as they are.');
    return format === 'plain_text' || format === 'markdown'
      ? text
      : notes.html(format === 'moodle_auto_format' ? text.replaceAll('\n', '<br>') : text, slot);
  };
  const title = textOf(childOf(q, 'name'));
  // The text of this kind is read together with its gaps.
  const prompt = type === 'cloze' || type === 'multianswer' ? title : plainText(childOf(q, 'questiontext'), questionPicture);
  const feedback = plainText(childOf(q, 'generalfeedback'));
  const found = candidateOf(type, { q, notes, said: plainText, find, own: questionPicture, prompt, title, feedback });
  // As old versions wrote it.
  const source = childOf(q, 'image')?.text;
  if (source) {
    const base64 = childOf(q, 'image_base64')?.text;
    const old = new PictureSlot('question', () => (base64 ? pictures.embedded(base64, source) : { why: 'not in this file' }));
    old.picture = questionPicture.picture;
    notes.picture({ source, alt: '', decorative: false }, old);
    questionPicture.picture = old.picture;
  }
  for (const name of ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback']) {
    const text = plainText(childOf(q, name));
    if (!usual.test(text))
      notes.leftBehind(
        `What is said to ${name === 'correctfeedback' ? 'right' : name === 'incorrectfeedback' ? 'wrong' : 'partly right'} answers`,
        text,
      );
  }
  for (const hint of childrenOf(q, 'hint')) notes.leftBehind('A hint', plainText(hint));
  const mark = Number(childOf(q, 'defaultgrade')?.text ?? 1);
  if (Number.isFinite(mark) && mark !== 1 && !('why' in found)) notes.say(`It counted ${mark} marks. Here every question counts alike.`);
  if ('why' in found)
    return notTaken(place, prompt || title, found.why, notes, answerNames.map((name) => childrenOf(q, name).length).find((n) => n > 0) ?? 0);
  return foundQuestion(place, found, notes, title, questionPicture);
};

/** Reads the questions of Moodle’s XML; `root` is its `quiz`. */
export const readMoodleXml = (root: XmlElement, pictures: PictureFiles): QuestionFile => {
  const all = childrenOf(root, 'question');
  const questions = all.filter((q) => q.attributes.type !== 'category');
  if (questions.length > questionFileLimits.questions) throw tooManyQuestions(questions.length);
  return {
    ...{ format: 'moodle_xml', title: '' },
    questions: questions.map((q, i) => readQuestion(q, `question ${i + 1}`, pictures)),
    notes: questions.length < all.length ? ['Categories are left behind: questions of a quiz have none.'] : [],
  };
};
