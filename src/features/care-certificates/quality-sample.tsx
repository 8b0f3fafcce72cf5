import '@mantine/core/styles/Combobox.css';
import { Button, Select, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { type SampledRecord, sampleDays, sampleShares } from '#contract/entities/care-overview.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { countOf, formatDay, formatMoment } from '#src/lib/format.ts';
import { useUnsaved } from '#src/screens/unsaved.ts';
import { useAction } from '#src/screens/use-action.ts';
import form from '#src/ui/form.module.css';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Badge } from '#src/ui/badge.tsx';
import { Section } from '#src/ui/section.tsx';

/** One sampled record: the reviewer reads it and says whether they would have decided the same. */
const Sampled = ({ sample, onChecked }: { sample: SampledRecord; onChecked: (sample: SampledRecord) => void }) => {
  const me = useSession();
  const [wrong, setWrong] = useState(false);
  const [note, setNote] = useState('');
  const [error, setError] = useState<string>();
  useUnsaved(useId(), wrong && note.trim() !== '');
  const { run: say, busy } = useAction((agrees: boolean) => call('PATCH /care-samples/{id}', { params: { id: sample.id }, body: { agrees, note } }), {
    success: 'Noted.',
    onDone: onChecked,
    onFailed: (errors) => setError(Object.values(errors)[0]),
  });
  const what = `${sample.user.name}, ${formatDay(sample.done_at)}`;
  return (
    <li>
      <span>
        <Link to={pathTo('care-certificate-by-uuid', { uuid: sample.certificate_id })}>{what}</Link>
        <small className={layout.soft}>recorded by {sample.assessor.name}</small>
      </span>
      {sample.checked_at ? (
        <span>
          <Badge tone={sample.agrees ? 'ok' : 'warning'}>
            {sample.agrees ? <IconCheck size={18} /> : <IconAlert size={18} />}
            {sample.agrees ? 'Good' : 'To be discussed'}
          </Badge>
          <small className={layout.soft}>
            {sample.checked_by?.name}, {formatMoment(sample.checked_at)}
            {sample.note ? `: ${sample.note}` : ''}
          </small>
        </span>
      ) : sample.assessor.id === me?.uuid ? (
        <small className={layout.soft}>Your own: a colleague looks at it.</small>
      ) : wrong ? (
        <div className={form.group} style={{ padding: 0, flex: '1 1 100%' }}>
          <Textarea
            label={`What is not right: ${what}`}
            autosize
            maxLength={2000}
            value={note}
            error={error}
            onChange={(e) => {
              setNote(e.currentTarget.value);
              setError(undefined);
            }}
          />
          <div className={layout.tools}>
            <Button loading={busy} onClick={() => void say(false)}>
              Keep
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setWrong(false)}>
              Cancel
            </Button>
          </div>
        </div>
      ) : (
        <div className={layout.tools}>
          <Button variant="default" loading={busy} onClick={() => void say(true)} aria-label={`Good: ${what}`}>
            Good
          </Button>
          <Button variant="default" onClick={() => setWrong(true)} aria-label={`Not right …: ${what}`}>
            Not right …
          </Button>
        </div>
      )}
    </li>
  );
};

/** Randomly sampled records for review. */
export const QualitySample = ({ begun }: { begun: SampledRecord[] }) => {
  const [samples, setSamples] = useState(begun);
  const [share, setShare] = useState('10');
  const [days, setDays] = useState('30');
  const { run: choose, busy } = useAction(() => call('POST /care-samples', { body: { share: Number(share), days: Number(days) } }), {
    success: ({ chosen, of }) => (of === 0 ? 'Every record has been chosen before.' : `${countOf(chosen, 'record')} of ${of} chosen.`),
    onDone: (answer) => setSamples(answer.samples),
  });
  return (
    <Section title="Quality sample">
      <p className={layout.count}>A share of what was recorded, chosen at random, to be looked at again by somebody else.</p>
      <div className={layout.tools} style={{ alignItems: 'end' }}>
        <Select
          label="Share"
          allowDeselect={false}
          value={share}
          data={sampleShares.map((n) => ({ value: String(n), label: `${n} %` }))}
          onChange={(to) => to && setShare(to)}
        />
        <Select
          label="Of the last"
          allowDeselect={false}
          value={days}
          data={sampleDays.map((n) => ({ value: String(n), label: `${n} days` }))}
          onChange={(to) => to && setDays(to)}
        />
        <Button loading={busy} onClick={() => void choose()}>
          Choose
        </Button>
      </div>
      {samples.length > 0 && (
        <ul className={layout.list} aria-label="Chosen records">
          {samples.map((sample) => (
            <Sampled key={sample.id} sample={sample} onChecked={(to) => setSamples((now) => now.map((s) => (s.id === to.id ? to : s)))} />
          ))}
        </ul>
      )}
    </Section>
  );
};
