import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  approvalProblem,
  budgetPart,
  isOverBudget,
  type OrderSide,
  type OrderState,
  orderStates,
  orderSteps,
  stepsFrom,
  transitionOf,
} from '#contract/rules/order-states.ts';

const walk = fc.array(fc.constantFrom(...orderSteps), { maxLength: 30 });
/** The states that an order passes through when these steps are tried one after another. */
const statesOn = (steps: readonly (typeof orderSteps)[number][]): OrderState[] => {
  const states: OrderState[] = ['draft'];
  for (const step of steps) {
    const state = states.at(-1) ?? 'draft';
    states.push(transitionOf(state, step)?.to ?? state);
  }
  return states;
};

test('nothing is spent before somebody who approves has approved it, whatever is tried', () => {
  fc.assert(
    fc.property(walk, (steps) => {
      const states = statesOn(steps);
      const spent = states.findIndex((s) => budgetPart(s) === 'spent');
      if (spent >= 0) {
        expect(states[spent - 1]).toBe('submitted');
        expect(transitionOf('submitted', steps[spent - 1] ?? 'submit')?.by).toBe('approves');
      }
    }),
  );
});

test('what has ended stays as it is, and every other state can be left and reached', () => {
  fc.assert(
    fc.property(walk, (steps) => {
      const states = statesOn(steps);
      for (const end of ['fulfilled', 'cancelled'] as const) if (states.includes(end)) expect(states.at(-1)).toBe(end);
    }),
  );
  const all: OrderSide[] = ['orders', 'approves', 'provides'];
  expect(orderStates.filter((s) => stepsFrom(s, all).length === 0)).toEqual(['fulfilled', 'cancelled']);
  const reached = new Set(orderStates.flatMap((s) => stepsFrom(s, all).map((step) => transitionOf(s, step)?.to)));
  expect([...reached].sort()).toEqual([...orderStates].sort());
});

test('once it is approved, the client changes nothing of it, and the provider nothing before that', () => {
  expect(stepsFrom('approved', ['orders', 'approves'])).toEqual([]);
  for (const state of ['draft', 'submitted', 'declined'] as const) expect(stepsFrom(state, ['provides'])).toEqual([]);
});

test('only a budget holder approves an order that is over budget, and nobody what they submitted themselves where somebody else is asked', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), (holdsBudget, approves, over, own) => {
      expect(approvalProblem({ holdsBudget, approves, over, own }) === null).toBe(!own && (holdsBudget || (approves && !over)));
    }),
  );
  expect([isOverBudget(100, null), isOverBudget(100, { amount: 100, reserved: 0, booked: 0, spent: 0 })]).toEqual([true, false]);
  expect([
    isOverBudget(100, { amount: 300, reserved: 100, booked: 50, spent: 51 }),
    isOverBudget(0, { amount: 0, reserved: 0, booked: 0, spent: 0 }),
  ]).toEqual([true, false]);
});
