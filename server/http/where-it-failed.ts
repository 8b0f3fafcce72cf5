import { sqlState } from '#server/db/sql.ts';

const ownFile = /.*\/((?:server|contract)\/[\w./-]+\.ts:\d+)/;

/**
 * The kind and location of an error: `error 22P05 at server/features/…/registers.rows.ts:106`. Without its message, because
 * messages of the database and of parsers quote user input.
 */
export const whereItFailed = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return `a ${typeof thrown} was thrown`;
  const { table, column, constraint } = thrown as { table?: string; column?: string; constraint?: string };
  const code = sqlState(thrown);
  const databasePart = [table, column, constraint].filter((part) => typeof part === 'string').join('.');
  const place = thrown.stack?.split('\n').find((line) => line.trimStart().startsWith('at ') && ownFile.test(line) && !line.includes('server/db/'));
  return [thrown.name, code, databasePart && `of ${databasePart}`, place && `at ${ownFile.exec(place)?.[1]}`].filter(Boolean).join(' ').slice(0, 300);
};

/** An error as logged: enough to fix it, without messages that quote user input. */
export const loggedError = (error: Error) => ({
  ...{ type: error.name, message: error.message.replace(/".*"/s, '"…"'), at: whereItFailed(error) },
  stack: (error.stack ?? '')
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .join('\n'),
  ...(error.cause instanceof Error ? { cause: whereItFailed(error.cause) } : {}),
});
