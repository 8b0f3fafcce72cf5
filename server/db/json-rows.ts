import { type Db, type Statement, sql, word } from '#server/db/sql.ts';

/** A field of answered rows: the SQL that selects it as a value, the SQL that selects it for JSON, and how that is written. */
type Field = { value: Statement; columns: readonly Statement[]; write: (columns: readonly (string | null)[], at: number) => string };
export type Fields<K extends string> = Readonly<Record<K, Field>>;

const orNull =
  (write: (value: string) => string): Field['write'] =>
  (columns, at) => {
    const value = columns[at];
    return value == null ? 'null' : write(value);
  };
const one = (value: Statement, write: (value: string) => string): Field => ({ value, columns: [value], write: orNull(write) });
const quoted = (value: string) => (value === '' ? '""' : JSON.stringify(value));
/** From the database's text of a UTC time, which omits a zero fraction. */
const asInstant = (time: string): string => {
  const day = time.indexOf(' ');
  const fraction = day + 10;
  return `"${time.slice(0, day)}T${time.slice(day + 1, day + 9)}.${time.slice(fraction, fraction + 3).padEnd(3, '0')}Z"`;
};

export const id = (value: Statement): Field => one(value, (v) => `"${v}"`);
export const text = (value: Statement): Field => one(value, quoted);
export const number = (value: Statement): Field => one(value, (v) => v);
export const flag = (value: Statement): Field => one(value, (v) => (v === 't' ? 'true' : 'false'));
export const time = (value: Statement): Field => ({ value, columns: [sql`(${value} at time zone 'UTC')::text`], write: orNull(asInstant) });
/** A reference to another row in an answer; null where there is none. The name follows from the id. */
export const named = (ref: Statement, name: Statement): Field => ({
  value: sql`case when ${ref} is not null then json_build_object('id', ${ref}, 'name', ${name}) end`,
  columns: [ref, name],
  write: (columns, at) => (columns[at] == null ? 'null' : `{"id":"${columns[at]}","name":${quoted(columns[at + 1] ?? '')}}`),
});

const list = (parts: readonly Statement[]): Statement => parts.reduce((a, b) => sql`${a}, ${b}`);

/** The fields as columns of their names. */
export const columnsOf = (fields: Fields<string>): Statement =>
  list(Object.entries(fields).map(([name, { value }]) => sql`${value} as ${word(name)}`));

/**
 * The rows of `select fields from …` as JSON text, to be sent unchanged. The database returns only the values and no objects are built:
 * building JSON takes it longer than finding the rows, and parsing it costs the driver as much.
 */
export const jsonRows = (fields: Fields<string>) => {
  const all = Object.entries(fields);
  const select = list(all.flatMap(([, { columns }]) => columns));
  return async (on: Db, from: (select: Statement) => Statement): Promise<string> => {
    const rows = await on.written(from(select));
    let at = 0;
    const parts = all.map(([name, { columns, write }], i) => {
      const part = { key: `${i === 0 ? '{' : ','}"${name}":`, at, write, value: undefined as string | null | undefined, json: '' };
      at += columns.length;
      return part;
    });
    let json = '[';
    for (const row of rows) {
      if (json.length > 1) json += ',';
      for (const part of parts) {
        const value = row[part.at] as string | null;
        // Many values repeat those of the row before.
        if (value !== part.value) {
          part.value = value;
          part.json = part.key + part.write(row, part.at);
        }
        json += part.json;
      }
      json += '}';
    }
    return `${json}]`;
  };
};
