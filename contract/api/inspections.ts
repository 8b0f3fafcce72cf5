import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { Hash, Id } from '#contract/entities/fields.ts';
import { Inspection, InspectionCopy, InspectionFound, inspectionLimits, NewInspection } from '#contract/entities/inspection.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

/** Inspection packs are our addition: people who may download the matrix may freeze a pack. */
export const freezesInspections: readonly PermissionSlug[] = ['report.matrix_pdf'];
const common = { ours: true, access: freezesInspections, offline: 'online-only' } as const;
const byId = z.object({ id: Id });
const errors = ['not_found', 'forbidden', 'unauthenticated'] as const;

export const listInspections = endpoint({
  ...{ ...common, id: 'listInspections', method: 'GET', path: '/inspections', response: z.array(Inspection) },
  ...{ query: z.object({ ...pageQuery, ...sortQuery(sorts.inspections) }), errors: ['invalid_input', 'forbidden', 'unauthenticated'] },
  summary: 'Lists the inspection packs of the organisations one can see, the newest first.',
});
export const createInspection = endpoint({
  ...{ ...common, id: 'createInspection', method: 'POST', path: '/inspections', body: NewInspection, response: Inspection, status: 202 },
  errors: ['invalid_input', 'forbidden', 'unauthenticated', 'csrf_mismatch', 'report_too_large', 'too_many_attempts'],
  summary: `Freezes how people stand now as an inspection pack, made in the background: the training of those whom the filter names (at most ${inspectionLimits.people.toLocaleString('en-GB')} people and ${inspectionLimits.lines.toLocaleString('en-GB')} required courses between them; 300 above that), with their certificates and Care Certificates where these are asked for and the caller may see them. Nothing can change or delete it afterwards. An organisation can ask for ${inspectionLimits.aDay} within 24 hours; 429 above that.`,
});
export const getInspection = endpoint({
  ...{ ...common, id: 'getInspection', method: 'GET', path: '/inspections/{id}', params: byId, response: Inspection, errors },
  summary: 'Returns an inspection pack, or how far it is.',
});
export const inspectionCopy = endpoint({
  ...{ ...common, id: 'inspectionCopy', method: 'GET', path: '/inspections/{id}/copy', params: byId, response: InspectionCopy, errors },
  summary: 'Returns what a device keeps of an inspection pack: its data, its list of files and the signature, as the exact texts that were signed.',
});
export const inspectionFile = endpoint({
  ...{ ...common, id: 'inspectionFile', method: 'GET', path: '/inspections/{id}/file', params: byId, file: 'application/octet-stream', errors },
  query: z.object({ format: z._default(z.enum(['pdf', 'zip']), 'pdf') }),
  summary: 'Returns an inspection pack as one PDF, or as a ZIP with that, its data, its certificates, its list of files and the signature.',
});
export const verifyInspection = endpoint({
  ...{ ours: true, access: 'public', offline: 'online-only', duringPasswordChange: true },
  ...{ id: 'verifyInspection', method: 'GET', path: '/inspections/verify/{hash}', params: z.object({ hash: Hash }), response: InspectionFound },
  errors: ['not_found', 'too_many_attempts', 'invalid_input'],
  summary:
    'Returns the inspection pack to which a file belongs, by the SHA-256 (hex) of its bytes: anyone with the unchanged file learns when and by whom it was frozen.',
});

export const inspectionEndpoints = [listInspections, createInspection, getInspection, inspectionCopy, inspectionFile, verifyInspection] as const;
