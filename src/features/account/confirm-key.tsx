import { Button, Text, TextInput } from '@mantine/core';
import { confirmSecondStep } from '#contract/api/sign-in.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/account/sign-in-ways.module.css';
import { Form } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import layout from '#src/ui/page.module.css';
import { QrCode } from '#src/ui/qr-code.tsx';

type Props = { secret: string; uri: string; onDone: (codes: string[]) => void; onCancel: () => void };
/** Shows the key for an authenticator app, and turns it on with a code from the app. */
export const ConfirmKey = ({ secret, uri, onDone, onCancel }: Props) => {
  const fields = useForm({
    schema: confirmSecondStep.body,
    begin: { code: '' },
    toInput: (typed) => typed,
    save: (body) => call('POST /auth/second-step/confirm', { body }, { quiet: true }),
    onSaved: ({ recovery_codes }) => onDone(recovery_codes),
  });
  return (
    <div className={classes.key}>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <Form
        form={fields}
        save="Turn on"
        beside={
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        }
      >
        <div className={layout.list}>
          <Text>Scan the QR code with your authenticator app, or enter this key:</Text>
          <strong className={classes.secret}>{secret.match(/.{4}/g)?.join(' ')}</strong>
          <TextInput label="Code from the app" inputMode="numeric" autoComplete="one-time-code" maw={240} {...fields.field('code')} />
        </div>
      </Form>
    </div>
  );
};
