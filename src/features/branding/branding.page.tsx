import { Button, NumberInput, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type * as z from 'zod/mini';
import {
  type BrandColour,
  type BrandPicture,
  brandColours,
  brandPictures,
  type OwnBranding,
  type Whitelabel,
  type WhitelabelField,
  WhitelabelInput,
  whitelabelNumbers,
} from '#contract/entities/whitelabel.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { refreshBrand, useBrand } from '#src/access/brand.ts';
import { useEntityWords } from '#src/access/entity-words.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/branding/branding.module.css';
import { primaryNote, signNote } from '#src/features/branding/contrast-notes.ts';
import { changesOf } from '#src/features/branding/form-data.ts';
import { type Picture, PictureChoice, usePictureAddress } from '#src/screens/picture-choice.tsx';
import { Preview } from '#src/features/branding/preview.tsx';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

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
type Values = Record<WhitelabelField, string> & Record<BrandPicture, Picture>;
const begin = (stored: OwnBranding) =>
  Object.fromEntries([
    ...allFields.map((field) => [field, String(stored[field] ?? '')]),
    ...brandPictures.map((picture) => [picture, stored[picture] ? { address: stored[picture] } : null]),
  ]) as Values;
/** Empty fields are inherited. */
const toInput = (values: Values): z.input<typeof WhitelabelInput> =>
  Object.fromEntries(
    allFields.flatMap((field) => {
      const text = values[field].trim();
      return text === '' ? [] : [[field, whitelabelNumbers.includes(field) ? Number(text) : text]];
    }),
  );
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

const BrandingForm = ({ slug, own, above }: { slug: string; own: OwnBranding; above: Whitelabel }) => {
  const navigate = useNavigate();
  const applied = useBrand().slug;
  const [first] = useState(() => begin(own));
  const fields = useForm({
    schema: WhitelabelInput,
    begin: first,
    toInput,
    save: async (_data, _changed, values) => {
      if (!fields.dirty) return { kind: 'ok', data: above };
      const result = await call('POST /entities/{slug}/whitelabel', { params: { slug } }, { form: changesOf(values, first) });
      // Applied here immediately, and on other devices when they next refresh.
      if (result.kind === 'ok' && applied) await refreshBrand(applied);
      return result;
    },
    success: texts.successfullyUpdated,
    draft: `branding ${slug}`,
    onSaved: () => void navigate(pathTo('entities-one', { slug })),
  });
  const { values, field, set } = fields;
  const [logo, loginLogo, favicon] = [usePictureAddress(values.logo), usePictureAddress(values.loginLogo), usePictureAddress(values.favicon)];
  const draft = drafted(above, values, { logo, loginLogo, favicon });
  const text = ({ field: name, label, description }: Words) => (
    <TextInput key={name} label={label} description={description} placeholder={aboveOf(above, name)} {...field(name)} />
  );
  const colour = (name: WhitelabelField, label: string, description: string | undefined, note: string | null) => (
    <div key={name}>
      <TextInput
        label={label}
        description={description}
        placeholder={aboveOf(above, name)}
        maxLength={7}
        rightSectionWidth={44}
        rightSection={
          <input
            type="color"
            className={classes.swatch}
            aria-label={`${label}: choose from a palette`}
            value={(isColour(values[name]) ? values[name] : aboveOf(above, name)).toLowerCase()}
            onChange={(e) => set(name, e.currentTarget.value)}
          />
        }
        {...field(name)}
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
      <Form
        form={fields}
        beside={
          <Button variant="default" component={Link} to={pathTo('entities-one-certificate-branding', { slug })}>
            Certificate texts
          </Button>
        }
      >
        <FormSection title="Name and logo">
          {names.map(text)}
          {brandPictures.map((picture) => (
            <PictureChoice key={picture} {...pictureWords[picture]} above={above[picture]} {...field(picture)} />
          ))}
        </FormSection>
        <FormSection title="Terms">
          <div className={form.pair}>{words.map(text)}</div>
        </FormSection>
        <FormSection title="Colours">
          <div className={shapes.tiles}>
            {brandColours.map((c) =>
              colour(c, colourWords[c].label, colourWords[c].description, c === 'primary' ? primaryNote(draft.colours.primary) : null),
            )}
          </div>
        </FormSection>
        <FormSection title="Scores">
          <div className={form.pair}>
            {margins.map(({ field: name, label }) => (
              <NumberInput
                key={name}
                label={label}
                placeholder={aboveOf(above, name)}
                clampBehavior="none"
                allowDecimal={false}
                allowNegative={false}
                hideControls
                {...field(name)}
                onChange={(to) => set(name, String(to))}
              />
            ))}
          </div>
          <div className={shapes.tiles}>{lights.map(({ field: name, label }) => colour(name, label, undefined, signNote(draft[name])))}</div>
        </FormSection>
      </Form>
      <aside className={classes.side} aria-label="Preview">
        <Title order={2} size="h3">
          Preview
        </Title>
        <Preview brand={draft} />
      </aside>
    </div>
  );
};

/** The branding of an organisation: its appearance and terms. */
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
      {state.kind === 'loaded' && (
        <>
          <p className={layout.count}>Empty fields are inherited from the {one} above and shown in grey.</p>
          <BrandingForm key={slug} slug={slug} {...state.data} />
        </>
      )}
    </div>
  );
};
