import layout from '#src/ui/page.module.css';
import { Badge } from '#src/ui/badge.tsx';
import { Button, Text, Title } from '@mantine/core';
import { useLiveQuery } from 'dexie-react-hooks';
import { isOnRegister } from '#contract/rules/register.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { addVisit, removeVisit, type Visit } from '#src/device/visits.ts';
import classes from '#src/features/learning/learner-events.module.css';
import { countOf, dayFrom, formatMegabytes, formatMoment } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
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
          Choose the people you are visiting to have their criteria, records and files on this device.
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
  const registers =
    useLiveQuery(async () => {
      const [from, to] = [0, 1].map((days) => dayFrom(correctedNow(), days)) as [string, string];
      const kept = await db.registers.toArray();
      return kept
        .filter((r) => r.trainer.id === db.personId && r.date >= from && r.date <= to && !r.cancelled && !r.completed)
        .sort((a, b) => (`${a.date} ${a.startTime}` < `${b.date} ${b.startTime}` ? -1 : 1));
    }, [db]) ?? [];
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
