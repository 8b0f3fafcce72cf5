import layout from '#src/ui/page.module.css';
import { Badge } from '#src/ui/badge.tsx';
import { Button, Text, Title } from '@mantine/core';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { isOnRegister } from '#contract/rules/register.ts';
import { nextRegisters, type ShiftPart } from '#src/device/next-shift.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { addVisit, removeVisit, type Visit } from '#src/device/visits.ts';
import classes from '#src/features/learning/learner-events.module.css';
import { countOf, formatMegabytes, formatMoment } from '#src/lib/format.ts';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';
import { Picker } from '#src/screens/pickers.tsx';

/** The state of one item for the next day. */
export const Fate = ({ tone, words }: { tone: 'ok' | 'danger' | 'warning' | undefined; words: string }) => (
  <Badge tone={tone ?? 'plain'} icon={tone === 'ok' ? IconCheck : tone === 'danger' ? IconAlert : undefined}>
    {words}
  </Badge>
);

type Props = {
  visits: readonly Visit[];
  loading: string | null;
  why: Readonly<Record<string, string>>;
  busy: boolean;
  onChanged: () => Promise<void>;
};

/** The people an assessor will visit: their certificates, drafts and evidence files. */
export const Visits = ({ visits, loading, why, busy, onChanged }: Props) => {
  const db = usePersonDb();
  return (
    <section aria-label="People you observe">
      <Title order={3} size="h4">
        People you observe
      </Title>
      {visits.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody is chosen: without a connection you can record for nobody. Choose the people you are visiting to have their criteria, records and
          files on this device.
        </Text>
      )}
      <ul className={layout.lines}>
        {visits.map((visit) => (
          <li key={visit.id}>
            <span>
              {visit.name}
              <small>
                {[
                  visit.fetched_at ? `as of ${formatMoment(visit.fetched_at)}` : '',
                  visit.files > 0 ? countOf(visit.files, 'file') : '',
                  visit.drafts > 0 ? `${countOf(visit.drafts, 'draft')} started here` : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
              {why[visit.id] && <small>{why[visit.id]}</small>}
            </span>
            <span className={classes.fate}>
              {loading === visit.id ? (
                <Fate tone="warning" words="Downloading" />
              ) : visit.state === 'ready' ? (
                <Fate tone="ok" words="On this device" />
              ) : (
                <Fate tone={why[visit.id] ? 'danger' : 'warning'} words={visit.missing > 0 ? formatMegabytes(visit.missing) : 'To be downloaded'} />
              )}
              <Button
                variant="subtle"
                color="gray"
                disabled={busy}
                aria-label={`Remove ${visit.name}`}
                onClick={() => void removeVisit(db, visit.id).then(onChanged)}
              >
                Remove
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <Picker
        from="certificates"
        label="People you are visiting"
        disabled={busy}
        except={visits.map((v) => v.id)}
        value={null}
        onChange={(chosen) => chosen && void addVisit(db, { id: chosen.id, name: chosen.name }).then(onChanged)}
      />
    </section>
  );
};

const noRegisters = (refreshed: boolean | null): string => {
  if (refreshed === null) return 'Looking for your sessions …';
  return refreshed
    ? 'You have no sessions today or tomorrow.'
    : 'Your sessions could not be fetched, and none of today or tomorrow are on this device.';
};

/** A trainer's sessions today and tomorrow, as stored on this device. `refreshed`: whether they could be fetched; null until that is known. */
export const Registers = ({ refreshed }: { refreshed: boolean | null }) => {
  const db = usePersonDb();
  const registers = useLiveQuery(() => nextRegisters(db), [db]) ?? [];
  return (
    <section aria-label="Registers">
      <Title order={3} size="h4">
        Registers
      </Title>
      {registers.length === 0 && (
        <Text size="sm" c="dimmed">
          {noRegisters(refreshed)}
        </Text>
      )}
      <ul className={layout.lines}>
        {registers.map((r) => (
          <li key={r.id}>
            <span>
              {r.course.name}
              <small>
                {r.date.split('-').reverse().join('/')}, {r.startTime} · {countOf(r.delegates.filter(isOnRegister).length, 'person', 'people')}
              </small>
            </span>
            <Fate tone={refreshed === false ? 'warning' : 'ok'} words={refreshed === false ? 'On this device, as last updated' : 'On this device'} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const partWords = ({ state, missing, filesMissing }: ShiftPart): string => {
  if (state === 'ready') return 'On this device';
  if (state === 'stale') return 'On this device, as last updated';
  return missing > 0 ? formatMegabytes(missing) : filesMissing > 0 ? countOf(filesMissing, 'file') : 'Missing';
};

/** The person's own pages and files. */
export const OwnPages = ({ parts, failed }: { parts: readonly ShiftPart[]; failed: readonly string[] }) => (
  <section aria-label="Your own pages">
    <Title order={3} size="h4">
      Your own pages
    </Title>
    <ul className={layout.lines}>
      {parts.map((part) => (
        <li key={part.id}>
          <span>
            {part.title}
            {part.state !== 'ready' && (part.filesMissing === 0 || failed.includes(part.title)) && <small>could not be fetched</small>}
          </span>
          <Fate tone={part.state === 'ready' ? 'ok' : 'warning'} words={partWords(part)} />
        </li>
      ))}
    </ul>
  </section>
);
