import { protocol } from '#contract/protocol.ts';
import { currentUser } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/**
 * If the app is served from a host other than its main one (VITE_MAIN_HOST) and the server has a newer major version, the
 * browser moves to the main host (specification section 4). That is another origin with its own storage, so this waits
 * until nothing is unsent here.
 */
export const checkVersion = async (): Promise<void> => {
  const main = import.meta.env.VITE_MAIN_HOST as string | undefined;
  if (!main || location.host === main) return;
  const result = await call('GET /version', {}, { quiet: true });
  if (result.kind !== 'ok' || result.data.major <= protocol.version.major) return;
  const user = currentUser();
  if (
    user &&
    (await personDb(user.uuid)
      .outbox.count()
      .catch(() => 1)) > 0
  )
    return;
  location.replace(`https://${main}${location.pathname}${location.search}`);
};
