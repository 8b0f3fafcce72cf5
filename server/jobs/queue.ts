import type { PgBoss } from 'pg-boss';
import type { PoolClient } from 'pg';
import { beyondScope } from '#server/db/scope.ts';
import type { Db } from '#server/db/sql.ts';

/** Schema of the queue's tables, inaccessible to the role that answers requests. */
const schema = 'pgboss';
/** The schema version that the installed pg-boss needs (from its package.json; checked by queue.test.ts). */
export const queueVersion = 46;

/**
 * Migrates the queue's tables, in pg-boss's own transaction. The library is loaded only if there is something to do, so a start
 * costs one statement.
 */
export const migrateQueue = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('${schema}.version') is not null as there`);
  const found = rows[0]?.there ? Number((await client.query<{ version: number }>(`select version from ${schema}.version`)).rows[0]?.version) : null;
  if (found !== null && found >= queueVersion) return;
  const { getConstructionPlans, getMigrationPlans } = await import('pg-boss');
  await client.query(found === null ? getConstructionPlans(schema) : getMigrationPlans(schema, found)).catch(async (error) => {
    await client.query('rollback');
    throw error;
  });
};

/** How soon a dead server's job is noticed: a missed heartbeat and the check for it. */
export const heartbeatSeconds = 10;
const superviseSeconds = 10;

/** Opens the queue on the server's own connections, without a listener: servers wake their own workers and poll for the jobs of others. */
export const openQueue = async (db: Db): Promise<PgBoss> => {
  const { PgBoss: Queue } = await import('pg-boss');
  return new Queue({
    db: { executeSql: async (text, values = []) => ({ rows: await beyondScope(() => db.all({ text, values })) }) },
    ...{ schema, createSchema: false, migrate: false, registerInstance: false, monitorVacuum: false, reindex: false },
    ...{ superviseIntervalSeconds: superviseSeconds, monitorIntervalSeconds: superviseSeconds, flowIntervalSeconds: 600 },
    openTelemetry: { enabled: false },
  });
};
