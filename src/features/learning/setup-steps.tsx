import { useEffect, useSyncExternalStore } from 'react';
import { Button, CloseButton, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { can } from '#contract/can.ts';
import type { PageMeta } from '#contract/api/paging.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/features/learning/work-home.module.css';
import { storedValue } from '#src/lib/stored-value.ts';
import { type ReadState, useRead } from '#src/screens/use-read.ts';
import { IconCheck } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Badge } from '#src/ui/badge.tsx';

/** Organisations whose set-up is complete, or was dismissed, on this device: nothing is requested for them. */
const setUp = storedValue<readonly string[]>('setUpOrganisations');

/** The number of something; null while it is unknown. */
const totalOf = (state: ReadState<unknown>): number | null =>
  state.kind === 'loaded' ? ((state.meta as PageMeta | undefined)?.total ?? null) : null;

/** The set-up steps of a new organisation, ticked off by what exists. */
const Steps = ({ slug, onDone }: { slug: string; onDone: () => void }) => {
  const user = useSession();
  const brand = useBrand();
  const one = { query: { per_page: 1 } };
  const roleList = useRead('GET /entities/{slug}/roles', { params: { slug } }).state;
  const roles = roleList.kind === 'loaded' ? roleList.data.length : null;
  const courses = totalOf(useRead('GET /entities/{slug}/courses', { params: { slug }, ...one }).state);
  const people = totalOf(useRead('GET /users', one).state);
  const sessions = totalOf(useRead('GET /training-sessions', { query: { per_page: 1, when: 'all' } }).state);
  const known = roles !== null && courses !== null && people !== null && sessions !== null;
  const steps = [
    {
      route: 'entities-one-branding',
      label: 'Add your logo and colours',
      done: brand.logo !== null || brand.colours.primary !== defaultWhitelabel.colours.primary,
    },
    { route: 'entities-one-roles', label: 'Set up job roles', done: (roles ?? 0) > 0 },
    { route: 'entities-one-courses', label: 'Choose the courses people take', done: (courses ?? 0) > 0 },
    { route: 'users-create', label: 'Add people', done: (people ?? 0) > 1 },
    { route: 'training-sessions-create', label: 'Plan the first training session', done: (sessions ?? 0) > 0 },
  ] as const;
  const possible = steps.filter((s) => s.done || can(user, needOf(s.route)));
  const left = possible.filter((s) => !s.done);
  const complete = known && left.length === 0;
  useEffect(() => {
    if (complete) onDone();
  });
  if (!known || complete) return null;
  return (
    <section className={`app-card ${layout.block}`} aria-label="Set up your organisation">
      <div className={layout.head}>
        <div>
          <Title order={2} size="h3">
            Set up your organisation
          </Title>
          <p className={layout.count}>
            {possible.length - left.length} of {possible.length} steps done
          </p>
        </div>
        <CloseButton size={44} aria-label="Dismiss the set-up steps" onClick={onDone} />
      </div>
      <ol className={layout.lines}>
        {possible.map(({ route, label, done }) => (
          <li key={route} className={classes.row}>
            <span>{label}</span>
            {done ? (
              <Badge tone="ok" icon={IconCheck}>
                Done
              </Badge>
            ) : (
              <Button
                component={Link}
                to={pathTo(route, { slug })}
                variant={route === left[0]?.route ? 'filled' : 'default'}
                aria-label={`Start: ${label}`}
              >
                Start
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};

export const SetupSteps = ({ slug }: { slug: string }) => {
  const done = useSyncExternalStore(setUp.subscribe, setUp.get) ?? [];
  return done.includes(slug) ? null : <Steps slug={slug} onDone={() => setUp.set([...done, slug])} />;
};
