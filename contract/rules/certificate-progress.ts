import type { Decision, Observation, ObservationRecord } from '#contract/entities/care-certificate.ts';
import type { CareStandards, Criterion } from '#contract/entities/care-standards.ts';

type Method = ObservationRecord['method'];
/** Methods by which practice is seen. Knowledge can be shown by any method. */
const inPractice: readonly Method[] = ['observation', 'natural_evidence', 'witness_testimony'];

/**
 * Whether a criterion can be met by a method. Practice must be seen in real work or reported by a witness; a simulation counts if
 * the criterion allows it. Source: the rules of the Care Certificate on evidence.
 */
export const methodFits = ({ kind, simulation }: Pick<Criterion, 'kind' | 'simulation'>, method: Method): boolean =>
  kind === 'knowledge' || inPractice.includes(method) || (simulation && method === 'simulation');

type Entry = Pick<Observation, 'id' | 'kind' | 'about' | 'record'>;
type Entries = { observations: readonly Entry[]; decisions: readonly Pick<Decision, 'criterion' | 'observation_id'>[] };

/** The original observation of a chain of corrections; null if it is unknown here. */
export const rootOf = (entries: ReadonlyMap<string, Entry>, id: string): string | null => {
  let entry = entries.get(id);
  for (let n = 0; entry && entry.about !== null && n < 1000; n++) entry = entries.get(entry.about);
  return entry?.about === null ? entry.id : null;
};

/** The current content of each observation, by its id: as last corrected, or null if withdrawn. Entries in order of arrival. */
export const recordsNow = (observations: readonly Entry[]): Map<string, ObservationRecord | null> => {
  const entries = new Map(observations.map((o) => [o.id, o]));
  const now = new Map<string, ObservationRecord | null>();
  for (const entry of observations) {
    const root = rootOf(entries, entry.id);
    // A withdrawal is final.
    if (root !== null && now.get(root) !== null) now.set(root, entry.record);
  }
  return now;
};

export type CriterionState = {
  state: 'met' | 'not_yet_met' | 'open';
  /** The observation it is based on. */
  observation_id: string | null;
  action: string | null;
  due: string | null;
};
const open: CriterionState = { state: 'open', observation_id: null, action: null, due: null };

/**
 * The current state of each criterion, by code. A decision counts while its observation does: if that was withdrawn, or corrected
 * so that it no longer mentions the criterion, the criterion is open; if it was corrected to another outcome, that outcome
 * counts.
 */
export const criteriaNow = (standards: Pick<CareStandards, 'standards'>, { observations, decisions }: Entries): Map<string, CriterionState> => {
  const entries = new Map(observations.map((o) => [o.id, o]));
  const records = recordsNow(observations);
  const decided = new Map(decisions.map((d) => [d.criterion, d]));
  const states = new Map<string, CriterionState>();
  for (const criterion of standards.standards.flatMap((s) => s.outcomes.flatMap((o) => o.criteria))) {
    const decision = decided.get(criterion.code);
    const root = decision ? rootOf(entries, decision.observation_id) : null;
    const record = root === null ? null : (records.get(root) ?? null);
    const note = record?.criteria.find((c) => c.criterion === criterion.code);
    if (!root || !record || !note || note.outcome === 'not_observed') states.set(criterion.code, open);
    else {
      const met = note.outcome === 'met' && methodFits(criterion, record.method);
      states.set(criterion.code, {
        state: met ? 'met' : note.outcome === 'met' ? 'open' : 'not_yet_met',
        ...{ observation_id: root, action: note.action, due: note.due },
      });
    }
  }
  return states;
};

export type Met = { met: number; of: number };
export type StandardProgress = Met & { code: string; title: string; knowledge: Met; practice: Met; state: 'met' | 'under_way' | 'not_begun' };
export type CertificateProgress = Met & { standards: StandardProgress[]; standards_met: number; complete: boolean };

/** A certificate's progress by standard, with knowledge and practice separately. It is complete when every criterion is met. */
export const progressOf = (standards: Pick<CareStandards, 'standards'>, entries: Entries): CertificateProgress => {
  const states = criteriaNow(standards, entries);
  const each = standards.standards.map(({ code, title, outcomes }): StandardProgress => {
    const criteria = outcomes.flatMap((o) => o.criteria);
    const stateOf = (c: Criterion) => states.get(c.code)?.state ?? 'open';
    const count = (counted: Criterion[]): Met => ({ met: counted.filter((c) => stateOf(c) === 'met').length, of: counted.length });
    const all = count(criteria);
    const begun = criteria.some((c) => stateOf(c) !== 'open');
    return {
      ...{ code, title, ...all },
      knowledge: count(criteria.filter((c) => c.kind === 'knowledge')),
      practice: count(criteria.filter((c) => c.kind === 'practice')),
      state: all.met === all.of ? 'met' : begun ? 'under_way' : 'not_begun',
    };
  });
  const sum = (pick: (s: StandardProgress) => number) => each.reduce((n, s) => n + pick(s), 0);
  const standards_met = each.filter((s) => s.state === 'met').length;
  return { standards: each, met: sum((s) => s.met), of: sum((s) => s.of), standards_met, complete: standards_met === each.length && each.length > 0 };
};
