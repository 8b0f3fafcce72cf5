import { Button, Text, TextInput } from '@mantine/core';
import { encode } from 'uqr';
import { confirmSecondStep } from '#contract/api/sign-in.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/account/sign-in-ways.module.css';
import { Form } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import layout from '#src/ui/page.module.css';

const QrCode = ({ text }: { text: string }) => {
  const { data, size } = encode(text, { border: 1 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for your authenticator app"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
};

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
      <QrCode text={uri} />
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
