import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { can } from '#contract/can.ts';
import { freezesInspections } from '#contract/api/inspections.ts';
import type { InspectionManifest, NewInspection } from '#contract/entities/inspection.ts';
import { inspectionFiles } from '#contract/rules/inspection-check.ts';
import { pathTo } from '#contract/site-map.ts';
import { type Actor, asActor } from '#server/actor.ts';
import { beyondScope } from '#server/db/scope.ts';
import { sql } from '#server/db/sql.ts';
import { brandOf } from '#server/features/branding/branding.rows.ts';
import { createPictures } from '#server/features/branding/pictures.service.ts';
import { careCertificatesOf } from '#server/features/care-certificates/certificates.service.ts';
import { documentOf, type Frozen } from '#server/features/inspections/document.rows.ts';
import { howToCheck, inspectionPdf } from '#server/features/inspections/inspection-pdf.ts';
import { certificatePdfs } from '#server/features/results/certificate-pdf.service.ts';
import { certificateOf, createLooks } from '#server/features/results/certificates.rows.ts';
import { fileNamePart, uniqueNames } from '#server/files/file-names.ts';
import { storedZip, type ZippedFile } from '#server/files/stored-zip.ts';
import { type Job, JobEnds } from '#server/jobs/job.ts';
import { signerOf } from '#server/security/signing.ts';
import type { Services } from '#server/services.ts';

/** Certificates drawn with one font, and held in memory. */
const batch = 200;
const signingPurpose = 'inspection packs';
type Row = { id: string; name: string; asked: NewInspection; chosen: string; entity_id: string; asked_by: string; acting_as_id: string | null };

const sha256 = (pieces: readonly Uint8Array[]): string => {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
};

/**
 * Makes an inspection pack: reads everything at one moment, draws its files, and writes the whole at once. If the server stops before that,
 * it is made again from the beginning, with the state of that time.
 */
export const freezeJob = (services: Services): Job => {
  const { db, files, config, sessions, now, secretKey } = services;
  const signer = signerOf(secretKey, signingPurpose);

  const filesOf = async function* (
    actor: Actor,
    { document, certificates, careCertificates }: Frozen,
    pdf: Buffer,
    onFiles: (done: number) => Promise<void>,
  ): AsyncGenerator<ZippedFile> {
    yield { name: inspectionFiles.document, pieces: [pdf] };
    yield { name: inspectionFiles.data, pieces: [Buffer.from(JSON.stringify(document))] };
    const unique = uniqueNames();
    const lookOf = createLooks(db, files, config);
    let done = 0;
    for (let from = 0; from < certificates.length; from += batch) {
      const some = certificates.slice(from, from + batch);
      const drawn = [];
      for (const row of some) drawn.push(certificateOf(row, await lookOf(row)));
      let i = 0;
      for await (const pieces of certificatePdfs(drawn)) {
        const row = some[i++] as (typeof some)[number];
        yield { name: unique(`certificates/${fileNamePart(row.name)} - ${fileNamePart(row.course)}`, 'pdf'), pieces };
      }
      done += some.length;
      await onFiles(done);
    }
    const care = careCertificatesOf(services);
    for (const id of careCertificates) {
      const { file, name } = await care.file(actor, id);
      yield { name: unique(`care-certificates/${fileNamePart(name.replace(/\.pdf$/, ''))}`, 'pdf'), pieces: [file] };
      await onFiles(++done);
    }
    yield { name: 'how-to-check.txt', pieces: [Buffer.from(howToCheck(config, signer.publicKey))] };
  };

  const freeze = async (actor: Actor, row: Row, progress: (done: number, total: number) => Promise<void>): Promise<void> => {
    const { whitelabel: brand } = await brandOf(db, row.entity_id);
    const zone = (await db.one<{ time_zone: string }>(sql`select time_zone from entities where id = ${row.entity_id}`))?.time_zone ?? 'UTC';
    const { asked, name, chosen } = row;
    const may = {
      certificates: asked.certificates && can(actor.user, 'certificate.user'),
      care: asked.care_certificates && can(actor.user, 'care_certificate.download'),
    };
    const frozen = await db.tx((tx) => documentOf(tx, actor, { asked, name, chosen, zone, brand, may }, now()));
    const { document, certificates, careCertificates } = frozen;
    if (document.people.length === 0) throw new JobEnds('stopped', 'Nobody matches these choices any more.');
    const total = certificates.length + careCertificates.length;
    await progress(0, total);
    const pdf = await inspectionPdf(document, { brand, logo: await createPictures(files).bytesOf(brand.logo), verifyAt: verifyAt(config) });
    const previous =
      (
        await db.one<{ hash: string }>(
          sql`select hash from inspections i where entity_id = ${row.entity_id} and hash is not null
            and not exists (select 1 from inspections l where l.entity_id = i.entity_id and l.previous = i.hash)`,
        )
      )?.hash ?? null;
    const listed: InspectionManifest['files'] = [];
    let manifest = '';
    let signature = '';
    const all = async function* (): AsyncGenerator<ZippedFile> {
      for await (const file of filesOf(actor, frozen, pdf, (done) => progress(done, total))) {
        listed.push({ name: file.name, bytes: file.pieces.reduce((sum, p) => sum + p.length, 0), sha256: sha256(file.pieces) });
        yield file;
      }
      const packManifest: InspectionManifest = {
        format: 'lantern-inspection-1',
        ...{ id: row.id, name, organisation: document.organisation, frozen_at: document.frozen_at, frozen_by: document.frozen_by },
        ...{ previous, files: listed },
      };
      manifest = JSON.stringify(packManifest);
      signature = JSON.stringify({ algorithm: 'Ed25519', public_key: signer.publicKey, signature: signer.sign(manifest) });
      yield { name: inspectionFiles.manifest, pieces: [Buffer.from(manifest)] };
      yield { name: inspectionFiles.signature, pieces: [Buffer.from(signature)] };
    };
    const zip = await files.putStream(Readable.from(storedZip(all(), new Date(document.frozen_at))));
    const pdfHash = await files.put(pdf);
    const dataHash = await files.put(Buffer.from(JSON.stringify(document)));
    await db.tx(async (tx) => {
      // Its files come first: once it has a hash, nothing in it changes.
      await tx.run(sql`insert into inspection_files (inspection_id, name, hash)
        select ${row.id}, f.name, f.hash from unnest(${listed.map((f) => f.name)}::text[], ${listed.map((f) => f.sha256)}::text[]) as f (name, hash) on conflict do nothing`);
      await tx.run(sql`update inspections set frozen_at = ${document.frozen_at}, previous = ${previous}, hash = ${sha256([Buffer.from(manifest)])},
        manifest = ${manifest}, signature = ${signature}, data_hash = ${dataHash}, pdf_hash = ${pdfHash}, pdf_bytes = ${pdf.length},
        zip_hash = ${zip.hash}, zip_bytes = ${zip.bytes}, people = ${document.people.length}, courses = ${document.courses.length},
        certificates = ${certificates.length}, care_certificates = ${careCertificates.length},
        required = ${document.required}, in_date = ${document.in_date}, score = ${document.score} where id = ${row.id} and hash is null`);
    });
  };

  return {
    title: (subject) => `Inspection pack: ${subject}`,
    unit: 'certificates',
    seenBy: freezesInspections,
    ...{ canCancel: true, limitMinutes: 60, tries: 3, atOnce: 1 },
    link: (id) => pathTo('reports-inspections-by-id', { id }),
    run: async ({ key, progress }) => {
      const row = await db.one<Row>(
        sql`select id, name, asked, chosen, entity_id, asked_by, acting_as_id from inspections where id::text = ${key} and hash is null`,
      );
      if (!row) return;
      const person = await sessions.actorOf(row.asked_by, '', 'token');
      const actor = person && row.acting_as_id ? await sessions.actingFor(person, row.acting_as_id) : person;
      if (!actor || actor.place.id !== row.entity_id || !can(actor.user, freezesInspections))
        throw new JobEnds('stopped', 'The person who asked for it can no longer see it.');
      await asActor(actor, () => freeze(actor, row, (done, total) => beyondScope(() => progress(done, total))));
    },
  };
};

const verifyAt = ({ PUBLIC_URL }: Services['config']): string => `${PUBLIC_URL}${pathTo('verify-inspection')}`;
