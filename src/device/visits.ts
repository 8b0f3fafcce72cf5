import type { EvidenceNote } from '#contract/entities/care-evidence.ts';
import { recordsNow } from '#contract/rules/certificate-progress.ts';
import { toBase64 } from '#contract/rules/bytes.ts';
import { apiBase } from '#src/api/transport.ts';
import { fetchCertificate, isCertificateHere } from '#src/device/certificates-here.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { evidenceHere, keptFileKey } from '#src/offline/kinds/certificate/commands.ts';
import { draftPrefix, type PersonDb } from '#src/offline/store/person-db.ts';

/**
 * The people an assessor will visit, chosen on this device. Each is downloaded completely: the certificate with its
 * criteria, the assessor's competence, and the evidence files.
 */
type Chosen = { certificate_id: string; name: string; fetched_at: string | null };
const visitsKey = 'visits';
/** Older data is fetched again before a visit counts as ready. */
const freshMs = 16 * 3_600_000;

/** A visit with its state. `missing`: bytes still to be downloaded. */
export type Visit = {
  id: string;
  name: string;
  state: 'ready' | 'missing';
  missing: number;
  files: number;
  drafts: number;
  fetched_at: string | null;
};

const chosenOf = async (db: PersonDb): Promise<Chosen[]> => ((await db.kv.get(visitsKey))?.value as Chosen[] | undefined) ?? [];
const change = (db: PersonDb, to: (before: Chosen[]) => Chosen[]): Promise<void> =>
  db.transaction('rw', db.kv, async () => {
    await db.kv.put({ key: visitsKey, value: to(await chosenOf(db)) });
  });

export const addVisit = (db: PersonDb, { id, name }: { id: string; name: string }): Promise<void> =>
  change(db, (before) => (before.some((v) => v.certificate_id === id) ? before : [...before, { certificate_id: id, name, fetched_at: null }]));

/** The files attached to the current records of a certificate. */
const filesOf = async (db: PersonDb, id: string): Promise<EvidenceNote[]> => {
  const observations = await db.observations.where('certificate_id').equals(id).toArray();
  const order = observations.sort((a, b) => (`${a.received_at ?? '9'} ${a.at}` < `${b.received_at ?? '9'} ${b.at}` ? -1 : 1));
  return [...recordsNow(order).values()].flatMap((record) => record?.evidence ?? []);
};
/** Those that the server has and this device does not. */
const filesMissing = async (db: PersonDb, id: string): Promise<EvidenceNote[]> => {
  const there = new Set(((await db.certificates.get(id))?.evidence ?? []).filter((f) => f.fit).map((f) => f.id));
  const missing: EvidenceNote[] = [];
  for (const note of await filesOf(db, id)) if (there.has(note.id) && (await evidenceHere(db, note.id)) === null) missing.push(note);
  return missing;
};

/** Removes a person and the files downloaded only for the visit. Records and certificate are kept. */
export const removeVisit = async (db: PersonDb, id: string): Promise<void> => {
  const files = await filesOf(db, id);
  await change(db, (before) => before.filter((v) => v.certificate_id !== id));
  await db.kv.bulkDelete(files.map((f) => keptFileKey(f.id)));
};

/** All visits with what is stored of each. */
export const lookAtVisits = async (db: PersonDb): Promise<Visit[]> => {
  const visits: Visit[] = [];
  for (const { certificate_id: id, name, fetched_at } of await chosenOf(db)) {
    const fresh = fetched_at !== null && correctedNow().getTime() - Date.parse(fetched_at) < freshMs && (await isCertificateHere(db, id));
    const missing = await filesMissing(db, id);
    const records = (await db.observations.where('certificate_id').equals(id).primaryKeys()) as string[];
    const drafts = await db.kv.bulkGet([id, ...records].map((about) => `${draftPrefix}observation:${about}`));
    visits.push({
      ...{ id, name, fetched_at, state: fresh && missing.length === 0 ? 'ready' : 'missing' },
      missing: missing.reduce((sum, f) => sum + f.bytes, 0),
      files: (await filesOf(db, id)).length,
      drafts: drafts.filter((d) => d !== undefined).length,
    });
  }
  return visits;
};

/** Thrown if a visit cannot be prepared, with the reason as text. */
export class NotReady extends Error {}

/** Prepares a visit without fetching existing files again. Throws NotReady or a QuotaExceededError; downloaded files are kept. */
export const readyVisit = async (db: PersonDb, id: string, signal: AbortSignal): Promise<void> => {
  const result = await fetchCertificate(db, id);
  if (result.kind !== 'ok')
    throw new NotReady(result.kind === 'refused' ? result.error.message : 'the connection was lost; it will resume where it left off');
  for (const note of await filesMissing(db, id)) {
    signal.throwIfAborted();
    const answer = await fetch(`${apiBase}/care-certificates/${id}/evidence/${note.id}`, { signal }).catch(() => null);
    if (!answer?.ok) throw new NotReady('the connection was lost; it will resume where it left off');
    await db.kv.put({ key: keptFileKey(note.id), value: toBase64(new Uint8Array(await answer.arrayBuffer())) });
  }
  await change(db, (before) =>
    before.map((v) => (v.certificate_id === id ? { ...v, name: result.data.user.name, fetched_at: correctedNow().toISOString() } : v)),
  );
};
