/** The states of a training order, and the transitions between them. Only this table defines them. */
export const orderStates = ['draft', 'submitted', 'approved', 'declined', 'fulfilled', 'cancelled'] as const;
export type OrderState = (typeof orderStates)[number];
export const orderSteps = ['submit', 'reopen', 'approve', 'decline', 'fulfil', 'cancel'] as const;
export type OrderStep = (typeof orderSteps)[number];
/** Who makes a transition: people who order, people who approve, or the provider. */
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
/** The transitions from a state that somebody in these roles can make. */
export const stepsFrom = (state: OrderState, sides: readonly OrderSide[]): OrderStep[] =>
  orderSteps.filter((step) => {
    const transition = transitionOf(state, step);
    return transition !== null && sides.includes(transition.by);
  });

/** Transitions that need a reason. */
export const needsReason = (state: OrderState, step: OrderStep): boolean => step === 'decline' || (step === 'cancel' && state === 'approved');
/** How an order affects a budget: reserved while it waits for approval, or spent. */
export const budgetPart = (state: OrderState): 'reserved' | 'spent' | null =>
  state === 'submitted' ? 'reserved' : state === 'approved' || state === 'fulfilled' ? 'spent' : null;

type Budget = { amount: number; reserved: number; booked: number; spent: number };
/** What is left of a budget, in pence; negative if it is exceeded. */
export const leftOf = ({ amount, reserved, booked, spent }: Budget): number => amount - reserved - booked - spent;
/** Whether an order of this sum exceeds what is left of a budget. Without a budget every order does. */
export const isOverBudget = (gross: number, budget: Budget | null): boolean => budget === null || gross > leftOf(budget);

type Approval = { holdsBudget: boolean; approves: boolean; over: boolean; own: boolean };
/**
 * Why somebody may not approve an order; null if they may. A budget holder decides on every order. Other approvers decide only on orders
 * within the budget: nobody else can approve one that is over it. `own`: they submitted it, and another budget holder was asked.
 */
export const approvalProblem = ({ holdsBudget, approves, over, own }: Approval): string | null => {
  if (own && (holdsBudget || approves)) return 'You submitted this order: somebody else approves it.';
  if (holdsBudget) return null;
  if (!approves) return 'Orders are approved by the budget holder.';
  return over ? 'This order is not within a budget. The budget holder decides on it.' : null;
};
