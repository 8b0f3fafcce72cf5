import * as z from 'zod/mini';
import { ClockOffset, Count, Hash, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { protocol } from '#contract/protocol.ts';
import { CopySignature, PublicKey } from '#contract/rules/sealed-copy-signature.ts';

/** A store on a device that the browser lost, and how many entries came back from the second journal. */
export const StoreIncident = z.object({
  at: Instant,
  kind: z.enum(['store-lost', 'entries-lost']),
  recovered: Count,
  data_loss: z.nullable(z.string()),
});

const Bytes = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));

/** What a device says of itself and of one person's work on it. Sizes in bytes, times as the device knows them. */
export const DeviceReport = z.object({
  device_id: z.string().check(z.regex(/^[0-9a-f-]{8,36}$/)),
  app_version: z.string().check(z.maxLength(40)),
  waiting: Count,
  needs_person: Count,
  oldest_waiting_at: z.nullable(Instant),
  storage_used: z.nullable(Bytes),
  storage_quota: z.nullable(Bytes),
  persisted: z.boolean(),
  clock_behind_ms: ClockOffset,
  /** What locks the person's store on it: `pin`, `passkey`, or nothing. */
  locked_by: z.array(z.enum(['pin', 'passkey'])),
  incidents: z.array(StoreIncident).check(z.maxLength(20)),
});
export type DeviceReport = z.infer<typeof DeviceReport>;

/** One line of the roll-call. */
export const DeviceContact = z.extend(z.omit(DeviceReport, { persisted: true }), {
  user: Ref,
  contact_at: Instant,
  persisted: z.boolean(),
  storage_nearly_full: z.boolean(),
});
export type DeviceContact = z.infer<typeof DeviceContact>;

/** The organisation's public key: what devices wrap data keys for. */
export const OrganisationKey = z.object({ kid: Id, jwk: z.record(z.string(), z.unknown()) });
export const RecoveryWrap = z.object({ kid: Id, data: z.string().check(z.maxLength(2000)) });

/** What a device signs a person's sealed copies with, and a hash of what it seals them with: told while that person is signed in. */
export const CopyKey = z.object({ kid: Id, jwk: PublicKey, data_key_hash: Hash });
export type CopyKey = z.infer<typeof CopyKey>;

/**
 * A person's unsent work, sealed: it can be made on a locked device and opened by the organisation's server only. Each
 * row is an entry of the outbox as it lies on the disk, its sealed part as base64. A file holds all of them; a request not
 * more than `protocol.sealedEntriesAtOnce`, each with the signature of the whole. Without it nothing is taken from the copy.
 */
export const SealedWork = z.object({
  format: z.literal('lantern-sealed-work'),
  version: z.literal(1),
  person_id: Id,
  device_id: z.string().check(z.maxLength(40)),
  made_at: Instant,
  recovery: RecoveryWrap,
  entries: z.array(z.looseObject({ id: Id, sealed: z.string() })).check(z.maxLength(protocol.sealedEntriesAtOnce)),
  signed: z.optional(CopySignature),
});
export type SealedWork = z.infer<typeof SealedWork>;
