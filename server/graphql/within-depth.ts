/** Maximum nesting of brackets in a query: the app's screens use ten. Parsers and validators of queries are recursive. */
const deepest = 40;

/** Whether a query's nesting is safe for every parser on its way. Reads each character once. */
export const isWithinDepth = (query: string): boolean => {
  let depth = 0;
  for (let at = 0; at < query.length; at++) {
    const c = query[at] as string;
    if (c === '#') {
      while (at + 1 < query.length && query[at + 1] !== '\n' && query[at + 1] !== '\r') at++;
    } else if (c === '"') {
      const block = query.startsWith('"""', at);
      const end = block ? '"""' : '"';
      at += end.length;
      // An unterminated string is refused by the parser; a single-line string ends with its line.
      while (at < query.length && !query.startsWith(end, at) && (block || query[at] !== '\n'))
        at += query[at] === '\\' ? (block ? (query.startsWith('\\"""', at) ? 4 : 1) : 2) : 1;
      at += end.length - 1;
    } else if (c === '{' || c === '[' || c === '(') {
      if (++depth > deepest) return false;
    } else if (c === '}' || c === ']' || c === ')') depth--;
  }
  return true;
};
