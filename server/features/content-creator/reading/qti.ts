import type { FoundQuestion } from '#contract/entities/question-file.ts';
import {
  type Candidate,
  choiceId,
  foundQuestion,
  gapPrompt,
  noCounterpart,
  Notes,
  notTaken,
  pictured,
} from '#server/features/content-creator/reading/found-question.ts';
import { GapText } from '#server/features/content-creator/reading/gaps.ts';
import { type FindPicture, PictureSlot } from '#server/features/content-creator/reading/picture-slot.ts';
import { allOf, childOf, childrenOf, type XmlElement } from '#server/archives/xml.ts';

/** Items of QTI 2.1 and 2.2. */

/** The position of an interaction in a text that is read as HTML: a character that no text contains, and its number. */
const place = (n: number) => `\ue010${n}\ue011`;
const places = /\ue010(\d+)\ue011/;

const escapedHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
/** A picture as an object, whose content is its alternative text. */
const isPicture = ({ name, attributes }: XmlElement) =>
  name === 'object' && (/^image\//i.test(attributes.type ?? '') || /\.(png|jpe?g|gif|webp|svg)$/i.test(attributes.data ?? ''));
const wordsIn = (element: XmlElement): string =>
  (element.nodes ?? [])
    .map((node) => (typeof node === 'string' ? node : (node.attributes.alt ?? wordsIn(node))))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
/** An element as HTML, with some elements replaced. */
const htmlOf = (element: XmlElement, instead: (child: XmlElement) => string | null): string =>
  (element.nodes ?? [])
    .map((node) => {
      if (typeof node === 'string') return escapedHtml(node);
      const other = instead(node);
      if (other !== null) return other;
      const attributes = Object.entries(node.attributes)
        .filter(([name]) => /^(alt|role|src|style|hidden)$/.test(name))
        .map(([name, value]) => ` ${name}="${escapedHtml(value)}"`)
        .join('');
      if (isPicture(node)) return `<img src="${escapedHtml(node.attributes.data ?? '')}" alt="${escapedHtml(wordsIn(node))}">`;
      return /^(br|img|hr)$/.test(node.name) ? `<${node.name}${attributes}>` : `<${node.name}${attributes}>${htmlOf(node, instead)}</${node.name}>`;
    })
    .join('');

const isInteraction = ({ name }: XmlElement) => name.endsWith('Interaction');
const interactionsIn = (element: XmlElement): XmlElement[] => element.children.flatMap((c) => (isInteraction(c) ? [c] : interactionsIn(c)));
const inText = new Set(['textEntryInteraction', 'inlineChoiceInteraction']);
const words: Record<string, string> = {
  hotspotInteraction: 'Choosing a place on a picture',
  selectPointInteraction: 'Choosing a point on a picture',
  graphicOrderInteraction: 'Putting places of a picture in order',
  graphicAssociateInteraction: 'Linking places of a picture',
  graphicGapMatchInteraction: 'Dragging onto a picture',
  positionObjectInteraction: 'Placing something on a picture',
  sliderInteraction: 'A slider',
  mediaInteraction: 'Watching or listening as an answer',
  drawingInteraction: 'A drawing',
  uploadInteraction: 'Sending in a file',
  hottextInteraction: 'Choosing words of a text',
  associateInteraction: 'Linking things of one list',
  endAttemptInteraction: 'A button that ends the try',
  customInteraction: 'A question with a program of its own',
};

type Declared = { correct: string[]; mapped: [key: string, value: number][]; cardinality: string };
const declarationsOf = (item: XmlElement): Map<string, Declared> =>
  new Map(
    childrenOf(item, 'responseDeclaration').map((d) => [
      d.attributes.identifier ?? '',
      {
        cardinality: d.attributes.cardinality ?? 'single',
        correct: childrenOf(childOf(d, 'correctResponse'), 'value').map((v) => v.text),
        mapped: childrenOf(childOf(d, 'mapping'), 'mapEntry').map((m) => [m.attributes.mapKey ?? '', Number(m.attributes.mappedValue ?? 0) || 0]),
      },
    ]),
  );
const undeclared: Declared = { correct: [], mapped: [], cardinality: 'single' };
/** The correct answers: as declared, or as scored. */
const rightOf = ({ correct, mapped, cardinality }: Declared): string[] => {
  if (correct.length > 0) return correct;
  const counts = mapped.filter(([, value]) => value > 0);
  const most = Math.max(...counts.map(([, value]) => value));
  return counts.filter(([, value]) => cardinality !== 'single' || value === most).map(([key]) => key);
};
/** Everything accepted in a gap: the correct answer, and those with the same score. */
const acceptedOf = ({ correct, mapped }: Declared): string[] => {
  const most = Math.max(0, ...mapped.map(([, value]) => value));
  return [...correct, ...mapped.filter(([, value]) => value > 0 && value === most).map(([key]) => key)];
};
const noAnswer = 'It does not say which answer is right in a way that can be read.';

type Item = {
  notes: Notes;
  said: (element: XmlElement | undefined, slot?: PictureSlot) => string;
  find: FindPicture;
  /** Room for the picture of the question itself. */
  own: PictureSlot;
  prompt: string;
  title: string;
  feedbacks: Map<string, string>;
  used: Set<string>;
};

const pairsOf = (right: readonly string[]) => right.map((pair) => pair.trim().split(/\s+/) as [string, string | undefined]);

/** The question of a single block interaction. */
const candidateOf = (
  q: XmlElement,
  declared: Declared,
  { notes, said, find, own, prompt, title, feedbacks, used }: Item,
): Candidate | { why: string } => {
  const common = { prompt: [prompt, said(childOf(q, 'prompt'), own)].filter((t) => t !== '').join('\n') || title, feedback: '' };
  const right = rightOf(declared);
  if (declared.mapped.some(([, value]) => value !== 0 && value !== 1 && value !== -1) && q.name !== 'textEntryInteraction')
    notes.say('How much each answer counts is left behind: the question is right as a whole or not at all.');
  switch (q.name) {
    case 'choiceInteraction': {
      if (right.length === 0) return { why: noAnswer };
      const options = childrenOf(q, 'simpleChoice').map((c, i) => {
        const id = c.attributes.identifier ?? '';
        const inside = allOf(c, 'feedbackInline').filter((f) => f.attributes.identifier === id && f.attributes.showHide !== 'hide');
        const feedback = [...inside.map((f) => said(f)), feedbacks.get(id) ?? ''].filter((t) => t !== '').join('\n');
        const slot = new PictureSlot('answer', find);
        used.add(id);
        return pictured({ id: choiceId(i), text: said(c, slot), correct: right.includes(id), feedback }, slot, notes);
      });
      return { kind: declared.cardinality === 'single' ? 'single' : 'multiple', ...common, options };
    }
    case 'orderInteraction': {
      const texts = new Map(childrenOf(q, 'simpleChoice').map((c) => [c.attributes.identifier, said(c)]));
      if (right.length === 0 || right.length !== texts.size) return { why: noAnswer };
      return { kind: 'order', ...common, items: right.map((id, i) => ({ id: choiceId(i), text: texts.get(id) ?? '' })) };
    }
    case 'matchInteraction': {
      const [left = [], other = []] = childrenOf(q, 'simpleMatchSet').map((set) =>
        childrenOf(set, 'simpleAssociableChoice').map((c) => [c.attributes.identifier ?? '', said(c)] as const),
      );
      const texts = new Map([...left, ...other]);
      const pairs = pairsOf(right);
      if (pairs.length === 0) return { why: noAnswer };
      const sides = [0, 1].map((side) => pairs.map((p) => p[side]));
      if (sides.some((side) => new Set(side).size < side.length))
        return { why: 'One thing belongs to several others. Here pairs are of two things each.' };
      for (const [id, text] of [...left, ...other])
        if (!sides.some((side) => side.includes(id))) notes.leftBehind('Something that belongs to nothing', text);
      return {
        ...{ kind: 'match', ...common },
        pairs: pairs.map(([l, r], i) => ({ id: choiceId(i), left: texts.get(l) ?? '', right: texts.get(r ?? '') ?? '' })),
      };
    }
    case 'extendedTextInteraction':
      return { kind: 'free_text', ...common, min_words: 0 };
    case 'gapMatchInteraction': {
      const choices = childrenOf(q, 'gapText').map((c) => [c.attributes.identifier ?? '', said(c)] as const);
      if (childrenOf(q, 'gapImg').length > 0) return { why: noCounterpart('Dragging pictures into a text') };
      const pairs = pairsOf(right);
      const text = new GapText();
      const gaps = allOf(q, 'gap');
      const html = htmlOf(q, (c) => (c.name === 'gap' ? place(gaps.indexOf(c)) : c.name === 'gapText' || c.name === 'prompt' ? '' : null));
      for (const [i, part] of notes.html(html, own).split(places).entries()) {
        if (i % 2 === 0) text.text(part);
        else {
          const id = gaps[Number(part)]?.attributes.identifier;
          text.gap(choices.filter(([choice]) => pairs.some(([c, g]) => c === choice && g === id)).map(([, t]) => t));
        }
      }
      text.choices(choices.map(([, t]) => t));
      notes.say('Words are typed into its gaps, not dragged: what there is to choose from stands in brackets.');
      return { kind: 'fill_gap', ...common, prompt: common.prompt || gapPrompt, segments: text.trimmed };
    }
    default:
      return { why: noCounterpart(words[q.name] ?? `A question of the kind “${q.name}”`) };
  }
};

/** A text with answers to be typed or chosen within it. */
const gapsOf = (body: string, all: readonly XmlElement[], declared: (q: XmlElement) => Declared, item: Item): Candidate => {
  const { notes, said, own, title } = item;
  const html = notes.html(body, own);
  const [only] = all;
  if (only?.name === 'inlineChoiceInteraction' && all.length === 1) {
    const right = rightOf(declared(only));
    const options = childrenOf(only, 'inlineChoice').map((c, i) => ({
      ...{ id: choiceId(i), text: said(c), correct: right.includes(c.attributes.identifier ?? ''), feedback: '' },
    }));
    return { kind: 'single', prompt: html.replace(places, ' _____ ').replace(/ {2,}/g, ' '), feedback: '', options };
  }
  const text = new GapText();
  for (const [i, part] of html.split(places).entries()) {
    const q = all[Number(part)];
    if (i % 2 === 0 || !q) {
      text.text(part);
      continue;
    }
    if (q.name === 'textEntryInteraction') {
      text.gap(acceptedOf(declared(q)));
      continue;
    }
    const right = rightOf(declared(q));
    const choices = childrenOf(q, 'inlineChoice').map((c) => [c.attributes.identifier ?? '', said(c)] as const);
    text.gap(choices.filter(([id]) => right.includes(id)).map(([, t]) => t));
    text.choices(choices.map(([, t]) => t));
    notes.say('Words are typed into its gaps, not chosen: what there is to choose from stands in brackets.');
  }
  return { kind: 'fill_gap', prompt: title || gapPrompt, feedback: '', segments: text.trimmed };
};

/** Reads an `assessmentItem`, which was parsed with mixed text in order. */
export const readQtiItem = (item: XmlElement, at: string, find: FindPicture): FoundQuestion => {
  const notes = new Notes();
  const questionPicture = new PictureSlot('question', find);
  const title = item.attributes.title ?? '';
  const isAside = ({ name }: XmlElement) => /^(feedbackInline|feedbackBlock|rubricBlock|templateInline|templateBlock|modalFeedback)$/.test(name);
  const plainText = (element: XmlElement | undefined, slot?: PictureSlot) =>
    element
      ? notes.html(
          htmlOf(element, (c) => (isAside(c) ? '' : null)),
          slot,
        )
      : '';
  const body = childOf(item, 'itemBody');
  const all = body ? interactionsIn(body) : [];
  const withPlaces = body ? htmlOf(body, (c) => (isInteraction(c) ? place(all.indexOf(c)) : isAside(c) ? '' : null)) : '';
  const isWithin = all.length > 0 && all.every((q) => inText.has(q.name));
  const prompt = isWithin ? '' : notes.html(withPlaces.replaceAll(new RegExp(places, 'g'), ''), questionPicture);
  const refused = (why: string) => notTaken(at, prompt || plainText(childOf(all[0], 'prompt')) || title, why, notes, all.length);
  if (all.length === 0) return refused('It asks nothing.');
  if (item.attributes.adaptive === 'true') return refused(noCounterpart('A question that goes on after a first answer'));
  if (childOf(item, 'templateDeclaration')) return refused('Its numbers or words are generated for each person, which has no counterpart here.');

  const declarations = declarationsOf(item);
  const declared = (q: XmlElement) => declarations.get(q.attributes.responseIdentifier ?? '') ?? undeclared;
  const feedbacks = new Map(childrenOf(item, 'modalFeedback').map((f) => [f.attributes.identifier ?? '', plainText(f)]));
  const context: Item = { notes, said: plainText, find, own: questionPicture, prompt, title, feedbacks, used: new Set() };
  let found: Candidate | { why: string };
  if (isWithin) found = gapsOf(withPlaces, all, declared, context);
  else if (all.length > 1) return refused(`It asks ${all.length} things at once. Divide it into several questions.`);
  else found = candidateOf(all[0] as XmlElement, declared(all[0] as XmlElement), context);
  for (const [id, text] of feedbacks) if (!context.used.has(id)) notes.leftBehind('What is said in some cases', text);
  for (const aside of [...(body ? allOf(body, 'rubricBlock') : []), ...(body ? allOf(body, 'feedbackBlock') : [])])
    notes.leftBehind(aside.name === 'rubricBlock' ? 'A note beside the question' : 'What is said in some cases', plainText(aside));
  return 'why' in found ? refused(found.why) : foundQuestion(at, found, notes, title, questionPicture);
};
