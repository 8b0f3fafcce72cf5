import { Button, NumberInput, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import {
  type BrandColour,
  type BrandPicture,
  brandColours,
  brandPictures,
  type OwnBranding,
  type Whitelabel,
  type WhitelabelField,
} from '#contract/entities/whitelabel.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { refreshBrand, useBrand } from '#src/access/brand.ts';
import { useEntityWords } from '#src/access/entity-words.ts';
import { call } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import classes from '#src/features/branding/branding.module.css';
import { primaryNote, signNote } from '#src/features/branding/contrast-notes.ts';
import { changesOf } from '#src/features/branding/form-data.ts';
import { type Picture, PictureChoice, usePictureAddress } from '#src/features/branding/picture-choice.tsx';
import { Preview } from '#src/features/branding/preview.tsx';
import { useRead } from '#src/screens/use-read.ts';
import form from '#src/ui/form.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

type Words = { field: WhitelabelField; label: string; description?: string };
const names: Words[] = [
  { field: 'companyName', label: 'Name', description: 'In the header, on the sign-in page, in e-mails and on the home screen.' },
  { field: 'logoRedirectUrl', label: 'Where the logo leads', description: 'If empty: the start page.' },
];
const words: Words[] = [
  { field: 'entityAltName', label: 'Term for an organisation' },
  { field: 'entitiesAltName', label: 'Term for organisations (plural)' },
  { field: 'primaryComplianceAltName', label: 'Term for mandatory courses' },
  { field: 'secondaryComplianceAltName', label: 'Term for required courses' },
  { field: 'certificateGroupMenuName', label: 'Term for the care certificate' },
];
const colourWords: Record<BrandColour, { label: string; description: string }> = {
  primary: { label: 'Primary', description: 'Buttons, links and selected items.' },
  secondary: { label: 'Secondary', description: 'Behind the logo in e-mails, and while the installed app opens.' },
  accent: { label: 'Accent', description: 'Lines on certificates and cards.' },
  success: { label: 'Success', description: 'Completed.' },
  warning: { label: 'Warning', description: 'Due soon.' },
  danger: { label: 'Danger', description: 'Overdue, or an error.' },
};
const lights: { field: 'trafficLightOk' | 'trafficLightWarning' | 'trafficLightDanger'; label: string }[] = [
  { field: 'trafficLightOk', label: 'Green light' },
  { field: 'trafficLightWarning', label: 'Amber light' },
  { field: 'trafficLightDanger', label: 'Red light' },
];
const margins: Words[] = [
  { field: 'greenScoreBandLowerMargin', label: 'Green from (%)' },
  { field: 'amberScoreBandLowerMargin', label: 'Amber from (%)' },
];
const pictureWords: Record<BrandPicture, { label: string; description: string }> = {
  logo: { label: 'Logo', description: 'In the header, in e-mails and on certificates. PNG, JPEG, WebP, GIF or SVG, up to 2.5 MB.' },
  loginLogo: { label: 'Logo on the sign-in page', description: 'If empty: the logo.' },
  favicon: { label: 'Icon', description: 'In the browser tab and on the home screen. Ideally square, at least 512 pixels.' },
};
const isColour = (text: string) => /^#[0-9a-fA-F]{6}$/.test(text);

const allFields = [...names, ...words, ...margins]
  .map((w) => w.field)
  .concat(
    brandColours,
    lights.map((l) => l.field),
  );
const begin = (own: OwnBranding): Record<WhitelabelField, string> =>
  Object.fromEntries(allFields.map((field) => [field, String(own[field] ?? '')])) as Record<WhitelabelField, string>;
const aboveOf = (above: Whitelabel, field: WhitelabelField): string =>
  String((brandColours as readonly string[]).includes(field) ? above.colours[field as BrandColour] : (above[field as keyof Whitelabel] ?? ''));

/** The inherited branding with the form's values applied; an incomplete colour is ignored. */
const drafted = (above: Whitelabel, values: Record<WhitelabelField, string>, pictures: Record<BrandPicture, string | null>): Whitelabel => {
  const text = (field: WhitelabelField) => values[field].trim() || aboveOf(above, field);
  const colour = (field: WhitelabelField) => (isColour(values[field]) ? values[field] : aboveOf(above, field));
  return {
    ...above,
    ...Object.fromEntries([...names, ...words].map(({ field }) => [field, text(field)])),
    ...Object.fromEntries(margins.map(({ field }) => [field, Number(text(field))])),
    ...Object.fromEntries(lights.map(({ field }) => [field, colour(field)])),
    ...Object.fromEntries(brandPictures.map((picture) => [picture, pictures[picture] ?? above[picture]])),
    colours: Object.fromEntries(brandColours.map((field) => [field, colour(field)])) as Whitelabel['colours'],
  };
};

const Form = ({ slug, own, above }: { slug: string; own: OwnBranding; above: Whitelabel }) => {
  const navigate = useNavigate();
  const applied = useBrand().slug;
  const [first] = useState(() => begin(own));
  const [values, setValues] = useState(first);
  const [firstPictures] = useState(
    () => Object.fromEntries(brandPictures.map((p) => [p, own[p] ? { address: own[p] } : null])) as Record<BrandPicture, Picture>,
  );
  const [pictures, setPictures] = useState(firstPictures);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [logo, loginLogo, favicon] = [usePictureAddress(pictures.logo), usePictureAddress(pictures.loginLogo), usePictureAddress(pictures.favicon)];
  const draft = drafted(above, values, { logo, loginLogo, favicon });
  const set = (field: string, value: string) => {
    setValues((all) => ({ ...all, [field]: value }));
    setErrors(({ [field]: _gone, whole: _whole, ...others }) => others);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const changes = changesOf(values, first, pictures, firstPictures);
    const done = () => navigate(pathTo('entities-one', { slug }));
    if (!changes) return void done();
    setBusy(true);
    const result = await call('POST /entities/{slug}/whitelabel', { params: { slug } }, { form: changes });
    setBusy(false);
    if (result.kind !== 'ok') {
      setErrors(fieldErrorsOf(result));
      return;
    }
    // Applied here at once, and on other devices when they next refresh.
    if (applied) await refreshBrand(applied);
    notify('success', texts.successfullyUpdated);
    void done();
  };
  const text = ({ field, label, description }: Words) => (
    <TextInput
      key={field}
      label={label}
      description={description}
      name={field}
      placeholder={aboveOf(above, field)}
      value={values[field]}
      error={errors[field]}
      onChange={(e) => set(field, e.currentTarget.value)}
    />
  );
  const colour = (field: WhitelabelField, label: string, description: string | undefined, note: string | null) => (
    <div key={field}>
      <TextInput
        label={label}
        description={description}
        name={field}
        placeholder={aboveOf(above, field)}
        value={values[field]}
        error={errors[field]}
        maxLength={7}
        onChange={(e) => set(field, e.currentTarget.value.trim())}
        rightSectionWidth={44}
        rightSection={
          <input
            type="color"
            className={classes.swatch}
            aria-label={`${label}: choose from a palette`}
            value={isColour(values[field]) ? values[field].toLowerCase() : aboveOf(above, field).toLowerCase()}
            onChange={(e) => set(field, e.currentTarget.value)}
          />
        }
      />
      {note && (
        <p className={classes.note} role="status">
          {note}
        </p>
      )}
    </div>
  );
  return (
    <div className={classes.beside}>
      <form noValidate className={form.form} onSubmit={(event) => void submit(event)}>
        <ErrorSummary errors={errors} />
        <fieldset className={`app-card ${form.group}`}>
          <legend>Name and logo</legend>
          {names.map(text)}
          {brandPictures.map((picture) => (
            <PictureChoice
              key={picture}
              {...pictureWords[picture]}
              picture={pictures[picture]}
              above={above[picture]}
              error={errors[picture]}
              onChange={(chosen) => {
                setPictures((all) => ({ ...all, [picture]: chosen }));
                setErrors(({ [picture]: _gone, whole: _whole, ...others }) => others);
              }}
            />
          ))}
        </fieldset>
        <fieldset className={`app-card ${form.group}`}>
          <legend>Terms</legend>
          <div className={form.pair}>{words.map(text)}</div>
        </fieldset>
        <fieldset className={`app-card ${form.group}`}>
          <legend>Colours</legend>
          <div className={classes.colours}>
            {brandColours.map((c) =>
              colour(c, colourWords[c].label, colourWords[c].description, c === 'primary' ? primaryNote(draft.colours.primary) : null),
            )}
          </div>
        </fieldset>
        <fieldset className={`app-card ${form.group}`}>
          <legend>Scores</legend>
          <div className={form.pair}>
            {margins.map(({ field, label }) => (
              <NumberInput
                key={field}
                label={label}
                name={field}
                placeholder={aboveOf(above, field)}
                clampBehavior="none"
                allowDecimal={false}
                allowNegative={false}
                hideControls
                value={values[field]}
                error={errors[field]}
                onChange={(to) => set(field, String(to))}
              />
            ))}
          </div>
          <div className={classes.colours}>{lights.map(({ field, label }) => colour(field, label, undefined, signNote(draft[field])))}</div>
        </fieldset>
        <div className={form.actions}>
          <Button type="submit" loading={busy}>
            Save
          </Button>
          <Button variant="default" component={Link} to={pathTo('entities-one-certificate-branding', { slug })}>
            Certificate texts
          </Button>
        </div>
      </form>
      <aside className={classes.side} aria-label="Preview">
        <Title order={2} size="h3">
          Preview
        </Title>
        <Preview brand={draft} />
      </aside>
    </div>
  );
};

/** The branding of an organisation: its look and terms. */
export const Component = () => {
  const { slug = '' } = useParams();
  const { one } = useEntityWords();
  const { state, retry } = useRead('GET /entities/{slug}/whitelabel', { params: { slug } });
  return (
    <div className={layout.page} style={{ maxWidth: 1240 }}>
      <Title order={1} className={layout.title}>
        Branding
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the branding" offline="Changing the branding needs a connection." />
      {state.kind === 'here' && (
        <>
          <p className={layout.count}>Empty fields are inherited from the {one} above and shown in grey.</p>
          <Form key={slug} slug={slug} {...state.thing} />
        </>
      )}
    </div>
  );
};
