import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import '@mantine/core/styles/Combobox.css';
import { Button, Select } from '@mantine/core';
import classes from '#src/features/care-certificates/certificates.module.css';
import type { CertificateView } from '#src/features/care-certificates/use-certificate.ts';
import { countOf } from '#src/lib/format.ts';
import { FormSection } from '#src/screens/form.tsx';

type Props = { view: CertificateView; from: string | null; error: string | undefined; onChoose: (from: string | null) => void };
/** The observed activity, or a standard: it determines which criteria are offered. */
export const ActivityChoice = ({ view, from, error, onChoose }: Props) => {
  const openOf = (codes: readonly string[]) => codes.filter((c) => view.states.get(c)?.state !== 'met').length;
  const standard = view.standards.standards.find((s) => `standard:${s.code}` === from);
  const chosen = standard ? `${standard.code} ${standard.title}` : view.standards.activities.find((a) => a.id === from)?.title;
  if (chosen)
    return (
      <div className={`app-card ${layout.row}`} data-wide>
        <strong>{chosen}</strong>
        <Button variant="default" onClick={() => onChoose(null)}>
          Something else
        </Button>
      </div>
    );
  return (
    <FormSection title="What are they doing?" wide data-field="criteria">
      {error && (
        <p className={layout.notice} data-tone="danger">
          {error}
        </p>
      )}
      <div className={shapes.tiles}>
        {view.standards.activities.map((a) => (
          <button
            key={a.id}
            type="button"
            className={`${shapes.press} ${classes.activity}`}
            aria-pressed={from === a.id}
            onClick={() => onChoose(a.id)}
          >
            {a.title}
            <small className={layout.soft}>{countOf(openOf(a.criteria), 'open criterion', 'open criteria')}</small>
          </button>
        ))}
      </div>
      <Select
        label="Or go by a standard"
        placeholder="Choose one"
        value={from?.startsWith('standard:') ? from : null}
        data={view.standards.standards.map((s) => ({ value: `standard:${s.code}`, label: `${s.code} ${s.title}` }))}
        onChange={(to) => to && onChoose(to)}
      />
    </FormSection>
  );
};
