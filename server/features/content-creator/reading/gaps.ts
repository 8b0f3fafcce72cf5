import type { Candidate } from '#server/features/content-creator/reading/found-question.ts';

export type Segments = Extract<Candidate, { kind: 'fill_gap' }>['segments'];

/** A text with gaps, piece by piece: adjacent texts are joined, and gaps get their names. */
export class GapText {
  readonly segments: Segments = [];
  text(words: string): void {
    if (words === '') return;
    const last = this.segments.at(-1);
    if (typeof last === 'string') this.segments[this.segments.length - 1] = last + words;
    else this.segments.push(words);
  }
  gap(accepted: readonly string[]): void {
    // Any number of gaps is read; the quiz says how many it can have.
    const n = this.segments.filter((s) => typeof s !== 'string').length + 1;
    this.segments.push({ gap: `g${n}`, accepted: [...new Set(accepted)] });
  }
  /** The options, listed for people who have to type the answer: never in their original order, which could give it away. */
  choices(words: readonly string[]): void {
    this.text(` (${[...new Set(words)].sort((a, b) => a.localeCompare(b, 'en')).join(' / ')})`);
  }
  get trimmed(): Segments {
    return this.segments.map((s, i) => {
      if (typeof s !== 'string') return s;
      const begun = i === 0 ? s.trimStart() : s;
      return i === this.segments.length - 1 ? begun.trimEnd() : begun;
    });
  }
}
