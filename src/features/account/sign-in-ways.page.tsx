import { Button, Group, Text, Title } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { providerNames, type SignInProvider } from '#contract/entities/sign-in.ts';
import { errors as errorTable, isErrorCode } from '#contract/errors.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { EmailAddress } from '#src/features/account/email-address.tsx';
import { OtherAccounts } from '#src/features/account/other-accounts.tsx';
import { Passkeys } from '#src/features/account/passkeys.tsx';
import { SecondStep } from '#src/features/account/second-step.tsx';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Section } from '#src/ui/section.tsx';

/** The person's sign-in methods: password, two-step verification, passkeys, Microsoft and Google accounts. */
export const Component = () => {
  const me = useSession();
  const acting = useActingAs();
  const [query] = useSearchParams();
  const { state, retry } = useRead('GET /auth/sign-in-ways', {});
  const [problem, connected] = [query.get('problem'), query.get('connected')];
  return (
    <div className={layout.page}>
      <header className={layout.head}>
        <Title order={1} className={layout.title}>
          How I sign in
        </Title>
      </header>
      {isErrorCode(problem) && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {errorTable[problem].message}
        </p>
      )}
      {connected && Object.hasOwn(providerNames, connected) && (
        <p className={layout.notice} data-tone="ok" role="status">
          {providerNames[connected as SignInProvider]} is now connected. You can sign in with it.
        </p>
      )}
      {acting && (
        <p className={layout.notice} data-tone="warning">
          {errorTable.not_while_acting.message}
        </p>
      )}
      <ReadPlaceholder state={state} retry={retry} loading="Loading your sign-in methods" offline="Changing how you sign in needs a connection." />
      {state.kind === 'loaded' && !acting && (
        <>
          {me && (
            <Section title="E-mail address">
              <EmailAddress address={me.email} verified={me.emailVerified} />
            </Section>
          )}
          <Section title="Password">
            <Text>You sign in with {me?.email} and your password.</Text>
            {can(me, 'user.update_password') && (
              <Group>
                <Button variant="default" component={Link} to={pathTo('update-password')}>
                  Change password
                </Button>
              </Group>
            )}
          </Section>
          <SecondStep state={state.data.second_step} changed={retry} />
          <Passkeys passkeys={state.data.passkeys} changed={retry} />
          {state.data.providers.length > 0 && <OtherAccounts providers={state.data.providers} changed={retry} />}
        </>
      )}
    </div>
  );
};
