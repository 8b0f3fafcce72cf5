import type { DBCore, DBCoreCursor, DBCoreTable, Middleware } from 'dexie';
import { sealedEntryIdentity } from '#contract/rules/sealed-entry.ts';
import { seal, unseal } from '#contract/rules/seal.ts';
import { dataKeyOf, Locked } from '#src/offline/keys/unlocked.ts';

/**
 * The unencrypted fields of a person's database: ids, order, sizes, times and states, which the database needs to find and order
 * rows, and which can be counted while locked. All other fields are encrypted with the person's data key. Tables not listed
 * contain course texts and file lists, which are not personal. See docs/decisions/008.
 */
const entry = [
  'n',
  'id',
  'lane',
  'command',
  'version',
  'actor',
  'actingAs',
  'dependsOn',
  'baseRev',
  'at',
  'skewMs',
  'state',
  'tries',
  'nextAt',
  'failing',
];
const clearFields: Record<string, readonly string[]> = {
  outbox: entry,
  settled: [...entry, 'settled_at', 'outcome'],
  attempts: ['id', 'content_id'],
  topicProgress: ['attempt_id', 'topic_id'],
  quizAnswers: ['attempt_id', 'quiz_id', 'try_no', 'question_id'],
  quizSubmissions: ['id', 'attempt_id'],
  scormSessions: ['attempt_id', 'item_id', 'session_id'],
  scormResumes: ['attempt_id', 'item_id'],
  h5pStates: ['attempt_id', 'item_id'],
  playerSessions: ['session_id', 'at'],
  certificates: ['id'],
  observations: ['id', 'certificate_id'],
  decisions: ['certificate_id', 'criterion'],
  messages: ['id', 'other'],
  registers: ['id'],
  submissions: ['id'],
  feedback: ['id', 'content_id'],
  checkIns: ['session_id'],
  kv: ['key'],
};
export const sealedTables = Object.keys(clearFields);

/** The fields to which the encryption of a row is bound. The outbox counter is excluded: the database assigns it after encryption. */
const identity: Record<string, readonly string[]> = {
  outbox: sealedEntryIdentity,
  settled: sealedEntryIdentity,
  attempts: ['id'],
  topicProgress: ['attempt_id', 'topic_id'],
  quizAnswers: ['attempt_id', 'quiz_id', 'try_no', 'question_id'],
  quizSubmissions: ['id'],
  scormSessions: ['attempt_id', 'item_id', 'session_id'],
  scormResumes: ['attempt_id', 'item_id'],
  h5pStates: ['attempt_id', 'item_id'],
  playerSessions: ['session_id'],
  certificates: ['id'],
  observations: ['id'],
  decisions: ['certificate_id', 'criterion'],
  messages: ['id'],
  registers: ['id'],
  submissions: ['id'],
  feedback: ['id'],
  checkIns: ['session_id'],
  kv: ['key'],
};

export type SealedRow = Record<string, unknown> & { sealed?: Uint8Array };
type Row = Record<string, unknown>;

/** An entry remains encrypted as it is when it is settled. */
const placeName = (table: string) => (table === 'outbox' || table === 'settled' ? 'entry' : table);
const placeOf = (table: string, row: Row) => `${placeName(table)}:${(identity[table] ?? []).map((f) => String(row[f])).join(':')}`;

const asStored = Symbol('as stored');
/** The stored form of a row that was read, for rows that cannot be decrypted and must be kept unchanged. */
export const storedRow = (row: object): SealedRow => (row as { [asStored]?: SealedRow })[asStored] ?? (row as SealedRow);

/** The stored form of a row. */
export const sealRow = (key: Uint8Array, table: string, row: Row): SealedRow => {
  const clear = clearFields[table] as readonly string[];
  const out: SealedRow = {};
  const inner: Row = {};
  for (const [field, value] of Object.entries(row)) (clear.includes(field) ? out : inner)[field] = value;
  out.sealed = seal(key, inner, placeOf(table, row));
  return out;
};

/**
 * The decrypted form of a row. Decryption happens on first access to an encrypted field, so counting and ordering decrypts
 * nothing. It throws if the row cannot be decrypted; clear fields stay readable.
 */
export const openRow = (keyOf: () => Uint8Array, table: string, stored: SealedRow): Row => {
  if (!(stored?.sealed instanceof Uint8Array)) return stored;
  const { sealed, ...row } = stored;
  const place = placeOf(table, row);
  // Clear fields are never looked up in the encrypted part.
  const isClear = (field: string) => (clearFields[table] ?? []).includes(field);
  let opened: Row | null = null;
  const open = () => {
    opened ??= unseal(keyOf(), sealed, place) as Row;
    return opened;
  };
  return new Proxy(row as Row, {
    get: (target, field) => {
      if (field === asStored) return stored;
      // Promises read `then` of every value, which must not decrypt.
      return field in target || typeof field === 'symbol' || field === 'then' || isClear(field) ? Reflect.get(target, field) : open()[field];
    },
    has: (target, field) => field in target || (typeof field === 'string' && field in open()),
    ownKeys: (target) => [...Reflect.ownKeys(target), ...Object.keys(open()).filter((f) => !(f in target))],
    getOwnPropertyDescriptor: (target, field) =>
      Reflect.getOwnPropertyDescriptor(target, field) ??
      (typeof field === 'string' && field in open() ? { value: open()[field], enumerable: true, configurable: true, writable: true } : undefined),
  });
};

/** Rows written in one transaction, in stored form, for the second journal. */
export type RowWrite = { table: string; row: SealedRow };
/** Names the row: a later write with the same name replaces it. */
export const rowPlace = ({ table, row }: RowWrite): string => (table === 'outbox' ? `outbox:${String(row.id)}` : placeOf(table, row));
const logs = new WeakMap<object, RowWrite[]>();
/** Records the writes of a transaction from now on. */
export const logWrites = (transaction: object): RowWrite[] => {
  const log: RowWrite[] = [];
  logs.set(transaction, log);
  return log;
};

/** Encrypts rows on writing and decrypts them on reading, for one person's database. */
export const sealedRows = (personId: string): Middleware<DBCore> => {
  const keyOf = () => dataKeyOf(personId) ?? raise();
  const raise = (): never => {
    throw new Locked();
  };
  return {
    stack: 'dbcore',
    name: 'sealed-rows',
    create: (core) => ({
      ...core,
      table: (name): DBCoreTable => {
        const table = core.table(name);
        if (!(name in clearFields)) return table;
        const open = (row: SealedRow | undefined) => row && openRow(keyOf, name, row);
        return {
          ...table,
          mutate: (request) => {
            if (request.type !== 'add' && request.type !== 'put') return table.mutate(request);
            const key = keyOf();
            // Rows restored from the second journal are already encrypted.
            const values = request.values.map((row) => ((row as SealedRow).sealed instanceof Uint8Array ? row : sealRow(key, name, row as Row)));
            // Dexie's other update details refer to fields that lower layers cannot see.
            const { criteria: _1, changeSpec: _2, updates: _3, ...rest } = request as typeof request & Record<string, unknown>;
            const done = table.mutate({ ...rest, values } as typeof request);
            const log = logs.get(request.trans);
            if (!log) return done;
            // Logged at the start; the position of a new entry once the database has assigned it.
            const noted = values.map((row) => ({ table: name, row: { ...row } as SealedRow }));
            log.push(...noted);
            if (name !== 'outbox' || values.every((row) => (row as Row).n !== undefined)) return done;
            return done.then((response) => {
              noted.forEach(({ row }, i) => {
                row.n ??= response.results?.[i] ?? response.lastResult;
              });
              return response;
            });
          },
          get: (request) => table.get(request).then(open),
          getMany: (request) => table.getMany(request).then((rows) => rows.map(open)),
          query: (request) =>
            request.values ? table.query(request).then((response) => ({ ...response, result: response.result.map(open) })) : table.query(request),
          openCursor: (request) =>
            request.values === false ? table.openCursor(request) : table.openCursor(request).then((cursor) => cursor && openedCursor(cursor, open)),
        };
      },
    }),
  };
};

const openedCursor = (cursor: DBCoreCursor, open: (row: SealedRow) => Row | undefined): DBCoreCursor =>
  Object.create(cursor, {
    key: { get: () => cursor.key },
    primaryKey: { get: () => cursor.primaryKey },
    value: { get: () => open(cursor.value as SealedRow) },
    continue: { value: (key?: unknown) => cursor.continue(key) },
    continuePrimaryKey: { value: (key: unknown, primaryKey: unknown) => cursor.continuePrimaryKey(key, primaryKey) },
  }) as DBCoreCursor;
