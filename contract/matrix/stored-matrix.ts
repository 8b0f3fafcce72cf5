import type { MatrixUser } from '#contract/matrix/messages.ts';
import type { MatrixSheet } from '#contract/matrix/sheet.ts';

/**
 * A matrix that a device has received completely, with the ids of its courses. It is never shown itself: it reduces what has to be sent,
 * and the server says for each row whether it is unchanged.
 */
export type StoredMatrix = { users: readonly MatrixUser[]; courses: readonly string[]; sheet: MatrixSheet };

const version = 1;
const headBytes = 4;
const utf8 = { to: new TextEncoder(), from: new TextDecoder() };
/** Days are two bytes each, aligned to two bytes. */
const even = (n: number) => n + (n & 1);

/** Serialised, for the same device. */
export const packStored = ({ users, courses, sheet }: StoredMatrix): Uint8Array<ArrayBuffer> => {
  const head = utf8.to.encode(JSON.stringify({ version, users, courses }));
  const days = even(headBytes + head.length);
  const cells = sheet.states.length;
  const bytes = new Uint8Array(days + cells * 5);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, headBytes);
  new Uint16Array(bytes.buffer, days, cells).set(sheet.completed);
  new Uint16Array(bytes.buffer, days + cells * 2, cells).set(sheet.expires);
  bytes.set(sheet.states, days + cells * 4);
  return bytes;
};

/** The inverse; null for data that is damaged or of another version. The cells are views on the bytes, not copies. */
export const unpackStored = (buffer: ArrayBuffer): StoredMatrix | null => {
  try {
    const length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(utf8.from.decode(new Uint8Array(buffer, headBytes, length))) as Omit<StoredMatrix, 'sheet'> & { version: number };
    if (head.version !== version) return null;
    const { users, courses } = head;
    const [rows, columns] = [users.length, courses.length];
    const [days, cells] = [even(headBytes + length), rows * columns];
    if (buffer.byteLength !== days + cells * 5) return null;
    const [completed, expires] = [new Uint16Array(buffer, days, cells), new Uint16Array(buffer, days + cells * 2, cells)];
    return { users, courses, sheet: { rows, columns, completed, expires, states: new Uint8Array(buffer, days + cells * 4, cells) } };
  } catch {
    return null;
  }
};
