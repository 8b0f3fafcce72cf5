import { Button, Checkbox, Textarea, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type * as z from 'zod/mini';
import { type CertificateBranding, type CertificateField, CertificateInput, certificateSwitches } from '#contract/entities/whitelabel.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/branding/branding.module.css';
import { changesOf } from '#src/features/branding/form-data.ts';
import { type Picture, PictureChoice, usePictureAddress } from '#src/screens/picture-choice.tsx';
import { saveFile } from '#src/lib/save-file.ts';
import { Form, FormSection } from '#src/screens/form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import form from '#src/ui/form.module.css';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

type Wording = Partial<CertificateBranding>;
const fields = ['heading', 'statement', 'signatoryName', 'signatoryRole', ...certificateSwitches] as const satisfies readonly CertificateField[];
const switches: Partial<Record<CertificateField, string>> = {
  showLogo: 'The logo above the heading',
  showScore: 'The score',
  showExpiry: 'The renewal date',
};

type Values = Record<CertificateField, string> & { signature: Picture };
const begin = (wording: Wording) =>
  ({
    ...Object.fromEntries(fields.map((field) => [field, String(wording[field] ?? '')])),
    signature: wording.signature ? { address: wording.signature } : null,
  }) as Values;
/** Empty fields are inherited. */
const toInput = (values: Values): z.input<typeof CertificateInput> =>
  Object.fromEntries(
    fields.flatMap((field) =>
      values[field].trim() === '' ? [] : [[field, certificateSwitches.includes(field) ? values[field] === 'true' : values[field]]],
    ),
  );

const CertificateForm = ({ slug, own, above }: { slug: string; own: Wording; above: CertificateBranding }) => {
  const navigate = useNavigate();
  const brand = useBrand();
  const [first] = useState(() => begin(own));
  const certificate = useForm({
    schema: CertificateInput,
    begin: first,
    toInput,
    save: async (_data, _changed, typed) => {
      if (!certificate.dirty) return { kind: 'ok', data: above };
      return call('POST /entities/{slug}/certificate-branding', { params: { slug } }, { form: changesOf(typed, first) });
    },
    success: texts.successfullyUpdated,
    draft: `certificate branding ${slug}`,
    onSaved: () => void navigate(pathTo('entities-one', { slug })),
  });
  const { values, field, set } = certificate;
  const example = useAction(
    () => call('POST /entities/{slug}/certificate-branding/example', { params: { slug } }, { form: changesOf(values, first) }),
    { onDone: (file) => saveFile(file, null, 'certificate-example.pdf') },
  );
  const shownSignature = usePictureAddress(values.signature) ?? above.signature;
  const textOf = (name: CertificateField) => values[name].trim() || String(above[name]);
  const isOn = (name: CertificateField) => textOf(name) === 'true';
  const text = (name: 'heading' | 'signatoryName' | 'signatoryRole', label: string) => (
    <TextInput label={label} placeholder={above[name]} {...field(name)} />
  );
  return (
    <div className={classes.beside}>
      <Form
        form={certificate}
        beside={
          <Button variant="default" loading={example.busy} onClick={() => void example.run()}>
            Download an example
          </Button>
        }
      >
        <FormSection title="Text">
          {text('heading', 'Heading')}
          <Textarea
            label="Statement below the course"
            description="For example, the accrediting body."
            autosize
            minRows={2}
            maxLength={300}
            placeholder={above.statement}
            {...field('statement')}
          />
          {certificateSwitches.map((name) => (
            <Checkbox key={name} label={switches[name]} checked={isOn(name)} onChange={(e) => set(name, String(e.currentTarget.checked))} />
          ))}
        </FormSection>
        <FormSection title="Signatory">
          <div className={form.pair}>
            {text('signatoryName', 'Name')}
            {text('signatoryRole', 'Position')}
          </div>
          <PictureChoice
            label="Signature"
            description="A picture of the signature, dark on a white or transparent background."
            above={above.signature}
            {...field('signature')}
          />
        </FormSection>
      </Form>
      <aside className={classes.side} aria-label="Preview">
        <Title order={2} size="h3">
          Preview
        </Title>
        <div className={classes.paper} role="img" aria-label={`Preview of a certificate: ${textOf('heading')}`}>
          {isOn('showLogo') && brand.logo ? <img src={brand.logo} alt="" /> : <span>{brand.companyName}</span>}
          <h3>{textOf('heading')}</h3>
          <span>This is to certify that</span>
          <strong>Sam Example</strong>
          <span>has completed</span>
          <strong>Moving and handling</strong>
          <span>{textOf('statement')}</span>
          <span>
            {['Completed today', isOn('showScore') ? 'Score 92 %' : '', isOn('showExpiry') ? 'Renew in a year' : ''].filter(Boolean).join(' · ')}
          </span>
          {shownSignature && <img src={shownSignature} alt="" />}
          <span>{[textOf('signatoryName'), textOf('signatoryRole')].filter(Boolean).join(', ')}</span>
        </div>
      </aside>
    </div>
  );
};

/** The texts and logo of an organisation's certificates. */
export const Component = () => {
  const { slug = '' } = useParams();
  const { state, retry } = useRead('GET /entities/{slug}/certificate-branding', { params: { slug } });
  return (
    <div className={layout.page} style={{ maxWidth: 1240 }}>
      <Title order={1} className={layout.title}>
        Certificates
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the certificate" offline="Changing certificates needs a connection." />
      {state.kind === 'loaded' && <CertificateForm key={slug} slug={slug} {...state.data} />}
    </div>
  );
};
