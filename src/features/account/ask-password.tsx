import { Button, PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { beginSecondStep } from '#contract/api/sign-in.ts';
import type { Result } from '#src/api/transport.ts';
import { Form } from '#src/screens/form.tsx';
import type { Failed } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import layout from '#src/ui/page.module.css';

type Props<T> = {
  /** On the button. */
  action: string;
  children?: ReactNode;
  run: (password: string) => Promise<Result<T> | Failed>;
  onDone: (answer: T) => void;
  onCancel: () => void;
};

/** Asks for the password again before a sign-in method is changed. */
export const AskPassword = <T,>({ action, children, run, onDone, onCancel }: Props<T>) => {
  const fields = useForm({
    schema: beginSecondStep.body,
    begin: { password: '' },
    toInput: (typed) => typed,
    save: ({ password }) => run(password),
    onSaved: onDone,
  });
  return (
    <Form
      form={fields}
      save={action}
      beside={
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <div className={layout.list}>
        {children}
        <PasswordInput
          label="Your password"
          description="To confirm that it is you."
          autoComplete="current-password"
          maw={420}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          {...fields.field('password')}
        />
      </div>
    </Form>
  );
};
