import { type Face, type Letters, printable } from '#server/pdf/letters.ts';
import { slices } from '#server/pdf/slices.ts';

/** A column to be measured. `isWhole`: nothing in it may be broken (days, numbers). `beside`: what its width has besides its texts, in points. */
type Measured = { head: string; texts: readonly string[]; isWhole: boolean; beside: number };

/** No word makes a column wider than this many times its letters' size: a longer one is broken, an address for example. */
const longestWord = 12;
/** A text is not set wider than this many times its letters' size while others need the room. */
const comfortable = 34;
/** The widest day that stands in a text. */
const aDay = '00/00/0000';

/** Texts set in lines by the widths of their words, which are shaped once each: thousands of cells share most of theirs. */
export const createWords = (letters: Letters) => {
  const known = new Map<string, number>();
  /** In thousandths of the letters' size. */
  const widthOf = (word: string, face: Face): number => {
    const key = `${face} ${word}`;
    const width = known.get(key) ?? letters.line(word, face).width;
    known.set(key, width);
    return width;
  };
  // A space alone is nothing to print.
  const between = (face: Face) => widthOf('n n', face) - 2 * widthOf('n', face);
  /** Where a line may end: between words, and within one after a hyphen or an at sign, where nothing is put between. */
  const wordsOf = (text: string): { word: string; isGlued: boolean }[] =>
    printable(text)
      .split(' ')
      .filter(Boolean)
      .flatMap((word) => word.split(/(?<=\p{L}{3}-|@)(?=\p{L})/u).map((part, i) => ({ word: part, isGlued: i > 0 })));
  const lengthOf = (text: string, face: Face) =>
    wordsOf(text).reduce((sum, { word, isGlued }, i) => sum + (i > 0 && !isGlued ? between(face) : 0) + widthOf(word, face), 0);

  /** The lines of a text in this width, ended between words; a word that is wider than a line is broken. */
  const lines = (text: string, face: Face, size: number, width: number): readonly string[] => {
    const key = `${face} ${size} ${width} ${text}`;
    const before = set.get(key) ?? linesOf(text, face, (width * 1000) / size + 0.5);
    set.set(key, before);
    return before;
  };
  const set = new Map<string, readonly string[]>();
  const linesOf = (text: string, face: Face, most: number): string[] => {
    const all: string[] = [];
    let line = '';
    let used = 0;
    const add = (word: string, wide: number, isGlued: boolean) => {
      const longer = used + (line && !isGlued ? between(face) : 0) + wide;
      if (line && longer > most) {
        all.push(line);
        [line, used] = [word, wide];
      } else [line, used] = [line && !isGlued ? `${line} ${word}` : line + word, longer];
    };
    for (const { word, isGlued } of wordsOf(text)) {
      const wide = widthOf(word, face);
      if (wide <= most) {
        add(word, wide, isGlued);
        continue;
      }
      let [part, isFirst] = ['', true];
      const addPart = () => add(part, letters.line(part, face).width, isFirst ? isGlued : true);
      for (const letter of word) {
        if (part && letters.line(part + letter, face).width > most) {
          addPart();
          [part, isFirst] = ['', false];
        }
        part += letter;
      }
      addPart();
    }
    return line ? [...all, line] : all;
  };

  /**
   * The widths of columns that fill this room, in points, and the size of their letters: the first of `sizes` at which no word is broken, else
   * the last, with the columns of texts as much narrower as is needed. What is whole is never broken.
   */
  const widthsOf = async (columns: readonly Measured[], { sizes, room }: { sizes: readonly number[]; room: number }) => {
    const turn = slices();
    const measured: { least: number; likes: number; floor: number; beside: number }[] = [];
    for (const { head, texts, isWhole, beside } of columns) {
      const heads = Math.max(0, ...wordsOf(head).map(({ word }) => widthOf(word, 'bold')));
      let [word, whole] = [0, 0];
      for (const text of new Set(texts)) {
        whole = Math.max(whole, lengthOf(text, 'regular'));
        for (const one of wordsOf(text)) word = Math.max(word, widthOf(one.word, 'regular'));
        await turn();
      }
      const least = Math.max(heads, isWhole ? whole : Math.min(word, longestWord * 1000));
      const floor = isWhole ? least : Math.min(least, widthOf(aDay, 'bold'));
      measured.push({ least, likes: Math.max(least, Math.min(whole, comfortable * 1000)), floor, beside });
    }
    const besides = measured.reduce((sum, c) => sum + c.beside, 0);
    const sum = (of: 'least' | 'likes' | 'floor') => measured.reduce((all, c) => all + c[of], 0);
    const points = sizes.find((size) => (sum('least') * size) / 1000 + besides <= room) ?? (sizes.at(-1) as number);
    /** From the one of these widths to the other, as far as the room goes. */
    const spread = (from: 'floor' | 'least', to: 'least' | 'likes') => {
      const inner = ((room - besides) * 1000) / points - sum(from);
      const more = sum(to) - sum(from);
      const share = more > 0 ? Math.max(0, Math.min(1, inner / more)) : 0;
      // What is left when all have what they like is spread over them.
      const left = Math.max(0, inner - more);
      return measured.map((c) => ((c[from] + share * (c[to] - c[from]) + (left * c[to]) / Math.max(1, sum(to))) * points) / 1000 + c.beside);
    };
    const fits = (sum('least') * points) / 1000 + besides <= room;
    return { points, widths: fits ? spread('least', 'likes') : spread('floor', 'least') };
  };
  return { lines, widthsOf };
};
