import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { providerNames, type SignInProvider, type SignInWays } from '#contract/entities/sign-in.ts';
import { call } from '#src/api/call.ts';
import { formatDay } from '#src/lib/format.ts';
import { useAction } from '#src/screens/use-action.ts';
import { Section } from '#src/ui/section.tsx';

/** The external accounts (Microsoft, Google) with which a person signs in. */
export const OtherAccounts = ({ providers, changed }: { providers: SignInWays['providers']; changed: () => void }) => {
  const disconnect = useAction(
    async (provider: SignInProvider) => {
      const result = await call('DELETE /auth/openid/{provider}', { params: { provider } });
      return result.kind === 'ok' ? { ...result, data: provider } : result;
    },
    { success: (provider) => `Your ${providerNames[provider]} account is disconnected.`, onDone: changed },
  );
  return (
    <Section title="Other accounts">
      <ul className={layout.lines}>
        {providers.map(({ provider, allowed, connected }) => (
          <li key={provider}>
            <div>
              <strong>{providerNames[provider]}</strong>
              <small>
                {connected
                  ? `${connected.email ?? 'Connected'} · since ${formatDay(connected.at)}${allowed ? '' : ' · turned off by your organisation'}`
                  : 'Not connected'}
              </small>
            </div>
            {connected ? (
              <Button variant="default" onClick={() => void disconnect.run(provider)} aria-label={`Disconnect ${providerNames[provider]}`}>
                Disconnect
              </Button>
            ) : (
              <Button
                variant="default"
                component="a"
                href={`/api/auth/openid/${provider}?connect=1`}
                aria-label={`Connect ${providerNames[provider]}`}
              >
                Connect
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
};
