import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import type { CareStandards } from '#contract/entities/care-standards.ts';
import { criteriaNow, progressOf, recordsNow, rootOf } from '#contract/rules/certificate-progress.ts';
import { dayIn } from '#contract/rules/days.ts';
import { signedOf } from '#contract/rules/signed.ts';

const dayMs = 86_400_000;
/** A care certificate is usually completed in twelve weeks. Source: the guidance on the Care Certificate. */
export const usualDays = 84;
/** The pace is measured over the last four weeks. */
const paceDays = 28;
const shortestPaceDays = 7;
const beginsWithinDays = 14;
const quietAfterDays = 21;

/** Reasons why a certificate is not progressing, most urgent first. */
export const stuckReasons = ['sent_back', 'disagrees', 'action_overdue', 'not_begun', 'quiet', 'behind', 'unverified', 'unsigned'] as const;
export type StuckReason = (typeof stuckReasons)[number];

export type Outlook = {
  days: number;
  /** When all criteria will be met at the pace of the last four weeks, ISO in UTC; null if none was met in them. */
  forecast: string | null;
  /** The end of the usual twelve weeks. */
  usual_end: string;
  reasons: StuckReason[];
};

/**
 * How a certificate that is not yet approved is progressing, and what holds it up. Pure. The pace counts criteria by the time of
 * observation, not of sending.
 */
export const outlookOf = (standards: Pick<CareStandards, 'standards'>, certificate: CareCertificate, now: Date, zone: string): Outlook => {
  const { observations, decisions, signatures, approvals, assigned_at } = certificate;
  const progress = progressOf(standards, certificate);
  const begun = Date.parse(assigned_at);
  const days = Math.max(0, Math.floor((now.getTime() - begun) / dayMs));
  const records = recordsNow(observations);
  const byId = new Map(observations.map((o) => [o.id, o]));
  const standing = [...records].flatMap(([root, record]) => (record ? [{ root, record }] : []));
  const lastSeen = Math.max(begun, ...standing.map(({ record }) => Date.parse(record.done_at)));
  const states = criteriaNow(standards, certificate);
  const pace = Math.min(Math.max(days, shortestPaceDays), paceDays);
  const since = now.getTime() - pace * dayMs;
  const lately = decisions.filter((d) => {
    const root = rootOf(byId, d.observation_id);
    const record = root === null ? null : records.get(root);
    return states.get(d.criterion)?.state === 'met' && record && Date.parse(record.done_at) >= since;
  }).length;
  const left = progress.of - progress.met;
  const forecast = left === 0 ? now.getTime() : lately === 0 ? null : now.getTime() + (left / lately) * pace * dayMs;
  const usualEnd = begun + usualDays * dayMs;
  const signed = standing.map(({ root, record }) => ({ record, ...signedOf(observations, signatures, root) }));
  const last = approvals.at(-1);
  const quietFor = (now.getTime() - lastSeen) / dayMs;
  const is: Record<StuckReason, boolean> = {
    sent_back: last !== undefined && !last.approved && standing.every(({ record }) => record.done_at <= last.at),
    disagrees: signed.some((s) => s.learner?.agrees === false),
    action_overdue: [...states.values()].some((s) => s.state === 'not_yet_met' && s.due !== null && dayIn(s.due, zone) < dayIn(now, zone)),
    not_begun: standing.length === 0 && days >= beginsWithinDays,
    quiet: standing.length > 0 && left > 0 && quietFor >= quietAfterDays,
    behind: left > 0 && (now.getTime() > usualEnd || (forecast !== null && forecast > usualEnd)),
    unverified: signed.some((s) => s.record.witness !== undefined && s.verifier === null),
    unsigned: left === 0 && signed.some((s) => s.learner === null),
  };
  return {
    days,
    forecast: forecast === null ? null : new Date(forecast).toISOString(),
    usual_end: new Date(usualEnd).toISOString(),
    reasons: stuckReasons.filter((reason) => is[reason]),
  };
};
