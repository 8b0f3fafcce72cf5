import type { ObservationRecord, Witness } from '#contract/entities/care-certificate.ts';
import type { DraftFile } from '#src/features/care-certificates/draft-files.ts';
import type { outcomeWords } from '#src/features/care-certificates/words.ts';
import { dayTyped } from '#src/lib/day-text.ts';
import { dayOf, instantAt } from '#src/lib/format.ts';
import { fromLocalTime, toLocalTime } from '#src/lib/local-time.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { draftPrefix } from '#src/offline/store/person-db.ts';

export type Outcome = keyof typeof outcomeWords;
export type Note = { outcome: Outcome; action: string; due: string };
/** The draft of a record, stored at every keystroke. `from`: the activity, or `standard:CODE`. */
export type Draft = {
  from: string | null;
  done_at: string;
  method: ObservationRecord['method'];
  setting: string;
  seen: string;
  feedback: string;
  reason: string;
  notes: Record<string, Note>;
  witness?: Witness | null;
  files?: DraftFile[];
  /** Files of the corrected record that were removed from it. */
  without?: string[];
};
export const none: Note = { outcome: 'not_observed', action: '', due: '' };
export const draftKey = (certificateId: string, about: string | null) => `${draftPrefix}observation:${about ?? certificateId}`;

export const begin = (record: ObservationRecord | null): Draft => ({
  from: null,
  done_at: toLocalTime(record?.done_at ?? correctedNow().toISOString()),
  method: record?.method ?? 'observation',
  setting: record?.setting ?? '',
  seen: record?.seen ?? '',
  feedback: record?.feedback ?? '',
  reason: '',
  witness: record?.witness ?? null,
  notes: Object.fromEntries(
    (record?.criteria ?? []).map((c) => [c.criterion, { outcome: c.outcome, action: c.action ?? '', due: c.due ? dayOf(c.due) : '' }]),
  ),
});

/** The judgement of a criterion. */
export type CriterionNote = Note & { code: string };
/** The draft as input of the rule; invalid dates and times stay as typed. */
export const toInput = (draft: Draft, criteria: readonly CriterionNote[], stays: ObservationRecord['evidence'] = []) => {
  const evidence = [...stays, ...(draft.files ?? [])];
  return {
    ...{ done_at: fromLocalTime(draft.done_at) ?? draft.done_at, method: draft.method, setting: draft.setting, seen: draft.seen },
    ...{ feedback: draft.feedback, reason: draft.reason },
    criteria: criteria.map(({ code, outcome, action, due }) => ({
      ...{ criterion: code, outcome, action: outcome === 'not_yet_met' ? action : null },
      due: outcome === 'not_yet_met' && due !== '' ? (dayTyped(due) ? instantAt(due) : due) : null,
    })),
    ...(draft.witness ? { witness: draft.witness } : {}),
    ...(evidence.length > 0 ? { evidence } : {}),
  };
};
/** The field for a path of the rule. */
export const fieldOf = (path: string, criteria: readonly CriterionNote[], files: readonly { id: string }[]): string => {
  const [part = '', at = '', of] = path.split('.');
  if (part === 'criteria') return of ? `${of}.${criteria[Number(at)]?.code}` : part;
  return part === 'evidence' && at !== '' ? `file.${files[Number(at)]?.id}` : path;
};
