import type { LicenceShortage } from '#contract/rules/licence-use.ts';
import type { OrderState, OrderStep } from '#contract/rules/order-states.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';

export const stateWords: Record<OrderState, string> = {
  draft: 'Draft',
  submitted: 'Waiting for approval',
  approved: 'Approved',
  declined: 'Declined',
  fulfilled: 'Fulfilled',
  cancelled: 'Cancelled',
};
const tones: Record<OrderState, Tone> = {
  draft: 'plain',
  submitted: 'warning',
  approved: 'ok',
  declined: 'danger',
  fulfilled: 'ok',
  cancelled: 'plain',
};
export const StateBadge = ({ state }: { state: OrderState }) => <Badge tone={tones[state]}>{stateWords[state]}</Badge>;

/** A warning that licences of an order are running out. */
export const shortageWords: Record<LicenceShortage, string> = { few: 'Few licences left', none: 'No licences left' };
export const ShortageBadge = ({ shortage }: { shortage: LicenceShortage }) => (
  <Badge tone={shortage === 'none' ? 'danger' : 'warning'}>{shortageWords[shortage]}</Badge>
);

/** The button's label, the message afterwards, and the line in the history. */
export const stepWords: Record<OrderStep, { button: string; confirmation: string; history: string }> = {
  submit: { button: 'Submit for approval', confirmation: 'Submitted. The budget holder has been told.', history: 'Submitted' },
  reopen: { button: 'Withdraw', confirmation: 'The order is a draft again.', history: 'Withdrawn' },
  approve: { button: 'Approve', confirmation: 'Approved.', history: 'Approved' },
  decline: { button: 'Decline …', confirmation: 'Declined. The person who ordered has been told.', history: 'Declined' },
  fulfil: { button: 'Mark as fulfilled', confirmation: 'Fulfilled. The person who ordered has been told.', history: 'Fulfilled' },
  cancel: { button: 'Cancel the order …', confirmation: 'The order is cancelled.', history: 'Cancelled' },
};
