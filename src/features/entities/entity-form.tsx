import { Button, Checkbox, Input, NativeSelect, NumberInput, TextInput, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PageMeta } from '#contract/api/paging.ts';
import { type Entity, type EntityField, entityFieldNeeds } from '#contract/entities/entity.ts';
import { providerNames, providerSwitches, signInProviders } from '#contract/entities/sign-in.ts';
import { can } from '#contract/can.ts';
import { defaultTimeZone } from '#contract/rules/days.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import { useEntityWords } from '#src/access/entity-words.ts';
import { fromLocalTime, toLocalTime } from '#src/lib/local-time.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import form from '#src/ui/form.module.css';
import { Segmented } from '#src/ui/segmented.tsx';
import { type Option, SearchedSelect } from '#src/ui/searched-select.tsx';
import { Several } from '#src/ui/several.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

/** What is typed: text for everything but a choice; a number that is not given is empty. */
const begin = (entity: Entity | null) => ({
  name: entity?.name ?? '',
  level: entity?.level ?? ('B' as Entity['level']),
  code: entity?.code ?? '',
  is_training_company: entity?.is_training_company ?? false,
  email: entity?.email ?? '',
  telephone: entity?.telephone ?? '',
  website: entity?.website ?? '',
  address: entity?.address ?? '',
  notes: entity?.notes ?? '',
  starter_period: String(entity?.starter_period ?? 84),
  expiry_warning: String(entity?.expiry_warning ?? 60),
  time_zone: entity?.time_zone ?? '',
  events_reminder: entity?.events_reminder ?? false,
  notify_all_standards_selected: entity?.notify_all_standards_selected ?? false,
  require_training_record_evidence: entity?.require_training_record_evidence ?? false,
  allow_ms_sign_in: entity?.allow_ms_sign_in ?? false,
  allow_google_sign_in: entity?.allow_google_sign_in ?? false,
  restricted_access_at: toLocalTime(entity?.restricted_access_at ?? null),
  restricted_access_message: entity?.restricted_access_message ?? '',
  restricted_access_password: '',
  popup_link: entity?.popup_link ?? '',
  login_popup_alt_name: entity?.login_popup_alt_name ?? '',
  always_show_popup_on_login: entity?.always_show_popup_on_login ?? false,
});
type Values = ReturnType<typeof begin>;
type Field = keyof Values;
/** What is sent: the fields that were changed, by their names of the contract. */
export type EntityChange = Partial<Record<EntityField, unknown>>;

const sent = (field: Field, value: Values[Field]): unknown => {
  if (field === 'starter_period' || field === 'expiry_warning') return value === '' ? null : Number(value);
  if (field === 'restricted_access_at') return fromLocalTime(String(value));
  if (field === 'name') return value;
  return value === '' ? null : value;
};

const findParent = async (search: string, signal: AbortSignal) => {
  const result = await call('GET /entities', { query: { search, per_page: 50 } }, { signal, quiet: true });
  return result.kind === 'ok' ? { options: result.data.map((e) => ({ id: e.id, title: e.name })) } : { failed: sentenceOf(result) };
};

type Course = Entity['focused_courses'][number];
/** The courses that its people see to first, of those that it has. Who may not list those can only take some away. */
const Focused = ({
  slug,
  chosen,
  error,
  onChange,
}: {
  slug: string;
  chosen: readonly Course[];
  error: string | undefined;
  onChange: (to: Course[]) => void;
}) => {
  const { one } = useEntityWords();
  const mayList = can(useSession(), 'entity.courses');
  const { state } = useReadOf(['courses of', slug, mayList], async (signal) => {
    if (!mayList) return { kind: 'ok' as const, data: [] };
    const courses: Course[] = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const result = await call('GET /entities/{slug}/courses', { params: { slug }, query: { page, per_page: 100 } }, { signal });
      if (result.kind !== 'ok') return result;
      courses.push(...result.data.map((c) => ({ id: c.id, name: c.title })));
      last = (result.meta as PageMeta).last_page;
    }
    return { kind: 'ok' as const, data: courses };
  });
  return (
    <Several
      label="Courses in focus"
      description={`People of this ${one}, and those below it, find these first among what they have to do.`}
      none="None"
      among={state.kind === 'here' ? state.thing : []}
      chosen={chosen}
      error={error}
      onChange={onChange}
    />
  );
};

type Props = {
  entity: Entity | null;
  parent: Option | null;
  save: (change: EntityChange) => Promise<Result<Entity>>;
  onSaved: (entity: Entity) => void;
  more?: ReactNode;
};

/** An organisation: what it is, how it is reached, its training rules, who gets in, and what people see when they have signed in. */
export const EntityForm = ({ entity, parent: parentBefore, save, onSaved, more }: Props) => {
  const user = useSession();
  const { one } = useEntityWords();
  const brand = useBrand();
  const [first] = useState(() => begin(entity));
  const [values, setValues] = useState(first);
  const [parent, setParent] = useState(parentBefore);
  const [focused, setFocused] = useState<readonly Course[]>(entity?.focused_courses ?? []);
  const [noPassword, setNoPassword] = useState(false);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const may = (field: EntityField) => entity === null || can(user, entityFieldNeeds[field]);
  const set = <F extends Field>(field: F, value: Values[F]) => {
    setValues((all) => ({ ...all, [field]: value }));
    setErrors(({ [field]: _mended, whole: _whole, ...others }) => others);
  };
  const text = (
    field: Exclude<
      Field,
      | 'level'
      | 'is_training_company'
      | 'always_show_popup_on_login'
      | 'events_reminder'
      | 'notify_all_standards_selected'
      | 'require_training_record_evidence'
      | 'allow_ms_sign_in'
      | 'allow_google_sign_in'
    >,
  ) => ({
    name: field,
    value: values[field],
    error: errors[field],
    disabled: !may(field),
    onChange: (e: { currentTarget: { value: string } }) => set(field, e.currentTarget.value),
  });
  const number = (field: 'starter_period' | 'expiry_warning') => ({
    ...{ value: values[field], error: errors[field], disabled: !may(field), suffix: ' days' },
    ...{ allowDecimal: false, allowNegative: false, hideControls: true },
    onChange: (to: string | number) => set(field, String(to)),
  });
  const submit = async () => {
    const missing = {
      ...(values.name.trim() ? {} : { name: `Give the ${one} a name.` }),
      ...(parent || user?.super_admin ? {} : { parent_id: `Choose what this ${one} belongs to.` }),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    const changed = (Object.keys(values) as Field[]).filter((f) => (entity === null ? sent(f, values[f]) !== null : values[f] !== first[f]));
    const change: EntityChange = Object.fromEntries(changed.map((f) => [f, sent(f, values[f])]));
    if (entity === null || parent?.id !== parentBefore?.id) change.parent_id = parent?.id ?? null;
    const ids = focused.map((c) => c.id);
    if (entity && ids.join() !== entity.focused_courses.map((c) => c.id).join()) change.focused_courses = ids;
    if (noPassword) change.restricted_access_password = null;
    if (entity && Object.keys(change).length === 0) {
      onSaved(entity);
      return;
    }
    setBusy(true);
    const result = await save(change);
    setBusy(false);
    if (result.kind === 'ok') onSaved(result.data);
    else setErrors(fieldErrorsOf(result));
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
        <legend>What it is</legend>
        <TextInput label="Name" required maxLength={200} {...text('name')} />
        <div className={form.pair}>
          <SearchedSelect
            label="Belongs to"
            placeholder={user?.super_admin ? 'Nothing: it stands at the top' : 'Choose one'}
            nothing="No match"
            required={!user?.super_admin}
            disabled={!may('parent_id') || (entity !== null && parentBefore === null && !user?.super_admin)}
            search={findParent}
            value={parent}
            error={errors.parent_id}
            onChange={(chosen) => {
              setParent(chosen);
              setErrors(({ parent_id: _mended, ...others }) => others);
            }}
          />
          <TextInput label="Code" maxLength={50} {...text('code')} />
        </div>
        <Input.Wrapper
          label="Level"
          size="md"
          description="A: a group, or an organisation of its own. B: a service within one."
          error={errors.level}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
        >
          <Segmented
            aria-label="Level"
            size="md"
            mt={6}
            disabled={!may('level')}
            value={values.level}
            onChange={(to) => set('level', to as Entity['level'])}
            data={[
              { value: 'A', label: 'Level A' },
              { value: 'B', label: 'Level B' },
            ]}
          />
        </Input.Wrapper>
        <Checkbox
          label="It is a training company"
          description="It gives training to other organisations."
          checked={values.is_training_company}
          disabled={!may('is_training_company')}
          onChange={(e) => set('is_training_company', e.currentTarget.checked)}
        />
      </fieldset>
      <fieldset className={`app-card ${form.group}`}>
        <legend>How to reach it</legend>
        <div className={form.pair}>
          <TextInput label="E-mail address" type="email" {...text('email')} />
          <TextInput label="Telephone" type="tel" maxLength={50} {...text('telephone')} />
        </div>
        <TextInput label="Website" type="url" placeholder="https://" {...text('website')} />
        <Textarea label="Address" autosize minRows={2} maxLength={500} {...text('address')} />
      </fieldset>
      <fieldset className={`app-card ${form.group}`}>
        <legend>Training</legend>
        <div className={form.pair}>
          <NumberInput label="Starter period" description="How long a new starter has for what they must do." {...number('starter_period')} />
          <NumberInput label="Expiry warning" description="How long before it expires training turns amber." {...number('expiry_warning')} />
        </div>
        {parent === null && (
          <NativeSelect
            label="Time zone"
            description="Days and times are those of this place, here and below: when training was done, expires and is due."
            {...text('time_zone')}
            value={values.time_zone || defaultTimeZone}
            data={Intl.supportedValuesOf('timeZone')}
          />
        )}
        <Checkbox
          label="Remind people by e-mail"
          description="On Mondays, whoever has something overdue or due soon gets one e-mail that says what."
          checked={values.events_reminder}
          disabled={!may('events_reminder')}
          onChange={(e) => set('events_reminder', e.currentTarget.checked)}
        />
        <Checkbox
          label={`Tell who approves: ${brand.certificateGroupMenuName}`}
          description="Whoever may approve one gets an e-mail when every standard of it is met."
          checked={values.notify_all_standards_selected}
          disabled={!may('notify_all_standards_selected')}
          onChange={(e) => set('notify_all_standards_selected', e.currentTarget.checked)}
        />
        <Checkbox
          label="Ask for evidence of training"
          description={`Whoever records training by hand for people of this ${one}, or of those below it, adds a file that proves it. Exemptions need none.`}
          checked={values.require_training_record_evidence}
          disabled={!may('require_training_record_evidence')}
          onChange={(e) => set('require_training_record_evidence', e.currentTarget.checked)}
        />
        {entity && may('focused_courses') && (
          <Focused
            slug={entity.slug}
            chosen={focused}
            error={errors.focused_courses}
            onChange={(to) => {
              setFocused(to);
              setErrors(({ focused_courses: _mended, ...others }) => others);
            }}
          />
        )}
      </fieldset>
      {may('allow_ms_sign_in') && (
        <fieldset className={`app-card ${form.group}`}>
          <legend>Signing in</legend>
          {signInProviders.map((provider) => (
            <Checkbox
              key={provider}
              label={`Sign in with ${providerNames[provider]}`}
              description={`People of this ${one} can use their ${providerNames[provider]} account beside their password.`}
              checked={values[providerSwitches[provider]]}
              onChange={(e) => set(providerSwitches[provider], e.currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
      {may('popup_link') && (
        <fieldset className={`app-card ${form.group}`}>
          <legend>After signing in</legend>
          <TextInput
            label="Link to show"
            type="url"
            placeholder="https://"
            description={`People of this ${one}, and those below it, are shown this link when they have signed in.`}
            {...text('popup_link')}
          />
          <TextInput label="What it is called" maxLength={100} {...text('login_popup_alt_name')} />
          <Checkbox
            label="Show it every time"
            description="Otherwise everybody is shown it once."
            checked={values.always_show_popup_on_login}
            onChange={(e) => set('always_show_popup_on_login', e.currentTarget.checked)}
          />
        </fieldset>
      )}
      {entity && may('restricted_access_at') && (
        <fieldset className={`app-card ${form.group}`}>
          <legend>Restricted access</legend>
          <TextInput
            label="From"
            type="datetime-local"
            description={`From then on nobody of this ${one}, or of those below it, gets in without the access password. What they do on their tablets stays there.`}
            {...text('restricted_access_at')}
          />
          <Textarea label="What they are told" autosize minRows={2} maxLength={1000} {...text('restricted_access_message')} />
          <TextInput
            label={entity.has_access_password ? 'New access password' : 'Access password'}
            description={entity.has_access_password ? 'There is one. Leave this empty to keep it.' : 'Without one nobody gets in.'}
            autoComplete="off"
            maxLength={128}
            {...text('restricted_access_password')}
          />
          {entity.has_access_password && (
            <Checkbox label="Take the access password away" checked={noPassword} onChange={(e) => setNoPassword(e.currentTarget.checked)} />
          )}
        </fieldset>
      )}
      {may('notes') && (
        <fieldset className={`app-card ${form.group}`}>
          <legend>Notes</legend>
          <Textarea label="Notes" description="Seen only by those who may read notes." autosize minRows={3} maxLength={5000} {...text('notes')} />
        </fieldset>
      )}
      <div className={form.actions}>
        <Button type="submit" loading={busy}>
          Save
        </Button>
        {more}
      </div>
    </form>
  );
};
