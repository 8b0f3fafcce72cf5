import { useSyncExternalStore } from 'react';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { subdomainOf } from '#contract/rules/subdomain.ts';
import { call } from '#src/api/call.ts';
import { storedValue } from '#src/lib/stored-value.ts';

/** The branding stored on this device, so that the app opens in the right colours without a request. */
const saved = storedValue<Whitelabel>('whitelabel');

export const useBrand = (): Whitelabel => useSyncExternalStore(saved.subscribe, saved.get) ?? defaultWhitelabel;
export const currentBrand = (): Whitelabel => saved.get() ?? defaultWhitelabel;

/** Fetches the branding by the organisation's slug or the subdomain; keeps the stored one when offline. */
export const refreshBrand = async (slug: string | undefined): Promise<void> => {
  const subdomain = slug === undefined ? subdomainOf(location.host) : undefined;
  const result = await call('GET /whitelabel', { query: { slug, subdomain } }, { quiet: true });
  if (result.kind === 'ok') saved.set({ ...defaultWhitelabel, ...result.data });
};
