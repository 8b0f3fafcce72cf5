import type { PgBoss } from 'pg-boss';
import type { PoolClient } from 'pg';
import { beyondScope } from '#server/db/scope.ts';
import type { Db } from '#server/db/sql.ts';

/** Where the queue's tables are. The role that requests are answered as may not look into it. */
const schema = 'pgboss';
/** The version of those tables that the installed pg-boss works with (its package.json says so; queue.test.ts compares). */
export const queueVersion = 46;

/**
 * Brings the queue's own tables up to date, in the transaction that pg-boss makes of it. The library is loaded only where there is
 * something to do, so that a start costs one statement.
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

/** How soon another server, or the next start, notices that a server has died at a job: a missed heartbeat, and the look for it. */
export const heartbeatSeconds = 10;
const superviseSeconds = 10;

/** The queue over the server's own connections, without a listener: servers wake their own workers, and look for others' jobs. */
export const openQueue = async (db: Db): Promise<PgBoss> => {
  const { PgBoss: Queue } = await import('pg-boss');
  return new Queue({
    db: { executeSql: async (text, values = []) => ({ rows: await beyondScope(() => db.all({ text, values })) }) },
    ...{ schema, createSchema: false, migrate: false, registerInstance: false, monitorVacuum: false, reindex: false },
    ...{ superviseIntervalSeconds: superviseSeconds, monitorIntervalSeconds: superviseSeconds, flowIntervalSeconds: 600 },
    openTelemetry: { enabled: false },
  });
};
