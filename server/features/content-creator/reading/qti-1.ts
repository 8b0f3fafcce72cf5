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
import type { ShownPicture } from '#server/features/content-creator/reading/html-text.ts';
import { type FindPicture, PictureSlot } from '#server/features/content-creator/reading/picture-slot.ts';
import { allOf, childOf, childrenOf, type XmlElement } from '#server/archives/xml.ts';

/** Items of QTI 1.2, as in Common Cartridges. */

const fieldOf = (element: XmlElement, label: string): string =>
  allOf(element, 'qtimetadatafield')
    .find((f) => childOf(f, 'fieldlabel')?.text === label)
    ?.children.find((c) => c.name === 'fieldentry')?.text ?? '';

type Condition = { is: { answer: string; to: string }[]; isNot: string[]; score: number; shows: string[]; other: boolean };
const conditionsOf = (item: XmlElement): Condition[] =>
  allOf(item, 'respcondition').map((c) => {
    const condition = childOf(c, 'conditionvar');
    const negated = condition ? allOf(condition, 'not').flatMap((n) => allOf(n, 'varequal')) : [];
    const equal = condition ? allOf(condition, 'varequal').filter((v) => !negated.includes(v)) : [];
    return {
      is: equal.map((v) => ({ answer: v.text, to: v.attributes.respident ?? '' })),
      isNot: negated.map((v) => v.text),
      score: Math.max(0, ...childrenOf(c, 'setvar').map((s) => Number(s.text) || 0)),
      shows: childrenOf(c, 'displayfeedback').map((d) => d.attributes.linkrefid ?? ''),
      other: condition !== undefined && allOf(condition, 'other').length > 0,
    };
  });

const kinds: Record<string, string> = {
  numerical_question: 'A numerical answer with a range',
  calculated_question: 'A question with calculated numbers',
  fill_in_multiple_blanks_question: 'A text with several gaps in this form',
  multiple_dropdowns_question: 'A text with lists to choose from',
  file_upload_question: 'Sending in a file',
  'cc.pattern_match.v0p1': 'An answer of which a part is enough',
};

/** All descendants of an element, in order. */
const withinOf = (element: XmlElement): XmlElement[] => element.children.flatMap((c) => [c, ...withinOf(c)]);
/** A picture element. QTI 1.2 has no alternative text but its label. */
const imageOf = ({ attributes, text }: XmlElement): ShownPicture => ({
  source: attributes.embedded === 'base64' ? `data:${attributes.imagtype ?? 'image/jpeg'};base64,${text}` : (attributes.uri ?? ''),
  ...{ alt: attributes.label ?? '', decorative: false },
});

/** Reads an `item`. */
export const readQti1Item = (item: XmlElement, place: string, find: FindPicture): FoundQuestion => {
  const notes = new Notes();
  const questionPicture = new PictureSlot('question', find);
  const material = (element: XmlElement | undefined, slot?: PictureSlot): string =>
    (element ? [element, ...withinOf(element)] : [])
      .map((m) => {
        if (m.name === 'matimage') notes.picture(imageOf(m), slot);
        return m.name !== 'mattext' ? '' : m.attributes.texttype === 'text/plain' ? m.text : notes.html(m.text, slot);
      })
      .filter((t) => t !== '')
      .join('\n');
  const ownMaterial = (element: XmlElement | undefined, slot?: PictureSlot) =>
    childrenOf(element, 'material')
      .map((m) => material(m, slot))
      .filter((t) => t !== '')
      .join('\n');
  const presentation = childOf(item, 'presentation');
  // Some tools put everything into a flow.
  const holder = childOf(presentation, 'flow') ?? presentation;
  const title = item.attributes.title ?? '';
  const prompt = ownMaterial(holder, questionPicture) || (holder === presentation ? '' : ownMaterial(presentation, questionPicture));
  const kind = fieldOf(item, 'question_type') || fieldOf(item, 'cc_profile');
  const conditions = conditionsOf(item);
  const feedbackById = new Map(allOf(item, 'itemfeedback').map((f) => [f.attributes.ident ?? '', material(f)]));
  const used = new Set<string>();
  const take = (ids: readonly string[]) => {
    for (const id of ids) used.add(id);
    return [...new Set(ids.map((id) => feedbackById.get(id) ?? ''))].filter((t) => t !== '').join('\n');
  };
  const feedback = take(conditions.filter((c) => c.other && c.score === 0 && c.is.length === 0).flatMap((c) => c.shows));
  const common = { prompt: prompt || title, feedback };
  const best = Math.max(0, ...conditions.map((c) => c.score));
  const full = conditions.filter((c) => c.score > 0 && c.score === best);
  const feedbackOf = (answer: string) =>
    take(
      conditions
        .filter((c) => c.is.length === 1 && c.is[0]?.answer === answer && c.isNot.length === 0)
        .flatMap((c) => c.shows.filter((s) => /fb|feed/i.test(s) && s !== 'correct_fb')),
    );
  const lists = presentation ? allOf(presentation, 'response_lid') : [];
  const typed = presentation ? allOf(presentation, 'response_str') : [];

  const read = (): Candidate | { why: string } => {
    if (/text_only/.test(kind)) return { why: 'It is a text without a question. Put it into a topic.' };
    if (kinds[kind]) return { why: noCounterpart(kinds[kind] as string) };
    if (lists.length + typed.length === 0) return { why: 'It asks nothing that can be read.' };
    if (lists.length + typed.length > 1) {
      if (kind !== 'matching_question') return { why: `It asks ${lists.length + typed.length} things at once. Divide it into several questions.` };
      const rights = new Map(conditions.filter((c) => c.score > 0).flatMap((c) => c.is.map(({ to, answer }) => [to, answer] as const)));
      return {
        ...{ kind: 'match', ...common },
        pairs: lists.map((l, i) => {
          const label = allOf(l, 'response_label').find((o) => o.attributes.ident === rights.get(l.attributes.ident ?? ''));
          return { id: choiceId(i), left: ownMaterial(l), right: material(label) };
        }),
      };
    }
    const [list] = lists;
    if (!list) {
      const accepted = [...new Set(full.flatMap((c) => c.is.map((a) => a.answer)))];
      if (accepted.length === 0) {
        if (/essay/.test(kind) || conditions.every((c) => c.score === 0)) return { kind: 'free_text', ...common, min_words: 0 };
        return { why: 'It does not say which answer is right in a way that can be read.' };
      }
      return { kind: 'fill_gap', ...common, prompt: common.prompt || gapPrompt, segments: [{ gap: 'g1', accepted }] };
    }
    const labels = allOf(list, 'response_label').map((l) => {
      const slot = new PictureSlot('answer', find);
      return { ident: l.attributes.ident ?? '', text: material(l, slot), slot };
    });
    const isMultiple = list.attributes.rcardinality?.toLowerCase() === 'multiple';
    const rights = new Set((isMultiple ? full.flatMap((c) => c.is) : (full[0]?.is ?? [])).map((a) => a.answer));
    if (rights.size === 0) return { why: 'It does not say which answer is right in a way that can be read.' };
    if (conditions.some((c) => c.score > 0 && c.score < best)) notes.say('Part of the marks for some answers is left behind: they count as wrong.');
    const truths = labels.map((l) => l.text.toLowerCase());
    if (!isMultiple && labels.length === 2 && truths.includes('true') && truths.includes('false')) {
      for (const l of labels) notes.leftBehind(`What is said to “${l.text}”`, feedbackOf(l.ident));
      return { kind: 'true_false', ...common, correct: labels.some((l) => l.text.toLowerCase() === 'true' && rights.has(l.ident)) };
    }
    return {
      ...{ kind: isMultiple ? 'multiple' : 'single', ...common },
      options: labels.map((l, i) =>
        pictured({ id: choiceId(i), text: l.text, correct: rights.has(l.ident), feedback: feedbackOf(l.ident) }, l.slot, notes),
      ),
    };
  };
  const found = read();
  for (const [id, text] of feedbackById) if (!used.has(id)) notes.leftBehind('What is said in some cases', text);
  if ('why' in found) return notTaken(place, prompt || title, found.why, notes, lists.flatMap((l) => allOf(l, 'response_label')).length);
  return foundQuestion(place, found, notes, title, questionPicture);
};

/** The questions of a `questestinterop`, with its title. */
export const readQti1 = (root: XmlElement, place: (index: number) => string, find: FindPicture): { title: string; questions: FoundQuestion[] } => {
  const named = childOf(root, 'assessment') ?? childOf(root, 'objectbank');
  const items = allOf(root, 'item');
  return {
    title: named?.attributes.title ?? '',
    questions: items.map((item, i) => readQti1Item(item, place(i), find)),
  };
};
