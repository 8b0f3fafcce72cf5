import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { type FoundQuestion, questionFileLimits } from '#contract/entities/question-file.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import { type HtmlText, textOfHtml } from '#server/features/content-creator/reading/html-text.ts';

type Written<Q> = Q extends unknown ? Omit<Q, 'id'> : never;
/** A question as a reader makes it, before it is known whether a quiz can have it. */
export type Candidate = Written<AuthoredQuestion>;

const shownCharacters = 400;
const mostNoteCharacters = 300;
export const quoted = (text: string, most = 80): string => `“${text.length > most ? `${cutText(text, most)} …` : text}”`;
const counted = (n: number, one: string, many: string) => (n === 1 ? `One ${one}` : `${n} ${many}`);

/** What of a question is left behind, in sentences, each said once. */
export class Notes {
  readonly #said = new Set<string>();
  say(sentence: string): void {
    this.#said.add(cutText(sentence, mostNoteCharacters));
  }
  /** Says of a text that has no place that it was there. Nothing where it says nothing. */
  leftBehind(what: string, text: string): void {
    if (text.trim() !== '') this.say(`${what} is left behind: ${quoted(text.trim(), 160)}`);
  }
  get list(): string[] {
    const all = [...this.#said];
    const most = questionFileLimits.notes;
    return all.length > most ? [...all.slice(0, most - 1), `And ${all.length - most + 1} more of its details are left behind.`] : all;
  }
  /** The text of a piece of HTML; what of it is no text is noted. */
  html(source: string): string {
    const read: HtmlText = textOfHtml(source);
    const said = read.pictures.filter((alt) => alt !== '').map((alt) => quoted(alt));
    if (read.pictures.length > 0)
      this.say(
        `${counted(read.pictures.length, 'picture is', 'pictures are')} left behind${said.length > 0 ? ` (${said.join(', ')})` : ''}: add ${read.pictures.length === 1 ? 'it' : 'them'} by hand if the question needs ${read.pictures.length === 1 ? 'it' : 'them'}.`,
      );
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

/** A question that cannot be taken, with the reason. */
export const notTaken = (place: string, text: string, why: string, notes = new Notes(), answers = 0): FoundQuestion => ({
  ...{ place, text: cutText(text, shownCharacters), answers, question: null, why, notes: notes.list },
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

/** A question as far as a quiz can have it: what a quiz would refuse cannot be taken, for the same reason. */
export const foundQuestion = (place: string, candidate: Candidate, notes: Notes, title = ''): FoundQuestion => {
  const text = candidate.prompt.trim() || title;
  const checked = AuthoredQuestion.safeParse(candidate);
  if (!checked.success) {
    const why = textsOf(candidate).some((t) => t.trim() === '')
      ? 'One of its answers has no text: here answers are words.'
      : `A quiz cannot have it as it is: ${checked.error.issues[0]?.message ?? 'It cannot be read.'}`;
    return notTaken(place, text, why, notes, answersOf(candidate));
  }
  return { place, text: cutText(text, shownCharacters), answers: answersOf(candidate), question: checked.data, why: null, notes: notes.list };
};

/** Names for the choices of a question. */
export const choiceId = (index: number): string => `c${index + 1}`;
/** What stands for the prompt where the question is a text with gaps. */
export const gapPrompt = 'Fill in the gaps.';
/** Why a question of this kind cannot be taken. */
export const noCounterpart = (what: string): string => `${what} has no counterpart here.`;
