import type { AddSubmission } from '#contract/commands/submission-commands.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { entriesOfThing, laneName } from '#src/offline/kinds/lane.ts';
import { submissionLane } from '#src/offline/kinds/submission/lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { mayMerge } from '#src/offline/outbox/merge-entry.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { takeOut } from '#src/offline/outbox/take-out.ts';
import type { NewEntry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** A person's submissions of certificates from elsewhere. Each call resolves once it is saved on this device. */

type Certificate = Omit<AddSubmission['args'], 'course_id' | 'data'> & { course: { id: string; title: string }; data: string };

/** Submits a certificate, with its file in base64. Resolves with its id, which will be that of its result. */
export const submitCertificate = async (db: PersonDb, { course, ...said }: Certificate): Promise<string> => {
  const id = newId();
  const at = correctedNow().toISOString();
  const { data: _, file, ...shown } = said;
  const entry: NewEntry = {
    ...{ id, lane: laneName('submission', id), command: 'submission.add', args: { course_id: course.id, ...said } },
    ...{ sentence: `Certificate for ${course.title}`, mergeKey: null, at },
  };
  const row = { id, course, ...shown, file_name: file.name, at, status: null };
  await commit(db, db.personId, submissionLane.tables(db), [entry], () => db.submissions.put(row));
  return id;
};

/** Withdraws a certificate: one that was never sent goes to this device's archive; any other is withdrawn on the server. */
export const withdrawSubmission = async (db: PersonDb, { id, title }: { id: string; title: string }): Promise<void> => {
  const at = correctedNow().toISOString();
  const removedIds: string[] = [];
  const lane = laneName('submission', id);
  await commit(
    db,
    db.personId,
    [db.settled, ...submissionLane.tables(db)],
    async () => {
      const waiting = await entriesOfThing(db, lane);
      if (waiting.some((e) => e.command === 'submission.withdraw')) return [];
      const added = waiting.find((e) => e.command === 'submission.add');
      if (!added || !mayMerge(added)) {
        const entry = { id: newId(), lane, command: 'submission.withdraw', args: {}, sentence: `Withdrew the certificate for ${title}` } as const;
        return [{ ...entry, mergeKey: null, at, ...(added ? { dependsOn: [added.id] } : {}) }];
      }
      removedIds.push(added.id);
      await takeOut(db, added, at);
      await db.submissions.delete(id);
      return [];
    },
    () => undefined,
    { gone: removedIds },
  );
};
