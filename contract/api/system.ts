import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Whitelabel } from '#contract/entities/whitelabel.ts';

const Version = z.object({ major: z.number(), minor: z.number(), patch: z.number() });

export const check = endpoint({
  id: 'check',
  method: 'GET',
  path: '/check',
  summary: 'Reports whether the server and its database respond. Devices also use it to detect that the connection is back.',
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
  summary: 'Returns the version of the API.',
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
  summary: 'Returns the version of the API, under its older path.',
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
  summary: 'Returns the server’s time, so that a device can determine its clock offset.',
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
  summary: 'Returns the branding of an organisation by slug or subdomain, or the default branding.',
  query: z.object({ slug: z.optional(z.string().check(z.maxLength(63))), subdomain: z.optional(z.string().check(z.maxLength(63))) }),
  response: Whitelabel,
  errors: ['invalid_input'],
  access: 'public',
  duringPasswordChange: true,
  offline: 'cached',
});

export const systemEndpoints = [check, version, apiVersion, time, whitelabel] as const;
