import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { Count, Id, Instant, Slug } from '#contract/entities/fields.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { ClientInvitation, InvitationCode, NewClientInvitation, TrainingClient, TrainingProvider } from '#contract/entities/training-client.ts';
import { CompanySettings, CompanySettingsChange, PictureAddress } from '#contract/entities/training-company.ts';

/** Training companies: how they take bookings and what they write to people. The specification changes their settings by GraphQL; the calls are ours. */
const bySlug = z.object({ slug: Slug });
const common = { ours: true, params: bySlug, offline: 'online-only' } as const;
const reads = ['not_found', 'forbidden', 'unauthenticated'] as const;
const writes = ['invalid_input', 'csrf_mismatch', ...reads] as const;
const settings = '/entities/{slug}/training-company';

export const companySettings = endpoint({
  ...{ id: 'companySettings', method: 'GET', path: settings, ...common, access: ['training_company.update', ...seesSessions] },
  ...{ response: CompanySettings, errors: reads },
  summary:
    'Returns the settings by which an organisation provides training: its own, else those of the nearest organisation above it that has some, else the standard.',
});
export const updateCompanySettings = endpoint({
  ...{ id: 'updateCompanySettings', method: 'PATCH', path: settings, ...common, access: ['training_company.update'] },
  body: z.extend(CompanySettingsChange, { rev: Count }),
  ...{ response: CompanySettings, errors: ['rev_mismatch', ...writes] },
  summary: 'Changes the settings of a training company. If `rev` is not the current one, answers 409 with `current`.',
});
export const addCompanyLogo = endpoint({
  ...{ id: 'addCompanyLogo', method: 'POST', path: `${settings}/logo`, ...common, access: ['training_company.update'] },
  upload: { types: ['multipart/form-data'], limitBytes: 3_000_000 },
  ...{ response: z.object({ logo: PictureAddress }), errors: ['body_too_large', 'unsupported_media', ...writes] },
  summary: 'Stores a picture (the file `logo`), and returns the address to use as `logo` in PATCH.',
});

const clients = '/entities/{slug}/training-clients';
const seesClients: readonly PermissionSlug[] = ['training_company.update', 'booking.manage', 'booking.provider'];
export const trainingClients = endpoint({
  ...{ id: 'trainingClients', method: 'GET', path: clients, ...common, access: seesClients },
  ...{ response: z.object({ clients: z.array(TrainingClient), invitations: z.array(ClientInvitation) }), errors: reads },
  summary: 'Lists the organisations that may book with a provider, and its invitations that are not used yet.',
});
export const inviteTrainingClient = endpoint({
  ...{ id: 'inviteTrainingClient', method: 'POST', path: `${clients}/invitations`, ...common, access: ['training_company.update'], status: 201 },
  ...{ body: NewClientInvitation, response: z.object({ code: z.string(), expires_at: Instant }), errors: writes },
  summary:
    'Makes a code with which an organisation becomes a client, for thirty days; it is answered this once. With `email` it is sent there as well.',
});
export const withdrawClientInvitation = endpoint({
  ...{ id: 'withdrawClientInvitation', method: 'DELETE', path: `${clients}/invitations/{invitation}`, ours: true, offline: 'online-only' },
  ...{ params: z.object({ slug: Slug, invitation: Id }), access: ['training_company.update'], status: 204 },
  ...{ errors: ['csrf_mismatch', ...reads], summary: 'Withdraws an invitation: its code is no longer valid.' },
});
export const endTrainingClient = endpoint({
  ...{ id: 'endTrainingClient', method: 'DELETE', path: `${clients}/{client}`, ours: true, offline: 'online-only', status: 204 },
  ...{ params: z.object({ slug: Slug, client: Id }), access: ['training_company.update'], errors: ['csrf_mismatch', ...reads] },
  summary: 'Ends the relation with a client: it books nothing more. What is booked stays.',
});

const providers = '/entities/{slug}/training-providers';
const asksProviders: readonly PermissionSlug[] = ['entity.update', 'booking.manage'];
export const trainingProviders = endpoint({
  ...{ id: 'trainingProviders', method: 'GET', path: providers, ...common },
  access: [...asksProviders, 'booking.create', 'booking.request'],
  ...{ response: z.array(TrainingProvider), errors: reads },
  summary: 'Lists the providers with which an organisation may book, by itself or because one above it may.',
});
export const readProviderInvitation = endpoint({
  ...{ id: 'readProviderInvitation', method: 'POST', path: `${providers}/invitation`, ...common, access: asksProviders },
  ...{ body: z.object({ code: InvitationCode }), response: z.object({ provider: EntityRef, expires_at: Instant }), errors: writes },
  summary: 'Returns the sender of an invitation, by its code. It is not accepted yet.',
});
export const acceptProviderInvitation = endpoint({
  ...{ id: 'acceptProviderInvitation', method: 'POST', path: providers, ...common, access: asksProviders, status: 201 },
  ...{ body: z.object({ code: InvitationCode }), response: TrainingProvider, errors: writes },
  summary: 'Accepts an invitation: the organisation, and those below it, may book with the provider from now on.',
});
export const endTrainingProvider = endpoint({
  ...{ id: 'endTrainingProvider', method: 'DELETE', path: `${providers}/{provider}`, ours: true, offline: 'online-only', status: 204 },
  ...{ params: z.object({ slug: Slug, provider: Id }), access: asksProviders, errors: ['csrf_mismatch', ...reads] },
  summary: 'Ends the relation with a provider: nothing more is booked with it. What is booked stays.',
});

export const trainingCompanyEndpoints = [
  companySettings,
  updateCompanySettings,
  addCompanyLogo,
  trainingClients,
  inviteTrainingClient,
  withdrawClientInvitation,
  endTrainingClient,
  trainingProviders,
  readProviderInvitation,
  acceptProviderInvitation,
  endTrainingProvider,
] as const;
