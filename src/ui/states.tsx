import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { placeholder } from '#src/lib/when-idle.ts';
import { IconAlert, IconOffline } from '#src/ui/icons.tsx';
import classes from '#src/ui/states.module.css';

/** 1 if the state fills the whole page. */
type HeadingOrder = 1 | 2;

/** A loading skeleton, announced once to screen readers. */
export const LoadingState = ({ rows = 4, label = 'Loading' }: { rows?: number; label?: string }) => (
  <Stack gap="md" role="status" aria-label={label} {...placeholder}>
    {Array.from({ length: rows }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the shapes are all alike
      <Skeleton key={i} height={88} radius="md" />
    ))}
  </Stack>
);

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

/** Shown offline by screens that need a connection. */
export const OfflineState = ({ what, onRetry, order = 2 }: { order?: HeadingOrder; what: string; onRetry?: () => void }) => (
  <div className={classes.state} role="status">
    <div className={classes.icon} data-tone="plain">
      <IconOffline size={36} />
    </div>
    <Title order={order} size="h3">
      No connection
    </Title>
    <Text c="dimmed" maw={460}>
      {what}
    </Text>
    {onRetry && (
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    )}
  </div>
);
