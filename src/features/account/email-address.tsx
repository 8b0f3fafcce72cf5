import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { updateEmail } from '#contract/api/auth.ts';
import { call } from '#src/api/call.ts';
import { Form } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import layout from '#src/ui/page.module.css';

const Change = ({ onCancel, onSent }: { onCancel: () => void; onSent: (message: string) => void }) => {
  const fields = useForm({
    schema: updateEmail.body,
    begin: { email: '', password: '' },
    toInput: (typed) => typed,
    save: (body) => call('POST /auth/update-email', { body }),
    onSaved: ({ message }) => onSent(message),
  });
  return (
    <Form
      form={fields}
      label="Change e-mail address"
      save="Send link"
      beside={
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <div className={layout.list}>
        <TextInput label="New e-mail address" type="email" autoComplete="email" maxLength={254} maw={420} {...fields.field('email')} />
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

/** The signed-in person's e-mail address. A new one replaces it once confirmed through the link sent to it. */
export const EmailAddress = ({ address, verified }: { address: string; verified: boolean }) => {
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState<string | null>(null);
  return (
    <>
      <Text>
        {address}
        {verified ? '' : ' (not confirmed yet)'}
      </Text>
      {sent && (
        <p className={layout.notice} data-tone="ok" role="status">
          {sent} Until then, sign in with {address}.
        </p>
      )}
      {open ? (
        <Change
          onCancel={() => setOpen(false)}
          onSent={(message) => {
            setSent(message);
            setOpen(false);
          }}
        />
      ) : (
        <Group>
          <Button
            variant="default"
            onClick={() => {
              setSent(null);
              setOpen(true);
            }}
          >
            Change e-mail address
          </Button>
        </Group>
      )}
    </>
  );
};
