import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { type FoundQuestion, questionFileLimits } from '#contract/entities/question-file.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';
import { type HtmlText, type ShownPicture, textOfHtml } from '#server/features/content-creator/reading/html-text.ts';
import { nameOfSource, type PictureSlot } from '#server/features/content-creator/reading/picture-slot.ts';

type Written<Q> = Q extends unknown ? Omit<Q, 'id'> : never;
/** A question as a reader produces it, before it is checked whether a quiz can have it. */
export type Candidate = Written<AuthoredQuestion>;

const shownCharacters = 400;
const mostNoteCharacters = 300;
const mostAltCharacters = 500;
export const quoted = (text: string, most = 80): string => `“${text.length > most ? `${cutText(text, most)} …` : text}”`;
const counted = (n: number, one: string, many: string) => (n === 1 ? `One ${one}` : `${n} ${many}`);

/** Notes that pictures are left behind: their names by the reason, which follows a colon. */
export const leftPictures = (left: ReadonlyMap<string, readonly string[]>): string[] =>
  [...left].map(([why, names]) => {
    const quotedNames = [...new Set(names)].filter((name) => name !== '').map((name) => quoted(name));
    const pronoun = names.length === 1 ? 'it' : 'them';
    return cutText(
      `${counted(names.length, 'picture is', 'pictures are')} left behind${quotedNames.length > 0 ? ` (${quotedNames.slice(0, 4).join(', ')}${quotedNames.length > 4 ? ' …' : ''})` : ''}: ${why}. Add ${pronoun} by hand if the question needs ${pronoun}.`,
      mostNoteCharacters + 300,
    );
  });

/** What of a question is left behind, in sentences without repetition. */
export class Notes {
  readonly #said = new Set<string>();
  /** The names of pictures left behind, by reason. */
  readonly #left = new Map<string, string[]>();
  say(sentence: string): void {
    this.#said.add(cutText(sentence, mostNoteCharacters));
  }
  /** Notes a text that has no place in a question. Nothing if it is empty. */
  leftBehind(what: string, text: string): void {
    if (text.trim() !== '') this.say(`${what} is left behind: ${quoted(text.trim(), 160)}`);
  }
  get list(): string[] {
    const all = [...leftPictures(this.#left), ...this.#said];
    const most = questionFileLimits.notes;
    return all.length > most ? [...all.slice(0, most - 1), `And ${all.length - most + 1} more of its details are left behind.`] : all;
  }
  /** Places a picture if there is room for one; else notes why it is left behind. */
  picture({ source, alt, decorative }: ShownPicture, slot: PictureSlot | undefined): void {
    const media = !slot
      ? { why: 'only a question and an answer to choose have a picture here' }
      : slot.picture
        ? { why: `${slot.belongsTo === 'question' ? 'a question' : 'an answer'} has one picture here` }
        : slot.find(source);
    if (slot && !('why' in media)) {
      if (alt.length > mostAltCharacters) this.say(`The words for its picture are cut: ${mostAltCharacters} characters are the most.`);
      slot.picture = { media, alt: cutText(alt, mostAltCharacters), ...(decorative ? { decorative } : {}) };
    } else if ('why' in media) {
      const names = this.#left.get(media.why);
      if (names) names.push(alt || nameOfSource(source));
      else this.#left.set(media.why, [alt || nameOfSource(source)]);
    }
  }
  /** The text of a piece of HTML. Its pictures go where there is room for them; anything else that is not text is noted. */
  html(source: string, slot?: PictureSlot): string {
    const read: HtmlText = textOfHtml(source);
    for (const shown of read.pictures) this.picture(shown, slot);
    if (read.media > 0)
      this.say(`${counted(read.media, 'video, sound, drawing or formula is', 'videos, sounds, drawings or formulas are')} left behind.`);
    return read.text;
  }
}

const answersOf = (q: Candidate): number => {
  switch (q.kind) {
    case 'single':
    case 'multiple':
      return q.options.length;
    case 'true_false':
      return 2;
    case 'match':
      return q.pairs.length;
    case 'order':
      return q.items.length;
    case 'fill_gap':
      return q.segments.filter((s) => typeof s !== 'string').length;
    case 'free_text':
      return 0;
  }
};

/** A question that cannot be imported, with the reason. */
export const notTaken = (place: string, text: string, why: string, notes = new Notes(), answers = 0): FoundQuestion => ({
  ...{ place, text: cutText(text, shownCharacters), answers, question: null, pictures: 0, why, notes: notes.list },
});

const textsOf = (q: Candidate): string[] => {
  switch (q.kind) {
    case 'single':
    case 'multiple':
      return q.options.map((o) => o.text);
    case 'match':
      return q.pairs.flatMap((p) => [p.left, p.right]);
    case 'order':
      return q.items.map((i) => i.text);
    default:
      return [];
  }
};

type ChoiceOption = Extract<Candidate, { kind: 'single' }>['options'][number];
/** An answer to choose, with its picture. One that is only a picture gets the picture's description as its text. */
export const pictured = (option: ChoiceOption, { picture }: PictureSlot, notes: Notes): ChoiceOption => {
  if (!picture) return option;
  if (option.text.trim() !== '' || picture.alt === '') return { ...option, picture };
  notes.say('An answer that was only a picture has the words for it as its text: see that they do not tell which is right.');
  return { ...option, text: picture.alt, picture: { media: picture.media, alt: '', decorative: true } };
};

/** A question as far as a quiz can have it: what a quiz would refuse cannot be imported, for the same reason. */
export const foundQuestion = (place: string, read: Candidate, notes: Notes, title: string, { picture }: PictureSlot): FoundQuestion => {
  const candidate = picture ? { ...read, picture } : read;
  const text = candidate.prompt.trim() || title;
  const checked = AuthoredQuestion.safeParse(candidate);
  if (!checked.success) {
    const why = textsOf(candidate).some((t) => t.trim() === '')
      ? 'One of its answers has no text: here answers are words.'
      : `A quiz cannot have it as it is: ${checked.error.issues[0]?.message ?? 'It cannot be read.'}`;
    return notTaken(place, text, why, notes, answersOf(candidate));
  }
  const question = checked.data;
  return {
    ...{ place, text: cutText(text, shownCharacters), answers: answersOf(candidate), question },
    ...{ pictures: picturesOf(question).length, why: null, notes: notes.list },
  };
};

/** Names for the choices of a question. */
export const choiceId = (index: number): string => `c${index + 1}`;
/** The prompt of a question that is a text with gaps. */
export const gapPrompt = 'Fill in the gaps.';
/** Why a question of this kind cannot be imported. */
export const noCounterpart = (what: string): string => `${what} has no counterpart here.`;
