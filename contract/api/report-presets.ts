import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Count, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';
import { ChosenNames, GoneChoice } from '#contract/reports/chosen.ts';
import { reports } from '#contract/reports/reports.ts';

/** Anyone who may read one of the reports can save its filters. */
export const readsReports = [...new Set(reports.flatMap((r) => r.access))];
export const ReportType = z.enum(reports.map((r) => r.id));
export type ReportType = z.output<typeof ReportType>;

const presetFields = {
  name: NeededLine(100, 'Enter a name.'),
  /** Shared: everybody at the organisation and below it who may read the report sees it. Ours. */
  shared: z.boolean(),
  /** The caller's default: the report opens with it, for them only. Ours. */
  is_default: z.boolean(),
};
/**
 * The filter of a report saved under a name. The filter fields are siblings of these fields, under the names of the report’s own filter
 * (such as `entities`, `courses`, `compliance_type`, `period`); `report_type` is the id of the report.
 */
export const ReportPreset = z.looseObject({
  ...{ id: Id, rev: Count, ...presetFields, report_type: ReportType },
  owner: Ref,
  organisation: Ref,
  /** Whether the caller may change and delete it. */
  can_change: z.boolean(),
  /** Names of the chosen values that exist and that the caller may see. */
  names: ChosenNames,
  /** Chosen values that were deleted or that the caller may not see; they are left out of the filter. */
  gone: z.array(GoneChoice),
  changed_at: Instant,
});
export type ReportPreset = z.output<typeof ReportPreset>;
export const presetLimits = { perPlace: 500 } as const;

const NewPreset = z.looseObject({
  ...{ name: presetFields.name, report_type: ReportType },
  ...{ shared: z._default(presetFields.shared, false), is_default: z._default(presetFields.is_default, false) },
  /** The organisation at which it is saved; default: the one that the caller acts for. */
  acting_as_id: z.optional(Id),
});
const PresetChange = z.looseObject({
  ...{ name: z.optional(presetFields.name), shared: z.optional(presetFields.shared), is_default: z.optional(presetFields.is_default) },
  /** The version that was edited; an older one is answered with 409 and the current one. */
  rev: z.optional(Count),
});

const common = { access: readsReports, offline: 'online-only' } as const;
const reading = ['not_found', 'forbidden', 'unauthenticated'] as const;
const writing = ['invalid_input', 'csrf_mismatch', ...reading] as const;
const params = z.object({ id: Id });

export const listPresets = endpoint({
  ...{ ...common, id: 'listPresets', method: 'GET', path: '/reports/presets' },
  query: z.object({ actingAs: z.optional(z.string().check(z.maxLength(63))), report_type: z.optional(ReportType) }),
  response: z.array(ReportPreset),
  errors: ['invalid_input', ...reading],
  summary: 'Lists the caller’s own presets and those shared with them, by report and name. `report_type` (ours) narrows it to one report.',
});
export const getPreset = endpoint({
  ...{ ...common, id: 'getPreset', method: 'GET', path: '/reports/presets/{id}' },
  ...{ params, response: ReportPreset, errors: reading },
  summary: 'Returns a preset. What it chose that is gone is left out, and counted in `gone`.',
});
export const createPreset = endpoint({
  ...{ ...common, id: 'createPreset', method: 'POST', path: '/reports/presets' },
  ...{ body: NewPreset, response: ReportPreset, status: 201, errors: writing },
  summary: 'Saves the choices of a report under a name.',
});
export const updatePreset = endpoint({
  ...{ ...common, id: 'updatePreset', method: 'PATCH', path: '/reports/presets/{id}' },
  ...{ params, body: PresetChange, response: ReportPreset, errors: ['rev_mismatch', ...writing] },
  summary:
    'Changes a preset: its owner, or with permission entity.update somebody who sees the organisation of a shared one. `is_default` alone may be set by everybody who sees it.',
});
export const deletePreset = endpoint({
  ...{ ...common, id: 'deletePreset', method: 'DELETE', path: '/reports/presets/{id}' },
  ...{ params, status: 204, errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  summary: 'Deletes a preset. Schedules that were made from it go on.',
});

export const presetEndpoints = [listPresets, getPreset, createPreset, updatePreset, deletePreset] as const;
