import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Whitelabel } from '#contract/entities/whitelabel.ts';

const Version = z.object({ major: z.number(), minor: z.number(), patch: z.number() });

export const check = endpoint({
  id: 'check',
  method: 'GET',
  path: '/check',
  summary: 'Whether the server and its database answer. Also what a device asks to know that the line is back.',
  response: z.object({ ok: z.literal(true) }),
  errors: ['unavailable'],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const version = endpoint({
  id: 'version',
  method: 'GET',
  path: '/version',
  summary: 'The version of the API.',
  response: Version,
  errors: [],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const apiVersion = endpoint({
  id: 'apiVersion',
  method: 'GET',
  path: '/api/version',
  summary: 'The version of the API, by its older path.',
  response: Version,
  errors: [],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const time = endpoint({
  id: 'time',
  method: 'GET',
  path: '/time',
  summary: 'The server’s time, so that a device can tell how far its own clock is off.',
  response: z.object({ time: z.string() }),
  errors: [],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const whitelabel = endpoint({
  id: 'whitelabel',
  method: 'GET',
  path: '/whitelabel',
  summary: 'The branding of an organisation, by slug or by subdomain; the defaults where there is none.',
  query: z.object({ slug: z.optional(z.string().check(z.maxLength(63))), subdomain: z.optional(z.string().check(z.maxLength(63))) }),
  response: Whitelabel,
  errors: ['invalid_input'],
  access: 'public',
  duringPasswordChange: true,
  offline: 'cached',
});

export const systemEndpoints = [check, version, apiVersion, time, whitelabel] as const;
