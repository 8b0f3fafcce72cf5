import { presetEndpoints } from '#contract/api/report-presets.ts';
import { feature } from '#server/feature.ts';
import { presetHandlers } from '#server/features/report-presets/presets.rest.ts';

export const reportPresets = feature(presetEndpoints, presetHandlers);
