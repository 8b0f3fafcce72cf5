import { can } from '#contract/can.ts';
import type { StoredMatrix } from '#contract/matrix/stored-matrix.ts';
import { needOf } from '#contract/site-map.ts';
import { currentActingAs, currentUser } from '#src/access/session.ts';
import { whenIdle } from '#src/lib/when-idle.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { dropMatricesOf, dropOtherMatrices, keepMatrix, keptMatrix, type MatrixPlace } from '#src/offline/store/kept-matrices.ts';

/** Where this device stores a matrix of the signed-in person for the next time. Its functions never throw. */
export type MatrixKeeper = { read: () => Promise<StoredMatrix | null>; keep: (matrix: StoredMatrix) => void; forget: () => void };

const now = () => correctedNow().getTime();

/** The store for the matrix of a filter. While acting for another organisation nothing is stored or read. */
export const matrixKeeper = (filter: string): MatrixKeeper => {
  const place = (): MatrixPlace | null => {
    const user = currentUser();
    return user && !currentActingAs() ? { person: user.uuid, place: user.primary_entity.id, filter } : null;
  };
  const keyPlace = place();
  return {
    read: async () => keyPlace && keptMatrix(keyPlace, now()),
    keep: (matrix) =>
      whenIdle(() => {
        // The person or the organisation has changed: do not store it.
        if (keyPlace && JSON.stringify(place()) === JSON.stringify(keyPlace)) void keepMatrix(keyPlace, matrix, now());
      }),
    forget: () => void (keyPlace && dropMatricesOf(keyPlace.person)),
  };
};

/** Removes the matrices of other people, and those of a person who may no longer see any. */
export const tidyMatrices = async (): Promise<void> => {
  const user = currentUser();
  if (!user) return;
  if (can(user, needOf('reports-matrix'))) await dropOtherMatrices(user.uuid, user.primary_entity.id, now());
  else await dropMatricesOf(user.uuid).then(() => dropOtherMatrices(user.uuid, user.primary_entity.id, now()));
};
