/** The requested range of a file of `size` bytes. `end` is inclusive. */
export type ByteRange = { start: number; end: number } | 'whole' | 'unsatisfiable';

/**
 * Parses a Range header by RFC 9110: a single range of bytes. An end beyond the file is clamped; a start beyond it is
 * unsatisfiable; invalid or multiple ranges give the whole file.
 */
export const byteRange = (header: string | null | undefined, size: number): ByteRange => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'whole';
  if (match[1] === '') {
    const length = Number(match[2]);
    return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== '' && Number(match[2]) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
};
