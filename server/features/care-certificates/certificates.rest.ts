import { randomUUID } from 'node:crypto';
import type { careCertificateEndpoints } from '#contract/api/care-certificates.ts';
import { sql } from '#server/db/sql.ts';
import { applyToCertificate, certificatesOf } from '#server/features/care-certificates/certificates.sql.ts';
import { visiblePerson } from '#server/features/users/visible-person.ts';
import { ProductError } from '#server/http/product-error.ts';
import { noteReplayed, requireActor } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { throwFailure } from '#server/ledger/apply-once.ts';
import type { Services } from '#server/services.ts';

export const certificateHandlers = ({ db, now }: Services): HandlersOf<typeof careCertificateEndpoints> => {
  const etag = (rev: number) => ({ ETag: `"${rev}"` });
  return {
    listCareCertificates: async ({ actor }) => ({ data: await certificatesOf(db, actor) }),
    getCareCertificate: async ({ params, actor }) => {
      const [certificate] = await certificatesOf(db, actor, sql`c.id = ${params.id}`);
      if (!certificate) throw new ProductError('not_found');
      return { data: certificate, headers: etag(certificate.rev) };
    },
    assignCareCertificate: async ({ body, actor }) => {
      if (!(await db.one(sql`select u.id from users u where u.id = ${body.user_id} and u.disabled_at is null and ${visiblePerson(actor)}`)))
        throw new ProductError('not_found');
      await db.run(sql`insert into care_certificates (id, user_id, assigned_by, assigned_at) values (${randomUUID()}, ${body.user_id}, ${actor.user.uuid}, ${now()})
        on conflict (user_id) do nothing`);
      const [certificate] = await certificatesOf(db, actor, sql`c.user_id = ${body.user_id}`);
      return { data: certificate as never };
    },
    updateCareCertificate: async ({ params, body, actor, request, reply }) => {
      requireActor(request, actor);
      await noteReplayed(
        db,
        actor,
        body.changes.map((c) => c.id),
        reply,
      );
      const { certificate, outcomes, failure } = await applyToCertificate(db, actor, params.id, body.changes, now());
      if (failure) throwFailure(failure, certificate, outcomes, now());
      return { data: certificate, meta: { outcomes, server_time: now().toISOString() }, headers: etag(certificate.rev) };
    },
  };
};
