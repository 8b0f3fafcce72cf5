import type { Attempt } from '#contract/entities/attempt.ts';
import type { PersonCompliance } from '#contract/entities/compliance.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { Refusal } from '#contract/entities/refusal.ts';
import type { Result as TrainingResult } from '#contract/entities/result.ts';
import type { SessionDocument } from '#contract/entities/session-document.ts';
import type { UserRow } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { needOf } from '#contract/site-map.ts';
import { currentActingAs, currentUser } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { noteServerCheckIns } from '#src/offline/kinds/check-in/commands.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/** How the person's own pages are read from the server: by the pages themselves, and before the next shift. */
type Failed = Exclude<Result, { kind: 'ok' }>;
type Read<T> = { kind: 'ok'; data: T } | Failed;

/** A person's page with its training record. */
export type PersonPage = { user: UserRow; must: PersonCompliance[]; records: TrainingResult[]; attempts: Attempt[]; evidence: Refusal[] };
export const readPerson = async (uuid: string): Promise<Read<PersonPage>> => {
  const params = { id: uuid };
  const [user, records, attempts, refusals, must] = await Promise.all([
    call('GET /users/{id}', { params }),
    call('GET /users/{id}/training-records', { params }),
    call('GET /users/{id}/attempts', { params, query: {} }),
    call('GET /users/{id}/refusals', { params }),
    call('GET /users/{id}/compliant-courses', { params }),
  ]);
  // A refusal says more than a request that did not arrive.
  const failed = [user, records, attempts, refusals, must]
    .filter((a): a is Failed => a.kind !== 'ok')
    .sort((a) => (a.kind === 'refused' ? -1 : 1))[0];
  if (user.kind === 'ok' && records.kind === 'ok' && attempts.kind === 'ok' && refusals.kind === 'ok' && must.kind === 'ok')
    return {
      kind: 'ok',
      data: {
        ...{ user: user.data, records: records.data, attempts: attempts.data, must: must.data },
        evidence: refusals.data.filter((r) => r.evidence_at !== null),
      },
    };
  return failed ?? { kind: 'unreachable', reason: 'offline' };
};

/** The person's own bookings, with what they checked in to. */
export const readOwnBookings = async (signal?: AbortSignal): Promise<Read<{ bookings: OwnBooking[] }>> => {
  const user = currentUser();
  // People who may not read them can still check in: a refusal must not redirect them.
  const answer = await call('GET /bookings/own', {}, { ...(signal ? { signal } : {}), quiet: !can(user, needOf('your-bookings')) });
  if (answer.kind !== 'ok') return answer;
  if (user && !currentActingAs()) await noteServerCheckIns(personDb(user.uuid), answer.data).catch(() => undefined);
  return { kind: 'ok', data: { bookings: answer.data } };
};

/** The documents of a session. */
export const readSessionDocuments = async (id: string, signal?: AbortSignal): Promise<Read<{ documents: SessionDocument[] }>> => {
  const answer = await call('GET /training-sessions/{id}/documents', { params: { id } }, { ...(signal ? { signal } : {}), quiet: true });
  return answer.kind === 'ok' ? { kind: 'ok', data: { documents: answer.data } } : answer;
};

/** A large file takes long over a bad connection. */
const fileOptions = { timeoutMs: 600_000, quiet: true } as const;
export const readSessionDocument = (id: string, document: string): Promise<Result<Blob>> =>
  call('GET /training-sessions/{id}/documents/{document}/file', { params: { id, document } }, fileOptions);
export const readBookingDocument = (id: string, document: string): Promise<Result<Blob>> =>
  call('GET /bookings/own/{id}/documents/{document}/file', { params: { id, document } }, fileOptions);
export const readCertificate = (id: string): Promise<Result<Blob>> => call('GET /results/{id}/certificate', { params: { id } }, { quiet: true });
