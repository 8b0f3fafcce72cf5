import { can } from '#contract/can.ts';
import { needOf } from '#contract/site-map.ts';
import { PathwayDetailDocument, PathwaysDocument, type PathwaysQuery } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import { currentUser } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { fetchCertificate, isCertificateHere } from '#src/device/certificates-here.ts';
import { dropOtherFiles, keepFile, type KeptFileName, keptFileNames } from '#src/device/kept-files.ts';
import { type KeptName, keepPage, keptPage } from '#src/device/kept-pages.ts';
import {
  readBookingDocument,
  readCertificate,
  readOwnBookings,
  readPerson,
  type PersonPage,
  readSessionDocument,
  readSessionDocuments,
} from '#src/device/own-pages.ts';
import { keepRegisters } from '#src/device/registers.ts';
import { dayFrom } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import type { PersonDb, RegisterRow } from '#src/offline/store/person-db.ts';

/**
 * What the next shift needs besides courses and the people to observe: the person's own pages with their files, and a trainer's
 * registers with the documents of their sessions. Each part is fetched again whenever somebody makes ready, so that *On this device*
 * means as it is now.
 */
type File = { name: KeptFileName; bytes: number; read: () => Promise<Result<Blob>> };
type Fetched = 'yes' | 'no' | 'not theirs';
type Source = {
  id: string;
  title: string;
  /** Fetches and stores it. `not theirs`: the person has no such page. */
  fetch: () => Promise<Fetched>;
  /** Whether it opens without the server. */
  isHere: () => Promise<boolean>;
  files: () => Promise<File[]>;
};
/** `stale`: it opens, but could not be brought up to date. `missing`: bytes, or 0 if unknown. */
export type ShiftPart = { id: string; title: string; state: 'ready' | 'missing' | 'stale'; missing: number; filesMissing: number };

const fetchedOr = (answer: { kind: string }): Fetched => (answer.kind === 'refused' ? 'not theirs' : 'no');
const isKept = async (name: KeptName) => (await keptPage(name).catch(() => null)) !== null;
const noFiles = async (): Promise<File[]> => [];

type OwnPathways = PathwaysQuery['pathways']['data'];
const mostPages = 50;
const fetchPathways = async (): Promise<Fetched> => {
  const own: OwnPathways = [];
  for (let page = 1; page <= mostPages; page++) {
    const answer = await graphCall(PathwaysDocument, { page, search: '', mine: true, sort: null });
    if (answer.kind !== 'ok') return fetchedOr(answer);
    own.push(...answer.data.pathways.data.filter((p) => p.mine));
    if (page >= answer.data.pathways.paginatorInfo.lastPage) break;
  }
  for (const { id } of own) {
    const answer = await graphCall(PathwayDetailDocument, { id });
    if (answer.kind !== 'ok') return 'no';
    await keepPage(`pathway:${id}`, answer.data.pathway);
  }
  await keepPage('own-pathways', own);
  return 'yes';
};
const pathwaysAreHere = async () => {
  const kept = await keptPage<OwnPathways>('own-pathways');
  return kept !== null && (await Promise.all(kept.value.map(({ id }) => isKept(`pathway:${id}`)))).every(Boolean);
};

const fetchBookings = async (): Promise<Fetched> => {
  const answer = await readOwnBookings();
  if (answer.kind !== 'ok') return fetchedOr(answer);
  await keepPage('own-bookings', answer.data);
  return 'yes';
};
const bookingFiles = async (): Promise<File[]> => {
  const kept = await keptPage<{ bookings: { id: string; ends_at: string; state: string; documents?: { id: string; bytes: number }[] }[] }>(
    'own-bookings',
  );
  const coming = (kept?.value.bookings ?? []).filter((b) => b.ends_at > correctedNow().toISOString() && b.state === 'booked');
  return coming.flatMap((b) =>
    (b.documents ?? []).map((d) => ({
      name: `booking-document:${b.id}:${d.id}` as const,
      bytes: d.bytes,
      read: () => readBookingDocument(b.id, d.id),
    })),
  );
};

const certificateFiles = async (): Promise<File[]> => {
  if (!can(currentUser(), 'certificate.own')) return [];
  const kept = await keptPage<PersonPage>('own-record');
  const now = correctedNow().toISOString();
  return (kept?.value.records ?? [])
    .filter((r) => r.certificate && (r.expires_at === null || r.expires_at > now))
    .map((r) => ({ name: `certificate:${r.id}` as const, bytes: 0, read: () => readCertificate(r.id) }));
};

/** The trainer's registers of today and tomorrow on this device, in order. */
export const nextRegisters = async (db: PersonDb): Promise<RegisterRow[]> => {
  const [from, to] = [0, 1].map((days) => dayFrom(correctedNow(), days)) as [string, string];
  return (await db.registers.toArray())
    .filter((r) => r.trainer.id === db.personId && r.date >= from && r.date <= to && !r.cancelled && !r.completed)
    .sort((a, b) => (`${a.date} ${a.startTime}` < `${b.date} ${b.startTime}` ? -1 : 1));
};
type Documents = { documents: { id: string; bytes: number }[] };
const fetchDocuments = async (db: PersonDb): Promise<Fetched> => {
  for (const { id } of await nextRegisters(db)) {
    const answer = await readSessionDocuments(id);
    if (answer.kind !== 'ok') return 'no';
    await keepPage(`session-documents:${id}`, answer.data);
  }
  return 'yes';
};
const documentFiles = async (db: PersonDb): Promise<File[]> => {
  const files: File[] = [];
  for (const { id } of await nextRegisters(db))
    for (const d of (await keptPage<Documents>(`session-documents:${id}`))?.value.documents ?? [])
      files.push({ name: `session-document:${id}:${d.id}`, bytes: d.bytes, read: () => readSessionDocument(id, d.id) });
  return files;
};

const sourcesOf = (db: PersonDb, careCertificate: string): Source[] => {
  const user = currentUser();
  const trains = can(user, 'delegate.mark');
  let ownCertificate: string | null = null;
  return [
    ...(trains
      ? [
          {
            ...{ id: 'registers', title: 'Your registers', files: noFiles },
            fetch: async (): Promise<Fetched> => ((await keepRegisters()) ? 'yes' : 'no'),
            isHere: async () => true,
          },
          {
            ...{ id: 'documents', title: 'Documents of your sessions', fetch: () => fetchDocuments(db), files: () => documentFiles(db) },
            isHere: async () => (await Promise.all((await nextRegisters(db)).map(({ id }) => isKept(`session-documents:${id}`)))).every(Boolean),
          },
        ]
      : []),
    ...(can(user, needOf('your-bookings'))
      ? [{ id: 'bookings', title: 'Your bookings', fetch: fetchBookings, isHere: () => isKept('own-bookings'), files: bookingFiles }]
      : []),
    { id: 'pathways', title: 'Your pathways', fetch: fetchPathways, isHere: pathwaysAreHere, files: noFiles },
    {
      ...{ id: 'record', title: 'Your training record and certificates', isHere: () => isKept('own-record'), files: certificateFiles },
      fetch: async () => {
        const answer = await readPerson(db.personId);
        if (answer.kind !== 'ok') return fetchedOr(answer);
        await keepPage('own-record', answer.data);
        return 'yes';
      },
    },
    {
      ...{ id: 'own-care-certificate', title: `Your ${careCertificate}`, files: noFiles },
      fetch: async () => {
        const list = await call('GET /care-certificates', { query: { state: 'either', search: user?.name } }, { quiet: true });
        if (list.kind !== 'ok') return fetchedOr(list);
        ownCertificate = list.data.find((row) => row.user.id === db.personId)?.id ?? null;
        if (ownCertificate === null) return 'not theirs';
        return (await fetchCertificate(db, ownCertificate)).kind === 'ok' ? 'yes' : 'no';
      },
      isHere: async () => {
        const id = ownCertificate ?? (await db.certificates.filter((c) => c.user.id === db.personId).first())?.id;
        return id !== undefined && (await isCertificateHere(db, id));
      },
    },
  ];
};

/** Fetches every part, and says of each whether it opens without the server, as it is now. `careCertificate`: the organisation's word. */
export const lookAtShift = async (db: PersonDb, careCertificate: string): Promise<ShiftPart[]> => {
  const parts: ShiftPart[] = [];
  const names = await keptFileNames();
  const needed = new Set<string>();
  let allKnown = true;
  for (const source of sourcesOf(db, careCertificate)) {
    const fetched = await source.fetch().catch(() => 'no' as const);
    if (fetched === 'not theirs') continue;
    const here = await source.isHere().catch(() => false);
    if (fetched === 'no') allKnown = false;
    // Of a part that was never received, it is not known whether the person has it.
    if (fetched === 'no' && !here && source.id === 'own-care-certificate') continue;
    const files = here ? await source.files() : [];
    for (const { name } of files) needed.add(name);
    const lacking = files.filter((f) => !names.has(f.name));
    parts.push({
      ...{ id: source.id, title: source.title },
      state: !here || lacking.length > 0 ? 'missing' : fetched === 'yes' ? 'ready' : 'stale',
      missing: lacking.reduce((sum, f) => sum + f.bytes, 0),
      filesMissing: lacking.length,
    });
  }
  if (allKnown) await dropOtherFiles(needed).catch(() => undefined);
  return parts;
};

/** Downloads the files that are missing. Returns the titles of parts that could not be downloaded completely. Throws a QuotaExceededError. */
export const keepShiftFiles = async (db: PersonDb, careCertificate: string, signal: AbortSignal): Promise<string[]> => {
  const failed: string[] = [];
  for (const source of sourcesOf(db, careCertificate)) {
    const names = await keptFileNames();
    for (const file of await source.files().catch(() => []))
      if (!names.has(file.name) && !signal.aborted && !(await keepFile(file.name, file.read)) && !failed.includes(source.title))
        failed.push(source.title);
  }
  return failed;
};
