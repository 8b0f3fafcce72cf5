const mostLetters = 80;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A text as part of a file name on any system, Windows among them: readable, of a bounded length, never empty. */
export const fileNamePart = (text: string): string => {
  const safe = [...text.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/gu, ' ')].slice(0, mostLetters).join('');
  const trimmed = safe.replace(/\s+/g, ' ').replace(/^[\s.]+|[\s.]+$/g, '');
  return reserved.test(trimmed) ? `${trimmed}_` : trimmed || '_';
};

/** Makes each name one of its own in a folder, also where capitals and small letters are the same. */
export const uniqueNames = () => {
  const taken = new Set<string>();
  return (name: string, ending: string): string => {
    for (let n = 1; ; n++) {
      const full = `${name}${n === 1 ? '' : ` (${n})`}.${ending}`;
      const key = full.toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return full;
    }
  };
};
