import * as z from 'zod/mini';
import { Count, Day, Hash, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';
import { MatrixFilter } from '#contract/matrix/filter.ts';
import { cellTypes } from '#contract/matrix/sheet.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';

/**
 * Ours: an inspection pack is the compliance of a service's people at one moment, frozen for an inspector: their training, the certificates
 * and the Care Certificates. It never changes, and anybody with one of its files can verify that. The limits keep its document readable on
 * paper; `aDay` is how many an organisation can request within 24 hours, because packs are kept permanently.
 */
export const inspectionLimits = { people: 1_000, lines: 5_000, aDay: 20 } as const;

export const NewInspection = z.object({
  name: NeededLine(120, 'Enter a name.'),
  /** The people and courses, as in a report. */
  filter: MatrixFilter,
  /** Whether certificates, Care Certificates, and policy signatures are included. */
  certificates: z.boolean(),
  care_certificates: z.boolean(),
  policies: z.boolean(),
});
export type NewInspection = z.output<typeof NewInspection>;

/** `waiting`: being made. `failed`: it could not be made, or was stopped; it is empty. */
export const inspectionStates = ['waiting', 'ready', 'failed'] as const;
const Score = z.object({ required: Count, in_date: Count, score: z.nullable(Count) });

export const Inspection = z.object({
  id: Id,
  name: z.string(),
  organisation: Ref,
  /** The people and courses, in words. */
  chosen: z.string(),
  state: z.enum(inspectionStates),
  asked_at: Instant,
  asked_by: Ref,
  /** Files made so far, of how many, while it is being made. */
  progress: z.nullable(z.object({ done: Count, total: z.nullable(Count) })),
  /** Why it failed. */
  problem: z.nullable(z.string()),
  frozen_at: z.nullable(Instant),
  people: Count,
  courses: Count,
  certificates: Count,
  care_certificates: Count,
  ...Score.shape,
  pdf_bytes: Count,
  zip_bytes: Count,
  /** The SHA-256 of its list of files, which identifies it. */
  hash: z.nullable(Hash),
});
export type Inspection = z.infer<typeof Inspection>;

/** One person's status in one course. `c`: index of the course in the list. Days in the time zone of the person's service. */
const Line = z.object({
  c: Count,
  status: z.enum(complianceStatuses),
  type: z.enum(cellTypes),
  exempt: z.boolean(),
  /** The result of another course counts. */
  other: z.boolean(),
  completed: z.nullable(Day),
  expires: z.nullable(Day),
  /** The certificate number, with which anybody can verify it. */
  certificate: z.nullable(z.string()),
});
/** The data of a pack: its file data.json, which a device stores too. */
export const InspectionDocument = z.object({
  format: z.literal('lantern-inspection-1'),
  name: z.string(),
  organisation: z.string(),
  frozen_at: Instant,
  frozen_by: z.string(),
  chosen: z.string(),
  time_zone: z.string(),
  /** The organisation's terms for requirements and the Care Certificate. */
  words: z.object({ primary: z.string(), secondary: z.string(), care_certificate: z.string() }),
  ...Score.shape,
  courses: z.array(z.object({ title: z.string(), ...Score.shape })),
  people: z.array(
    z.object({ name: z.string(), role: z.nullable(z.string()), service: z.string(), started_on: Day, ...Score.shape, lines: z.array(Line) }),
  ),
  /** Null if they were left out. */
  care_certificates: z.nullable(
    z.array(
      z.object({
        person: z.string(),
        service: z.string(),
        standards_met: Count,
        standards_of: Count,
        approved_on: z.nullable(Day),
        waiting: z.boolean(),
      }),
    ),
  ),
  /**
   * A policy to read and sign in a course, as published then, with everybody who signed it or has to. `version`: the one that they signed,
   * null if they have not. Null if policies were left out; packs from before 28 November 2026 have none.
   */
  policies: z.optional(
    z.nullable(
      z.array(
        z.object({
          title: z.string(),
          course: z.string(),
          text: z.string(),
          version: Count,
          published_on: Day,
          people: z.array(
            z.object({
              person: z.string(),
              service: z.string(),
              signed_as: z.nullable(z.string()),
              signed_on: z.nullable(Day),
              version: z.nullable(Count),
            }),
          ),
        }),
      ),
    ),
  ),
});
export type InspectionDocument = z.infer<typeof InspectionDocument>;

/** The files of a pack, each with its hash. This is signed as text. `previous` is the hash of the organisation's previous pack. */
export const InspectionManifest = z.object({
  format: z.literal('lantern-inspection-1'),
  id: Id,
  name: z.string(),
  organisation: z.string(),
  frozen_at: Instant,
  frozen_by: z.string(),
  previous: z.nullable(Hash),
  files: z.array(z.object({ name: z.string(), bytes: Count, sha256: Hash })),
});
export type InspectionManifest = z.infer<typeof InspectionManifest>;

/** A signature of a text: Ed25519; key (32 bytes, raw) and signature in base64. */
export const InspectionSignature = z.object({ algorithm: z.literal('Ed25519'), public_key: z.string(), signature: z.string() });
export type InspectionSignature = z.infer<typeof InspectionSignature>;

/** A pack as stored on a device: the exact texts, so that it can verify them itself. */
export const InspectionCopy = z.object({ inspection: Inspection, manifest: z.string(), signature: InspectionSignature, document: z.string() });
export type InspectionCopy = z.infer<typeof InspectionCopy>;

/** What anybody who has the hash of a file is told about it. `file`: its name in the pack; null for the pack as a whole. */
export const InspectionFound = z.object({
  organisation: z.string(),
  name: z.string(),
  frozen_at: Instant,
  frozen_by: z.string(),
  file: z.nullable(z.string()),
});
export type InspectionFound = z.infer<typeof InspectionFound>;
