import { useSyncExternalStore } from 'react';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { call } from '#src/api/call.ts';
import { storedValue } from '#src/lib/stored-value.ts';

/** The branding on this device: kept, so that the app opens in the right colours without asking anybody. */
const saved = storedValue<Whitelabel>('whitelabel');

export const useBrand = (): Whitelabel => useSyncExternalStore(saved.subscribe, saved.get) ?? defaultWhitelabel;
export const currentBrand = (): Whitelabel => saved.get() ?? defaultWhitelabel;

/** The part of the host before the first dot, where there is one that can name an organisation. */
export const subdomainOf = (host: string): string | undefined => {
  const name = host.split(':')[0] ?? '';
  const parts = name.split('.');
  return (parts.length > 2 || (parts.length === 2 && parts[1] === 'localhost')) && !/^\d+$/.test(parts[0] ?? '') ? parts[0] : undefined;
};

/** Fetches the branding by the organisation's slug, or by the host's subdomain; keeps the old one without a network. */
export const refreshBrand = async (slug: string | undefined): Promise<void> => {
  const subdomain = slug === undefined ? subdomainOf(location.host) : undefined;
  const result = await call('GET /whitelabel', { query: { slug, subdomain } }, { quiet: true });
  if (result.kind === 'ok') saved.set({ ...defaultWhitelabel, ...result.data });
};
