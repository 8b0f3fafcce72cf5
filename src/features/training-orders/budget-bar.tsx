import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { TrainingBudget } from '#contract/entities/training-order.ts';
import { leftOf } from '#contract/rules/order-states.ts';
import { moneyWords, penceOf, plainAmount } from '#contract/rules/money.ts';
import { call } from '#src/api/call.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { Section } from '#src/ui/section.tsx';

const Amount = z.object({
  amount: z.int('Enter an amount, for example 5,000.').check(z.gte(0, 'Enter 0 or more.'), z.lte(1_000_000_000, 'Enter no more than £10,000,000.')),
});

/** The remainder of an amount; a negative one in words. */
const leftWords = (left: number): string => (left < 0 ? `${moneyWords(-left)} too much` : `${moneyWords(left)} left`);

const BudgetForm = ({ budget, onDone }: { budget: TrainingBudget; onDone: () => void }) => {
  const form = useForm({
    schema: Amount,
    begin: { amount: budget.amount === null ? '' : plainAmount(budget.amount) },
    toInput: ({ amount }) => ({ amount: penceOf(amount) ?? Number.NaN }),
    save: ({ amount }) => call('PATCH /training-budget', { body: { year: budget.year, amount } }),
    success: 'Saved.',
    onSaved: onDone,
  });
  return (
    <Form
      form={form}
      label="Budget"
      beside={
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      }
    >
      <FormSection title={`Training budget ${budget.year}`}>
        <TextInput
          label="Amount, with VAT"
          description="What orders of your organisation, and of those below it without a budget of their own, may come to in this year."
          leftSection="£"
          inputMode="decimal"
          maxLength={14}
          {...form.field('amount')}
        />
      </FormSection>
    </Form>
  );
};

/** This year's budget for orders, and what is left of it. Administrators of the organisation set it. */
export const BudgetBar = () => {
  const { state, retry } = useRead('GET /training-budget', { query: {} });
  const [setting, setSetting] = useState(false);
  if (state.kind !== 'loaded') return null;
  const budget = state.data;
  if (setting)
    return (
      <BudgetForm
        budget={budget}
        onDone={() => {
          setSetting(false);
          retry();
        }}
      />
    );
  return (
    <Section
      title={`Training budget ${budget.year}`}
      tools={
        budget.may_set && (
          <Button variant="default" onClick={() => setSetting(true)}>
            {budget.amount === null ? 'Set a budget' : 'Change'}
          </Button>
        )
      }
    >
      <p className={layout.count}>
        {budget.amount === null
          ? 'There is no budget for this year. Each order waits for an administrator of the organisation.'
          : `${budget.entity.name}: ${moneyWords(budget.amount)}. ${moneyWords(budget.spent)} is spent, ${moneyWords(budget.booked)} is booked, ${moneyWords(budget.reserved)} waits for approval: ${leftWords(leftOf({ ...budget, amount: budget.amount }))}.`}
      </p>
    </Section>
  );
};
