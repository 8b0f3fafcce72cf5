import * as z from 'zod/mini';
import { ClockOffset, Count, Hash, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { protocol } from '#contract/protocol.ts';
import { CopySignature, PublicKey } from '#contract/rules/sealed-copy-signature.ts';

/**
 * A store lost by the browser, and the number of entries recovered from the second journal or from an open page. `lost`: entries that
 * had been saved and could not be recovered.
 */
export const StoreIncident = z.object({
  at: Instant,
  kind: z.enum(['store-lost', 'entries-lost']),
  recovered: Count,
  lost: z.optional(Count),
  data_loss: z.nullable(z.string()),
});

const Bytes = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));

/** A device's report on itself and on one person's work on it. Sizes in bytes, times by the device's clock. */
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
  /** What locks the person's store: `pin`, `passkey`, or nothing. */
  locked_by: z.array(z.enum(['pin', 'passkey'])),
  incidents: z.array(StoreIncident).check(z.maxLength(20)),
  /** The courses that are complete on the device for offline use. Not sent by earlier releases. */
  kept: z.optional(z.array(z.object({ content_id: Id, version: Count })).check(z.maxLength(500))),
});
export type DeviceReport = z.infer<typeof DeviceReport>;

/** Work that the device once reported as waiting, that no longer waits there, and that has not been received. */
export const MissingWork = z.object({ id: Id, reported_at: Instant });
export type MissingWork = z.infer<typeof MissingWork>;

export const DeviceContact = z.extend(z.omit(DeviceReport, { persisted: true, kept: true }), {
  user: Ref,
  contact_at: Instant,
  persisted: z.boolean(),
  storage_nearly_full: z.boolean(),
  /** The number of such pieces of work, and when the device last reported one of them as waiting. */
  missing: Count,
  missing_reported_at: z.nullable(Instant),
});
export type DeviceContact = z.infer<typeof DeviceContact>;

/** The organisation's public key, with which devices wrap data keys. */
export const OrganisationKey = z.object({ kid: Id, jwk: z.record(z.string(), z.unknown()) });
export const RecoveryWrap = z.object({ kid: Id, data: z.string().check(z.maxLength(2000)) });

/**
 * The public key for a person's sealed copies on a device, and the hash of the data key that encrypts them. Sent while that
 * person is signed in.
 */
export const CopyKey = z.object({ kid: Id, jwk: PublicKey, data_key_hash: Hash });
export type CopyKey = z.infer<typeof CopyKey>;

/**
 * A person's unsent work, encrypted. It can be created on a locked device and opened only by the organisation's server. Each row
 * is an outbox entry as stored, with its sealed part in base64. A file contains all of them; a request at most
 * `protocol.sealedEntriesAtOnce`, each request with the signature over the whole. An unsigned copy is refused.
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
