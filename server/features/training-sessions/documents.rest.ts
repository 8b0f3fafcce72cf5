import type { sessionDocumentEndpoints } from '#contract/api/session-documents.ts';
import type { StoredDocument } from '#server/features/training-sessions/documents.rows.ts';
import { documentsOf } from '#server/features/training-sessions/documents.service.ts';
import { ownBookingsOf } from '#server/features/training-sessions/own-bookings.service.ts';
import { existing } from '#server/db/rows.ts';
import { fileNamePart } from '#server/files/file-names.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const sessionDocumentHandlers = (services: Services): HandlersOf<typeof sessionDocumentEndpoints> => {
  const documents = documentsOf(services);
  const ownBookings = ownBookingsOf(services);
  /** Downloaded under its name, never displayed within the product's pages, and not cached. */
  const answer = async ({ hash, name, ending, type }: StoredDocument) => {
    const bytes = existing(await services.files.size(hash));
    return {
      ...{ file: services.files.read(hash), type, name: `${fileNamePart(name)}.${ending}` },
      headers: { 'Cache-Control': 'private, no-store', 'Content-Length': String(bytes) },
    };
  };
  return {
    listSessionDocuments: async ({ params, actor }) => ({ data: await documents.list(actor, params.id) }),
    addSessionDocument: async ({ params, body, ...by }) => ({ data: await documents.add(by, params.id, body) }),
    changeSessionDocument: async ({ params, body, ...by }) => ({ data: await documents.change(by, params.id, params.document, body) }),
    removeSessionDocument: async ({ params, query, ...by }) => ({ data: await documents.remove(by, params.id, params.document, query.following) }),
    readSessionDocument: async ({ params, actor }) => answer(await documents.stored(actor, params.id, params.document)),
    readOwnDocument: async ({ params, actor }) => answer(await ownBookings.document(actor, params.id, params.document)),
  };
};
