import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { serverIsLate } from '#src/lib/server-is-late.ts';
import { placeholder } from '#src/lib/when-idle.ts';
import { IconAlert, IconOffline } from '#src/ui/icons.tsx';
import classes from '#src/ui/states.module.css';

/** 1 if the state fills the whole page. */
type HeadingOrder = 1 | 2;

/** After this time a person is told why nothing has appeared yet, and what they can do. */
const takesLongMs = 8000;

/** A loading skeleton, announced once to screen readers; if it takes long, it says so and offers to begin again. */
export const LoadingState = ({ rows = 4, label = 'Loading' }: { rows?: number; label?: string }) => {
  const [takesLong, setTakesLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTakesLong(true), takesLongMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {takesLong && (
        <div className={classes.state} role="status">
          <Text maw={460}>
            This takes longer than usual: the server, the connection or the storage of this device is slow. You can wait, or try again.
          </Text>
          <Button variant="default" onClick={() => location.reload()}>
            Try again
          </Button>
        </div>
      )}
      <Stack gap="md" role="status" aria-label={label} {...placeholder}>
        {Array.from({ length: rows }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the shapes are all alike
          <Skeleton key={i} height={88} radius="md" />
        ))}
      </Stack>
    </>
  );
};

/** An empty state: why, and what to do next. */
export const EmptyState = ({
  icon,
  title,
  children,
  action,
  order = 2,
}: {
  order?: HeadingOrder;
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className={classes.state}>
    {icon && (
      <div className={classes.icon} data-tone="plain">
        {icon}
      </div>
    )}
    <Title order={order} size="h3">
      {title}
    </Title>
    {children && (
      <Text c="dimmed" maw={460}>
        {children}
      </Text>
    )}
    {action}
  </div>
);

/** An error with a message and a Try again button. */
export const ErrorState = ({ message, onRetry, order = 2 }: { order?: HeadingOrder; message: string; onRetry?: () => void }) => (
  <div className={classes.state} role="alert">
    <div className={classes.icon} data-tone="danger">
      <IconAlert size={36} />
    </div>
    <Title order={order} size="h3">
      Something went wrong
    </Title>
    <Text maw={460}>{message}</Text>
    {onRetry && <Button onClick={onRetry}>Try again</Button>}
  </div>
);

/** Shown offline by screens that need a connection, and if the server has not answered in time. */
export const OfflineState = ({ what, onRetry, order = 2 }: { order?: HeadingOrder; what: string; onRetry?: () => void }) => {
  const late = useSyncExternalStore(serverIsLate.subscribe, serverIsLate.get);
  return (
    <div className={classes.state} role="status">
      <div className={classes.icon} data-tone="plain">
        <IconOffline size={36} />
      </div>
      <Title order={order} size="h3">
        {late ? 'The server has not answered in time' : 'No connection'}
      </Title>
      <Text c="dimmed" maw={460}>
        {late ? 'It may be slow just now. Try again in a moment.' : what}
      </Text>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
};
