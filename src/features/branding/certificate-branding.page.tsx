import { Button, Checkbox, Textarea, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { type CertificateBranding, type CertificateField, certificateSwitches } from '#contract/entities/whitelabel.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import classes from '#src/features/branding/branding.module.css';
import { changesOf } from '#src/features/branding/form-data.ts';
import { type Picture, PictureChoice, usePictureAddress } from '#src/features/branding/picture-choice.tsx';
import { saveFile } from '#src/lib/save-file.ts';
import { useRead } from '#src/screens/use-read.ts';
import form from '#src/ui/form.module.css';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { ErrorSummary } from '#src/ui/error-summary.tsx';

type Wording = Partial<CertificateBranding>;
const fields = ['heading', 'statement', 'signatoryName', 'signatoryRole', ...certificateSwitches] as const satisfies readonly CertificateField[];
const switches: Partial<Record<CertificateField, string>> = {
  showLogo: 'The logo above the heading',
  showScore: 'The score',
  showExpiry: 'The renewal date',
};

const Form = ({ slug, own, above }: { slug: string; own: Wording; above: CertificateBranding }) => {
  const navigate = useNavigate();
  const brand = useBrand();
  const [first] = useState(() => Object.fromEntries(fields.map((f) => [f, String(own[f] ?? '')])) as Record<CertificateField, string>);
  const [values, setValues] = useState(first);
  const [firstSignature] = useState<Picture>(() => (own.signature ? { address: own.signature } : null));
  const [signature, setSignature] = useState(firstSignature);
  const [busy, setBusy] = useState<'save' | 'example' | null>(null);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const shownSignature = usePictureAddress(signature) ?? above.signature;
  const textOf = (field: CertificateField) => values[field].trim() || String(above[field]);
  const isOn = (field: CertificateField) => textOf(field) === 'true';
  const set = (field: CertificateField, value: string) => {
    setValues((all) => ({ ...all, [field]: value }));
    setErrors(({ [field]: _gone, whole: _whole, ...others }) => others);
  };
  const changes = () => changesOf(values, first, { signature }, { signature: firstSignature });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const changed = changes();
    const done = () => navigate(pathTo('entities-one', { slug }));
    if (!changed) return void done();
    setBusy('save');
    const result = await call('POST /entities/{slug}/certificate-branding', { params: { slug } }, { form: changed });
    setBusy(null);
    if (result.kind !== 'ok') {
      setErrors(fieldErrorsOf(result));
      return;
    }
    notify('success', texts.successfullyUpdated);
    void done();
  };
  const example = async () => {
    setBusy('example');
    const empty = new FormData();
    empty.set('_method', 'PATCH');
    const result = await call('POST /entities/{slug}/certificate-branding/example', { params: { slug } }, { form: changes() ?? empty });
    setBusy(null);
    if (result.kind === 'ok') saveFile(result.data, null, 'certificate-example.pdf');
    else setErrors(fieldErrorsOf(result));
  };
  const text = (field: 'heading' | 'signatoryName' | 'signatoryRole', label: string) => (
    <TextInput
      label={label}
      name={field}
      placeholder={String(above[field])}
      value={values[field]}
      error={errors[field]}
      onChange={(e) => set(field, e.currentTarget.value)}
    />
  );
  return (
    <div className={classes.beside}>
      <form noValidate className={form.form} onSubmit={(event) => void submit(event)}>
        <ErrorSummary errors={errors} />
        <fieldset className={`app-card ${form.group}`}>
          <legend>Text</legend>
          {text('heading', 'Heading')}
          <Textarea
            label="Statement below the course"
            description="For example, the accrediting body."
            name="statement"
            autosize
            minRows={2}
            maxLength={300}
            placeholder={above.statement}
            value={values.statement}
            error={errors.statement}
            onChange={(e) => set('statement', e.currentTarget.value)}
          />
          {certificateSwitches.map((field) => (
            <Checkbox key={field} label={switches[field]} checked={isOn(field)} onChange={(e) => set(field, String(e.currentTarget.checked))} />
          ))}
        </fieldset>
        <fieldset className={`app-card ${form.group}`}>
          <legend>Signatory</legend>
          <div className={form.pair}>
            {text('signatoryName', 'Name')}
            {text('signatoryRole', 'Position')}
          </div>
          <PictureChoice
            label="Signature"
            description="A picture of the signature, dark on a white or transparent background."
            picture={signature}
            above={above.signature}
            error={errors.signature}
            onChange={setSignature}
          />
        </fieldset>
        <div className={form.actions}>
          <Button type="submit" loading={busy === 'save'}>
            Save
          </Button>
          <Button variant="default" loading={busy === 'example'} onClick={() => void example()}>
            Download an example
          </Button>
        </div>
      </form>
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
      {state.kind === 'here' && <Form key={slug} slug={slug} {...state.thing} />}
    </div>
  );
};
