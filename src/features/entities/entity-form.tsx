import { Checkbox, Input, NativeSelect, NumberInput, TextInput, Textarea } from '@mantine/core';
import { createEntity } from '#contract/api/entities.ts';
import { type Entity, type EntityField, entityFieldNeeds } from '#contract/entities/entity.ts';
import { providerNames, providerSwitches, signInProviders } from '#contract/entities/sign-in.ts';
import { can } from '#contract/can.ts';
import { defaultTimeZone } from '#contract/rules/days.ts';
import { useBrand } from '#src/access/brand.ts';
import { useEntityWords } from '#src/access/entity-words.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { fromLocalTime, toLocalTime } from '#src/lib/local-time.ts';
import { Form, FormSection, notPermitted } from '#src/screens/form.tsx';
import { coursesOf, MultiPicker, type Option, Picker } from '#src/screens/pickers.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { MomentField } from '#src/ui/date-field.tsx';
import form from '#src/ui/form.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { MailWaits } from '#src/screens/mail-waits.tsx';

type Course = Entity['focused_courses'][number];
/** The form's values: text for everything except a choice. */
const begin = (entity: Entity | null, parent: Option | null) => ({
  name: entity?.name ?? '',
  level: entity?.level ?? ((parent ? 'B' : 'A') as Entity['level']),
  parent_id: parent,
  code: entity?.code ?? '',
  is_training_company: entity?.is_training_company ?? false,
  email: entity?.email ?? '',
  telephone: entity?.telephone ?? '',
  website: entity?.website ?? '',
  address: entity?.address ?? '',
  notes: entity?.notes ?? '',
  starter_period: (entity?.starter_period ?? 84) as number | string,
  expiry_warning: (entity?.expiry_warning ?? 60) as number | string,
  time_zone: entity?.time_zone ?? defaultTimeZone,
  events_reminder: entity?.events_reminder ?? false,
  email_domains: (entity?.email_domains ?? []).join(', '),
  notify_all_standards_selected: entity?.notify_all_standards_selected ?? false,
  require_training_record_evidence: entity?.require_training_record_evidence ?? false,
  focused_courses: (entity?.focused_courses ?? []) as readonly Course[],
  allow_ms_sign_in: entity?.allow_ms_sign_in ?? false,
  allow_google_sign_in: entity?.allow_google_sign_in ?? false,
  restricted_access_at: toLocalTime(entity?.restricted_access_at ?? null),
  restricted_access_message: entity?.restricted_access_message ?? '',
  restricted_access_password: '',
  no_password: false,
  popup_link: entity?.popup_link ?? '',
  login_popup_alt_name: entity?.login_popup_alt_name ?? '',
  always_show_popup_on_login: entity?.always_show_popup_on_login ?? false,
});
const orNull = (text: string) => (text.trim() === '' ? null : text);
const number = (typed: number | string) => (typed === '' ? null : Number(typed));
/** The values to send: empty ones are null. */
const toInput = ({ no_password, ...typed }: ReturnType<typeof begin>) => ({
  ...typed,
  parent_id: typed.parent_id?.id ?? null,
  focused_courses: typed.focused_courses.map((c) => c.id),
  ...{ code: orNull(typed.code), email: orNull(typed.email), telephone: orNull(typed.telephone), website: orNull(typed.website) },
  ...{ address: orNull(typed.address), notes: orNull(typed.notes) },
  ...{ starter_period: number(typed.starter_period), expiry_warning: number(typed.expiry_warning) },
  email_domains: typed.email_domains.split(/[\s,;]+/).filter(Boolean),
  restricted_access_at: fromLocalTime(typed.restricted_access_at),
  restricted_access_message: orNull(typed.restricted_access_message),
  // Empty: the password stays unchanged.
  restricted_access_password: no_password ? null : (orNull(typed.restricted_access_password) ?? undefined),
  ...{ popup_link: orNull(typed.popup_link), login_popup_alt_name: orNull(typed.login_popup_alt_name) },
});
const inDays = { suffix: ' days', allowDecimal: false, allowNegative: false, hideControls: true };

type Props = { entity: Entity | null; parent: Option | null; success: (entity: Entity) => string; onSaved: (entity: Entity) => void };

/** An organisation: its details, contacts, training rules, sign-in rules, and the page shown after sign-in. */
export const EntityForm = ({ entity, parent, success, onSaved }: Props) => {
  const user = useSession();
  const { one } = useEntityWords();
  const brand = useBrand();
  const may = (field: EntityField) => entity === null || can(user, entityFieldNeeds[field]);
  const fields = useForm({
    schema: createEntity.body,
    begin: () => begin(entity, parent),
    latest:
      entity !== null &&
      (async () => {
        const read = await call('GET /entities/{id}', { params: { id: entity.slug } });
        return read.kind === 'ok' ? begin(read.data, read.data.parent && { id: read.data.parent.id, name: read.data.parent.name }) : null;
      }),
    toInput,
    save: async ({ name, level, parent_id, starter_period = 84, expiry_warning = 60 }, changed) => {
      if (entity === null) return call('POST /entities', { body: { ...changed, name, level, parent_id, starter_period, expiry_warning } });
      if (Object.keys(changed).length === 0) return { kind: 'ok', data: entity };
      return call('PATCH /entities/{id}', { params: { id: entity.slug }, body: changed });
    },
    success,
    onSaved,
    locked: (field) =>
      field === 'parent_id' && entity !== null && parent === null && !user?.super_admin
        ? `This ${one} is at the top level.`
        : field !== 'no_password' && !may(field) && notPermitted,
    draft: `organisation ${entity?.id ?? ''}`,
  });
  const { field, checkbox } = fields;
  return (
    <Form form={fields}>
      <FormSection title="What it is">
        <TextInput label="Name" required maxLength={200} {...field('name')} />
        <div className={form.pair}>
          <Picker
            from="organisations"
            label="Belongs to"
            required={!user?.super_admin}
            {...(user?.super_admin ? { placeholder: 'None: it is at the top level', clearable: true } : {})}
            {...field('parent_id')}
          />
          <TextInput label="Code" maxLength={50} {...field('code')} />
        </div>
        <Input.Wrapper
          label="Level"
          size="md"
          description="Level A is an organisation or a group; level B is a service within one."
          error={field('level').error}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
        >
          <Segmented
            aria-label="Level"
            size="md"
            mt={6}
            {...field('level')}
            data={[
              { value: 'A', label: 'Organisation (A)' },
              { value: 'B', label: 'Service (B)' },
            ]}
          />
        </Input.Wrapper>
        <Checkbox label="It is a training company" description="It provides training to other organisations." {...checkbox('is_training_company')} />
      </FormSection>
      <FormSection title="Contact details">
        <div className={form.pair}>
          <TextInput label="E-mail address" type="email" {...field('email')} />
          <TextInput label="Telephone" type="tel" maxLength={50} {...field('telephone')} />
        </div>
        <TextInput label="Website" type="url" placeholder="https://" {...field('website')} />
        <TextInput
          label="E-mail domains"
          placeholder="example.org"
          description="Scheduled reports can be sent to addresses within these, here and below. Separate several by commas."
          maxLength={1000}
          {...field('email_domains')}
        />
        <Textarea label="Address" autosize minRows={2} maxLength={500} {...field('address')} />
      </FormSection>
      <FormSection title="Training">
        <div className={form.pair}>
          <NumberInput
            label="Starter period"
            description="How long a new starter has to complete required training."
            {...inDays}
            {...field('starter_period')}
          />
          <NumberInput
            label="Expiry warning"
            description="How long before its expiry training is shown as expiring soon."
            {...inDays}
            {...field('expiry_warning')}
          />
        </div>
        {fields.values.parent_id === null && (
          <NativeSelect
            label="Time zone"
            description="Used here and below for all days and times: when training was done, is due and expires."
            {...field('time_zone')}
            data={Intl.supportedValuesOf('timeZone')}
          />
        )}
        <Checkbox
          label="Remind people by e-mail"
          description="Every Monday, people with training overdue or due soon get one e-mail that lists it."
          {...checkbox('events_reminder')}
        />
        <MailWaits />
        <Checkbox
          label={`Tell approvers: ${brand.certificateGroupMenuName}`}
          description="Those who can approve one get an e-mail when every standard of it is met."
          {...checkbox('notify_all_standards_selected')}
        />
        <Checkbox
          label="Ask for evidence of training"
          description={`Training recorded by hand for people of this ${one} and those below it needs a file as evidence. Exemptions do not.`}
          {...checkbox('require_training_record_evidence')}
        />
        {entity && may('focused_courses') && (
          <MultiPicker
            from={coursesOf(entity.slug)}
            label="Courses in focus"
            description={`People of this ${one} and those below it see these first in their list.`}
            {...field('focused_courses')}
          />
        )}
      </FormSection>
      {may('allow_ms_sign_in') && (
        <FormSection title="Signing in">
          {signInProviders.map((provider) => (
            <Checkbox
              key={provider}
              label={`Sign in with ${providerNames[provider]}`}
              description={`People of this ${one} can use their ${providerNames[provider]} account as well as their password.`}
              {...checkbox(providerSwitches[provider])}
            />
          ))}
        </FormSection>
      )}
      {may('popup_link') && (
        <FormSection title="After signing in">
          <TextInput
            label="Link to show"
            type="url"
            placeholder="https://"
            description={`People of this ${one} and those below it see this link after signing in.`}
            {...field('popup_link')}
          />
          <TextInput label="Text of the link" maxLength={100} {...field('login_popup_alt_name')} />
          <Checkbox label="Show it every time" description="Otherwise each person sees it once." {...checkbox('always_show_popup_on_login')} />
        </FormSection>
      )}
      {entity && may('restricted_access_at') && (
        <FormSection title="Restricted access">
          <MomentField
            label="From"
            description={`From then on people of this ${one} and those below it need the access password to sign in. Unsent work stays on their devices.`}
            {...field('restricted_access_at')}
          />
          <Textarea label="Message to them" autosize minRows={2} maxLength={1000} {...field('restricted_access_message')} />
          <TextInput
            label={entity.has_access_password ? 'New access password' : 'Access password'}
            description={entity.has_access_password ? 'One is set. Leave this empty to keep it.' : 'Without one, nobody can sign in.'}
            autoComplete="off"
            maxLength={128}
            {...field('restricted_access_password')}
          />
          {entity.has_access_password && <Checkbox label="Remove the access password" {...checkbox('no_password')} />}
        </FormSection>
      )}
      {may('notes') && (
        <FormSection title="Notes">
          <Textarea label="Notes" description="Visible only to those who can read notes." autosize minRows={3} maxLength={5000} {...field('notes')} />
        </FormSection>
      )}
    </Form>
  );
};
