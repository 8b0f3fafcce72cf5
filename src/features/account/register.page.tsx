import { useState } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { plans } from '#contract/entities/plan.ts';
import { call } from '#src/api/call.ts';
import { FormFrame, FormLink } from '#src/features/account/form-frame.tsx';
import { useFormErrors } from '#src/features/account/form-errors.ts';
import { PasswordFields } from '#src/features/account/password-fields.tsx';
import { PlainButton } from '#src/ui/plain/button.tsx';
import { Field } from '#src/ui/plain/field.tsx';

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
    onValue: (value: string) => setValues({ ...values, [name]: value }),
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
          message: 'The two passwords do not match.',
          errors: { password_confirmation: ['The two passwords do not match.'] },
        },
      });
      return;
    }
    setBusy(true);
    const { organisation, name, email, password } = values;
    const result = await call('POST /register/{plan}', { params: { plan: plan.id }, body: { organisation, name, email, password } });
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
          <Field label="Name of your organisation" autoComplete="organization" {...field('organisation')} />
          <Field label="Your name" autoComplete="name" {...field('name')} />
          <Field label="Your e-mail address" type="email" autoComplete="email" {...field('email')} />
          <PasswordFields
            password={values.password}
            confirmation={values.confirmation}
            onPassword={(password) => setValues({ ...values, password })}
            onConfirmation={(confirmation) => setValues({ ...values, confirmation })}
            errors={errors.fields}
          />
          <PlainButton type="submit" busy={busy}>
            Sign up
          </PlainButton>
        </>
      )}
      <FormLink to="/login">Back to sign-in</FormLink>
    </FormFrame>
  );
};
