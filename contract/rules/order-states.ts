/** The states of a training order, and what leads from one to another. This table is the only place that says so. */
export const orderStates = ['draft', 'submitted', 'approved', 'declined', 'fulfilled', 'cancelled'] as const;
export type OrderState = (typeof orderStates)[number];
export const orderSteps = ['submit', 'reopen', 'approve', 'decline', 'fulfil', 'cancel'] as const;
export type OrderStep = (typeof orderSteps)[number];
/** Who takes a step: those who order, those who approve, or the provider. */
export type OrderSide = 'orders' | 'approves' | 'provides';
type Transition = { to: OrderState; by: OrderSide };

export const orderTransitions: Readonly<Record<OrderState, Readonly<Partial<Record<OrderStep, Transition>>>>> = {
  draft: { submit: { to: 'submitted', by: 'orders' }, cancel: { to: 'cancelled', by: 'orders' } },
  submitted: {
    approve: { to: 'approved', by: 'approves' },
    decline: { to: 'declined', by: 'approves' },
    reopen: { to: 'draft', by: 'orders' },
    cancel: { to: 'cancelled', by: 'orders' },
  },
  declined: { reopen: { to: 'draft', by: 'orders' }, cancel: { to: 'cancelled', by: 'orders' } },
  approved: { fulfil: { to: 'fulfilled', by: 'provides' }, cancel: { to: 'cancelled', by: 'provides' } },
  fulfilled: {},
  cancelled: {},
};
export const transitionOf = (state: OrderState, step: OrderStep): Transition | null => orderTransitions[state][step] ?? null;
/** The steps that can be taken from a state by somebody on these sides. */
export const stepsFrom = (state: OrderState, sides: readonly OrderSide[]): OrderStep[] =>
  orderSteps.filter((step) => {
    const transition = transitionOf(state, step);
    return transition !== null && sides.includes(transition.by);
  });

/** Steps that say why. */
export const needsReason = (state: OrderState, step: OrderStep): boolean => step === 'decline' || (step === 'cancel' && state === 'approved');
/** Where money of a budget stands because of an order: it waits for approval, or is spent. */
export const budgetPart = (state: OrderState): 'reserved' | 'spent' | null =>
  state === 'submitted' ? 'reserved' : state === 'approved' || state === 'fulfilled' ? 'spent' : null;

type Budget = { amount: number; reserved: number; booked: number; spent: number };
/** What is left of a budget, in pence; negative where more is taken than there is. */
export const leftOf = ({ amount, reserved, booked, spent }: Budget): number => amount - reserved - booked - spent;
/** Whether an order of this sum is more than what is left of a budget. Without a budget every one is. */
export const isOverBudget = (gross: number, budget: Budget | null): boolean => budget === null || gross > leftOf(budget);

/**
 * Why somebody may not approve an order; null if they may. A budget holder decides on every order. Other approvers decide only on orders
 * within the budget: nobody else can approve one that is over it, least of all their own.
 */
export const approvalProblem = ({ holdsBudget, approves, over }: { holdsBudget: boolean; approves: boolean; over: boolean }): string | null => {
  if (holdsBudget) return null;
  if (!approves) return 'Orders are approved by the budget holder.';
  return over ? 'This order is not within a budget. The budget holder decides on it.' : null;
};
