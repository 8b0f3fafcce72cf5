import { Anchor, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import { register } from '#contract/api/auth.ts';
import { plans } from '#contract/entities/plan.ts';
import { call } from '#src/api/call.ts';
import { FormFrame } from '#src/features/account/form-frame.tsx';
import { useFormErrors } from '#src/features/account/form-errors.ts';
import { PasswordFields } from '#src/features/account/password-fields.tsx';

/** Signs an organisation up for a plan. */
export const Component = () => {
  const { plan: planId } = useParams();
  const plan = plans.find((p) => p.id === planId);
  const [values, setValues] = useState({ organisation: '', name: '', email: '', password: '', confirmation: '' });
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const errors = useFormErrors();
  if (!plan) return <Navigate to="/404?resource=plan" replace />;
  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    onChange: (e: { currentTarget: { value: string } }) => setValues({ ...values, [name]: e.currentTarget.value }),
    error: errors.fields[name],
  });
  const submit = async () => {
    errors.clear();
    if (values.password !== values.confirmation) {
      errors.show({
        kind: 'refused',
        status: 422,
        retryAfterMs: null,
        error: {
          code: 'invalid_input',
          message: 'The two passwords are not the same.',
          errors: { password_confirmation: ['The two passwords are not the same.'] },
        },
      });
      return;
    }
    setBusy(true);
    const { organisation, name, email, password } = values;
    const result = await call(register, { params: { plan: plan.id }, body: { organisation, name, email, password } });
    setBusy(false);
    if (result.kind === 'ok') setDone(result.data.message);
    else errors.show(result);
  };
  return (
    <FormFrame
      title={`Sign up: ${plan.name}`}
      lead={<span>{plan.sentence}</span>}
      error={Object.keys(errors.fields).length > 0 ? null : errors.message}
      done={done}
      onSubmit={submit}
    >
      {!done && (
        <>
          <TextInput label="Name of your organisation" autoComplete="organization" {...field('organisation')} />
          <TextInput label="Your name" autoComplete="name" {...field('name')} />
          <TextInput label="Your e-mail address" type="email" autoComplete="email" {...field('email')} />
          <PasswordFields
            password={values.password}
            confirmation={values.confirmation}
            onPassword={(password) => setValues({ ...values, password })}
            onConfirmation={(confirmation) => setValues({ ...values, confirmation })}
            errors={errors.fields}
          />
          <Button type="submit" loading={busy} fullWidth>
            Sign up
          </Button>
        </>
      )}
      <Anchor component={Link} to="/login">
        Back to signing in
      </Anchor>
    </FormFrame>
  );
};
