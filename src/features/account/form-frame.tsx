import { Alert, Stack, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

/** A form of the sign-in area: a heading, what went wrong, the fields. */
export const FormFrame = ({
  title,
  lead,
  error,
  done,
  onSubmit,
  children,
}: {
  title: string;
  lead?: ReactNode;
  error?: string | null;
  done?: string | null;
  onSubmit: () => void;
  children: ReactNode;
}) => (
  <form
    noValidate
    onSubmit={(event: FormEvent) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    <Stack gap="md">
      <Title order={1} size="h2">
        {title}
      </Title>
      {lead}
      {error && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          styles={{
            message: { color: 'var(--app-danger-text)', fontSize: '1rem', whiteSpace: 'pre-line' },
            root: { background: 'var(--app-danger-tint)' },
          }}
        >
          {error}
        </Alert>
      )}
      {done && (
        <Alert
          color="green"
          variant="light"
          role="status"
          styles={{ message: { color: 'var(--app-ok-text)', fontSize: '1rem' }, root: { background: 'var(--app-ok-tint)' } }}
        >
          {done}
        </Alert>
      )}
      {children}
    </Stack>
  </form>
);
