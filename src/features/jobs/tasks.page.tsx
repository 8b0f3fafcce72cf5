import { Button, Progress, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Job } from '#contract/entities/job.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import classes from '#src/features/jobs/tasks.module.css';
import { useJobs } from '#src/features/jobs/use-jobs.ts';
import { formatMoment } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';
import { IconClock } from '#src/ui/icons.tsx';
import { Badge, type Tone } from '#src/ui/badge.tsx';

const words: Record<Job['state'], string> = { waiting: 'Waiting', running: 'Running', done: 'Finished', failed: 'Failed', stopped: 'Stopped' };
const tones: Record<Job['state'], Tone> = { waiting: 'warning', running: 'warning', done: 'ok', failed: 'danger', stopped: 'warning' };
const number = new Intl.NumberFormat('en-GB');

const howFar = ({ done, total, unit }: Job): string =>
  total === null ? (done > 0 ? `${number.format(done)} ${unit}` : '') : `${number.format(done)} of ${number.format(total)} ${unit}`;
const whenOf = (job: Job): string =>
  job.ended_at
    ? `${words[job.state].toLowerCase()} ${formatMoment(job.ended_at)}`
    : job.started_at
      ? `started ${formatMoment(job.started_at)}`
      : `asked for ${formatMoment(job.asked_at)}`;

const Task = ({ job, replace }: { job: Job; replace: (job: Job) => void }) => {
  const [problem, setProblem] = useState<string | null>(null);
  const act = async (what: 'cancel' | 'retry') => {
    const result = await call(what === 'cancel' ? 'POST /jobs/{id}/cancel' : 'POST /jobs/{id}/retry', { params: { id: job.id } });
    setProblem(result.kind === 'ok' ? null : sentenceOf(result));
    if (result.kind === 'ok') replace(result.data);
  };
  const far = howFar(job);
  return (
    <li className={`app-card ${classes.row}`}>
      <div>
        <span className={layout.between}>
          <strong>{job.title}</strong>
          <Badge tone={tones[job.state]}>{job.stopping ? 'Stopping' : words[job.state]}</Badge>
        </span>
        <small>{[job.organisation?.name, job.started_by?.name ?? 'The server', whenOf(job)].filter(Boolean).join(' · ')}</small>
        {job.problem && <p className={classes.problem}>{job.problem}</p>}
        {problem && (
          <p className={layout.notice} data-tone="danger" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div>
        {job.total !== null && (
          <Progress value={job.total === 0 ? 100 : (100 * job.done) / job.total} aria-label={`${job.title}: ${far}`} size="lg" radius="xl" />
        )}
        {far && <small>{job.state === 'stopped' || job.state === 'failed' ? `${far} were done and stay` : far}</small>}
      </div>
      <div className={`${layout.tools} ${classes.actions}`}>
        {job.link && (
          <Button component={Link} to={job.link} variant="default" aria-label={`Open ${job.title}`}>
            Open
          </Button>
        )}
        {job.can_cancel && (
          <DeleteButton question="What has been done stays." name={job.title} label="Cancel …" sure="Cancel it" onDelete={() => void act('cancel')} />
        )}
        {job.can_retry && (
          <Button onClick={() => void act('retry')} aria-label={`Try ${job.title} again`}>
            Try again
          </Button>
        )}
      </div>
    </li>
  );
};

/** The server's background tasks, live. */
export const Component = () => {
  const { jobs, live, state, retry, replace } = useJobs();
  const open = jobs.filter((j) => j.ended_at === null);
  const ended = jobs.filter((j) => j.ended_at !== null);
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          Tasks in progress
        </Title>
      </div>
      {state.kind !== 'loaded' ? (
        <ReadPlaceholder state={state} retry={retry} loading="Loading tasks" offline="Tasks in progress need a connection." />
      ) : (
        <>
          {!live && (
            <p className={layout.notice} data-tone="warning" role="status">
              There is no connection to the server. These are the tasks as last received; the connection is tried every few seconds.
            </p>
          )}
          <p className={layout.count} role="status">
            {open.length === 0 ? 'Nothing is running or waiting.' : `${open.length} running or waiting`}
          </p>
          {jobs.length === 0 && (
            <EmptyState icon={<IconClock size={36} />} title="No tasks yet">
              Longer tasks, such as an import, are shown here while they run and afterwards.
            </EmptyState>
          )}
          {[
            { name: 'Running and waiting', some: open },
            { name: 'Recently ended', some: ended },
          ].map(
            ({ name, some }) =>
              some.length > 0 && (
                <section key={name} aria-label={name} className={`${layout.page} ${layout.wide}`}>
                  <Title order={2} size="h3">
                    {name}
                  </Title>
                  <ul className={`${layout.list} ${classes.tasks}`}>
                    {some.map((job) => (
                      <Task key={job.id} job={job} replace={replace} />
                    ))}
                  </ul>
                </section>
              ),
          )}
        </>
      )}
    </div>
  );
};
