import { Checkbox, NumberInput, Title } from '@mantine/core';
import { useNavigate, useParams } from 'react-router-dom';
import { type Entity, type PasswordRequirements, PasswordRules } from '#contract/entities/entity.ts';
import { defaultPasswordRequirements } from '#contract/rules/password.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { useEntityWords } from '#src/access/entity-words.ts';
import { passwordSentence } from '#src/features/entities/password-sentence.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

const parts: { part: Exclude<keyof PasswordRequirements, 'min_length'>; label: string }[] = [
  { part: 'mixed_case', label: 'Lower-case and capital letters' },
  { part: 'number', label: 'At least one digit' },
  { part: 'symbol', label: 'At least one symbol, such as ! or -' },
];

const whole = { clampBehavior: 'none' as const, allowDecimal: false, allowNegative: false, hideControls: true };
const PasswordForm = ({ entity }: { entity: Entity }) => {
  const navigate = useNavigate();
  const toInput = ({ password_requirements: rules, password_expire_period_in_months: months, compromised_passwords }: ReturnType<typeof begin>) => ({
    password_requirements: { ...rules, min_length: Number(rules.min_length) },
    password_expire_period_in_months: months === '' ? null : Number(months),
    compromised_passwords: compromised_passwords ? ('enforce_change' as const) : ('off' as const),
  });
  const begin = ({ password_requirements: rules, password_expire_period_in_months: months, compromised_passwords }: Entity = entity) => ({
    password_requirements: rules ?? defaultPasswordRequirements,
    password_expire_period_in_months: (months ?? '') as string | number,
    compromised_passwords: compromised_passwords === 'enforce_change',
  });
  const fields = useForm({
    schema: PasswordRules,
    begin: () => begin(),
    latest: async () => {
      const read = await call('GET /entities/{id}', { params: { id: entity.slug } });
      return read.kind === 'ok' ? begin(read.data) : null;
    },
    toInput,
    save: (body) => call('PATCH /entities/{id}', { params: { id: entity.slug }, body }),
    success: texts.successfullyUpdated,
    onSaved: () => void navigate(pathTo('entities-one', { slug: entity.slug })),
  });
  return (
    <Form form={fields}>
      <FormSection title="A new password needs">
        <NumberInput label="Minimum number of characters" {...{ min: 8, max: 128 }} {...whole} {...fields.part('password_requirements.min_length')} />
        {parts.map(({ part, label }) => (
          <Checkbox key={part} label={label} {...fields.checkbox(`password_requirements.${part}`)} />
        ))}
      </FormSection>
      <FormSection title="Expiry">
        <NumberInput
          label="Expires after, in months"
          description="Leave it empty if passwords do not expire."
          {...whole}
          {...fields.field('password_expire_period_in_months')}
        />
        <Checkbox
          label="Leaked passwords have to be changed"
          description="Checked when somebody signs in. The password itself is never disclosed."
          {...fields.checkbox('compromised_passwords')}
        />
      </FormSection>
      <p className={layout.notice} data-tone="ok" role="status" data-wide>
        {passwordSentence(toInput(fields.values))}
      </p>
    </Form>
  );
};

/** An organisation's password policy. */
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
      {state.kind === 'loaded' && (
        <>
          <p className={layout.count}>For the people of {state.data.name}. Existing passwords stay valid until they are changed.</p>
          <PasswordForm key={state.data.id} entity={state.data} />
        </>
      )}
    </div>
  );
};
