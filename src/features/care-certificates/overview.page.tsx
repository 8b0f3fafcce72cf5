import '@mantine/core/styles/Combobox.css';
import { Button, Select, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { OverviewRow } from '#contract/entities/care-overview.ts';
import { usualDays } from '#contract/rules/certificate-outlook.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import classes from '#src/features/care-certificates/certificates.module.css';
import { QualitySample } from '#src/features/care-certificates/quality-sample.tsx';
import { reasonWords } from '#src/features/care-certificates/words.ts';
import { countOf, formatDay } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconAlert, IconCertificate, IconCheck, IconClock, IconPeople } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { StepsBar } from '#src/ui/steps-bar.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Badge } from '#src/ui/badge.tsx';

const weeks = usualDays / 7;

/** The projected completion at the present pace, compared with twelve weeks. */
const forecastOf = ({ forecast, usual_end, waiting }: OverviewRow): string =>
  waiting
    ? 'Every criterion is met.'
    : forecast === null
      ? `Nothing met in the last four weeks. ${weeks} weeks end ${formatDay(usual_end)}.`
      : forecast > usual_end
        ? `At this pace done ${formatDay(forecast)}; ${weeks} weeks end ${formatDay(usual_end)}.`
        : `At this pace done ${formatDay(forecast)}, within ${weeks} weeks.`;

const PersonRow = ({ row }: { row: OverviewRow }) => (
  <Link to={pathTo('care-certificate-by-uuid', { uuid: row.id })} className={`app-card ${layout.row}`}>
    <span>
      <strong>{row.user.name}</strong>
      <small className={layout.soft}>
        {[row.role, row.place].filter(Boolean).join(' · ')} · day {row.days}
      </small>
      <small className={layout.soft}>{forecastOf(row)}</small>
      {row.reasons.map((reason) => (
        <small key={reason} className={classes.reason}>
          <IconAlert size={16} /> {reasonWords[reason]}
          {reason === 'sent_back' && row.sent_back ? ` “${row.sent_back}”` : ''}
        </small>
      ))}
    </span>
    {row.waiting ? (
      <Badge tone="warning" icon={IconClock}>
        Awaiting approval
      </Badge>
    ) : (
      <StepsBar done={row.met} of={row.of} label={`Criteria met by ${row.user.name}`} />
    )}
  </Link>
);

type PartProps = { title: string; rows: OverviewRow[]; none: ReactNode };
const Part = ({ title, rows, none }: PartProps) => (
  <section className={layout.page} aria-label={title}>
    <Title order={2} size="h3">
      {title} ({rows.length})
    </Title>
    {rows.length === 0 ? (
      <p className={layout.count}>{none}</p>
    ) : (
      <ul className={layout.list}>
        {rows.map((row) => (
          <li key={row.id}>
            <PersonRow row={row} />
          </li>
        ))}
      </ul>
    )}
  </section>
);

/** Who must be supervised in line of sight on the shift, and in which standards they need not. */
const LineOfSight = ({ rows }: { rows: OverviewRow[] }) => (
  <section className={`app-card ${layout.block}`} aria-label="Line of sight">
    <Title order={2} size="h3">
      In line of sight on the shift ({rows.length})
    </Title>
    {rows.length > 0 && (
      <ul className={classes.said}>
        {rows.map((row) => (
          <li key={row.id}>
            <strong>{row.user.name}</strong>, {row.place}:{' '}
            {row.indirect.length === 0
              ? 'in everything'
              : `in everything but ${row.indirect.length === 1 ? 'standard' : 'standards'} ${row.indirect.join(', ')}`}
          </li>
        ))}
      </ul>
    )}
    {rows.length === 0 && <p className={layout.count}>Nobody.</p>}
  </section>
);

/** The progress of all certificates, what is stuck and why, what waits for approval, and the quality of records. */
export const Component = () => {
  const brand = useBrand();
  const { state, retry } = useRead('GET /care-certificates/overview', {});
  const [place, setPlace] = useState<string | null>(null);
  const all = state.kind === 'loaded' ? state.data.people : [];
  const people = place === null ? all : all.filter((p) => p.place === place);
  const waiting = people.filter((p) => p.waiting);
  const stuck = people.filter((p) => !p.waiting && p.reasons.length > 0);
  const well = people.filter((p) => !p.waiting && p.reasons.length === 0);
  const places = [...new Set(all.map((p) => p.place))].sort();
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {brand.certificateGroupMenuName}: overview
        </Title>
        <Button variant="default" component={Link} to={pathTo('care-certificate')}>
          Everybody
        </Button>
      </div>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the overview" offline="The overview needs a connection." />
      {state.kind === 'loaded' && (
        <>
          {places.length > 1 && (
            <Select
              label="Where"
              placeholder="Everywhere"
              clearable
              value={place}
              data={places}
              onChange={setPlace}
              style={{ maxWidth: 360 }}
              clearButtonProps={{ 'aria-label': 'Everywhere' }}
            />
          )}
          <p className={`${layout.count} ${classes.counted}`}>
            <IconPeople size={18} /> {countOf(people.length, 'person', 'people')} in progress · {waiting.length} awaiting approval · {stuck.length}{' '}
            stuck
          </p>
          {state.data.more && (
            <p className={layout.notice} data-tone="warning">
              These are the 300 who began first. The list of everybody has the rest.
            </p>
          )}
          {all.length === 0 ? (
            <EmptyState icon={<IconCertificate size={36} />} title="Nobody is in progress">
              Everybody who was added is approved, or nobody has been added yet.
            </EmptyState>
          ) : (
            <>
              <Part title="Awaiting approval" rows={waiting} none="Nothing is waiting for you." />
              <Part
                title="Stuck"
                rows={stuck}
                none={
                  <>
                    <IconCheck size={18} /> Nobody is stuck.
                  </>
                }
              />
              <Part title="On course" rows={well} none="Nobody else is in progress." />
              <LineOfSight rows={people} />
            </>
          )}
          <QualitySample begun={state.data.samples} />
        </>
      )}
    </div>
  );
};
