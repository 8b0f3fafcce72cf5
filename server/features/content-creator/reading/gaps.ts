import type { Candidate } from '#server/features/content-creator/reading/found-question.ts';

export type Segments = Extract<Candidate, { kind: 'fill_gap' }>['segments'];

/** A text with gaps, piece by piece: neighbouring texts become one, and gaps get their names. */
export class GapText {
  readonly segments: Segments = [];
  text(words: string): void {
    if (words === '') return;
    const last = this.segments.at(-1);
    if (typeof last === 'string') this.segments[this.segments.length - 1] = last + words;
    else this.segments.push(words);
  }
  gap(accepted: readonly string[]): void {
    // As many gaps as one likes are read; a quiz says how many it can have.
    const n = this.segments.filter((s) => typeof s !== 'string').length + 1;
    this.segments.push({ gap: `g${n}`, accepted: [...new Set(accepted)] });
  }
  /** What was chosen from, for whoever has to type it: never their order, which could tell. */
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
