import { Button, Checkbox, NumberInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Entity, PasswordRequirements } from '#contract/entities/entity.ts';
import { defaultPasswordRequirements } from '#contract/rules/password.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { useEntityWords } from '#src/access/entity-words.ts';
import { passwordSentence } from '#src/features/entities/password-sentence.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import { useRead } from '#src/screens/use-read.ts';
import { notify } from '#src/ui/notify.ts';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

const parts: { part: Exclude<keyof PasswordRequirements, 'min_length'>; label: string }[] = [
  { part: 'mixed_case', label: 'Small and capital letters' },
  { part: 'number', label: 'At least one digit' },
  { part: 'symbol', label: 'At least one symbol, such as ! or -' },
];

const Form = ({ entity }: { entity: Entity }) => {
  const navigate = useNavigate();
  const [rules, setRules] = useState(entity.password_requirements ?? defaultPasswordRequirements);
  const [length, setLength] = useState<string | number>(rules.min_length);
  const [months, setMonths] = useState<string | number>(entity.password_expire_period_in_months ?? '');
  const [enforce, setEnforce] = useState(entity.compromised_passwords === 'enforce_change');
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const asked = {
    password_requirements: { ...rules, min_length: Number(length) },
    password_expire_period_in_months: months === '' ? null : Number(months),
    compromised_passwords: enforce ? ('enforce_change' as const) : ('off' as const),
  };
  const submit = async () => {
    setBusy(true);
    const result = await call('PATCH /entities/{id}', { params: { id: entity.slug }, body: asked });
    setBusy(false);
    if (result.kind !== 'ok') {
      setErrors(fieldErrorsOf(result));
      return;
    }
    notify('success', texts.successfullyUpdated);
    void navigate(pathTo('entities-one', { slug: entity.slug }));
  };
  return (
    <form
      noValidate
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ErrorSummary errors={errors} />
      <fieldset className={`app-card ${form.group}`}>
        <legend>A new password needs</legend>
        <NumberInput
          label="Characters, at least"
          min={8}
          max={128}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={length}
          error={errors.password_requirements}
          onChange={(to) => {
            setLength(to);
            setErrors({});
          }}
        />
        {parts.map(({ part, label }) => (
          <Checkbox key={part} label={label} checked={rules[part]} onChange={(e) => setRules({ ...rules, [part]: e.currentTarget.checked })} />
        ))}
      </fieldset>
      <fieldset className={`app-card ${form.group}`}>
        <legend>How long it lasts</legend>
        <NumberInput
          label="Changed after so many months"
          description="Empty: passwords do not expire."
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={months}
          error={errors.password_expire_period_in_months}
          onChange={(to) => {
            setMonths(to);
            setErrors({});
          }}
        />
        <Checkbox
          label="One that is known from leaks has to be changed"
          description="Looked up when somebody signs in; the password itself is not told to anybody."
          checked={enforce}
          onChange={(e) => setEnforce(e.currentTarget.checked)}
        />
      </fieldset>
      <p className={layout.notice} data-tone="ok" role="status">
        {passwordSentence(asked)}
      </p>
      <div className={form.actions}>
        <Button type="submit" loading={busy}>
          Save
        </Button>
      </div>
    </form>
  );
};

/** What an organisation asks of its people's passwords. */
export const Component = () => {
  const { slug = '' } = useParams();
  const { one } = useEntityWords();
  const { state, retry } = useRead('GET /entities/{id}', { params: { id: slug } });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Passwords
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading={`Loading the ${one}`} offline="Changing this needs a connection." />
      {state.kind === 'here' && (
        <>
          <p className={layout.count}>For the people of {state.thing.name}. A password that is there already stays until it is changed.</p>
          <Form key={state.thing.id} entity={state.thing} />
        </>
      )}
    </div>
  );
};
