import * as z from 'zod/mini';
import { Count, Day, Hash, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';
import { MatrixFilter } from '#contract/matrix/filter.ts';
import { cellTypes } from '#contract/matrix/sheet.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';

/**
 * Ours: an inspection pack is how the people of a service stood at one moment, frozen for an inspector: their training, the certificates
 * and the Care Certificates. It never changes again, and anybody who has a file of it can prove that. What a pack holds at most, so that its
 * document stays readable on paper; and how many an organisation can ask for within 24 hours (`aDay`), because they are kept for ever.
 */
export const inspectionLimits = { people: 1_000, lines: 5_000, aDay: 20 } as const;

export const NewInspection = z.object({
  name: NeededLine(120, 'Enter a name.'),
  /** Whom and what it is about, as in a report. */
  filter: MatrixFilter,
  /** Whether the certificates, the Care Certificates, and who has read and signed which policy come with it. */
  certificates: z.boolean(),
  care_certificates: z.boolean(),
  policies: z.boolean(),
});
export type NewInspection = z.output<typeof NewInspection>;

/** `waiting`: being made. `failed`: it could not be made, or was stopped; it holds nothing. */
export const inspectionStates = ['waiting', 'ready', 'failed'] as const;
const Score = z.object({ required: Count, in_date: Count, score: z.nullable(Count) });

export const Inspection = z.object({
  id: Id,
  name: z.string(),
  organisation: Ref,
  /** Whom and what it is about, in words. */
  chosen: z.string(),
  state: z.enum(inspectionStates),
  asked_at: Instant,
  asked_by: Ref,
  /** Files made so far, of how many: while it is being made. */
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
  /** The SHA-256 of its list of files, which names it. */
  hash: z.nullable(Hash),
});
export type Inspection = z.infer<typeof Inspection>;

/** How one person stood with one course. `c`: the place of the course in the list. Days in the time zone of the person's service. */
const Line = z.object({
  c: Count,
  status: z.enum(complianceStatuses),
  type: z.enum(cellTypes),
  exempt: z.boolean(),
  /** A result of another course counts. */
  other: z.boolean(),
  completed: z.nullable(Day),
  expires: z.nullable(Day),
  /** The number on the certificate, with which anybody can check it. */
  certificate: z.nullable(z.string()),
});
/** What a pack says: its file data.json, and what a device keeps of it. */
export const InspectionDocument = z.object({
  format: z.literal('lantern-inspection-1'),
  name: z.string(),
  organisation: z.string(),
  frozen_at: Instant,
  frozen_by: z.string(),
  chosen: z.string(),
  time_zone: z.string(),
  /** What the organisation calls its requirements and its Care Certificate. */
  words: z.object({ primary: z.string(), secondary: z.string(), care_certificate: z.string() }),
  ...Score.shape,
  courses: z.array(z.object({ title: z.string(), ...Score.shape })),
  people: z.array(
    z.object({ name: z.string(), role: z.nullable(z.string()), service: z.string(), started_on: Day, ...Score.shape, lines: z.array(Line) }),
  ),
  /** Null where they were left out. */
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
   * What is read and signed in a course, as it was published then, with everybody who signed it and everybody who has to: `version` is
   * the one that they signed, null where they have not. Null where they were left out; packs from before 28 November 2026 have none.
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

/** The files of a pack, each with its fingerprint. What is signed is this as text. `previous` is the hash of the organisation's pack before. */
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

/** A signature under a text: Ed25519; key (32 bytes, raw) and signature in base64. */
export const InspectionSignature = z.object({ algorithm: z.literal('Ed25519'), public_key: z.string(), signature: z.string() });
export type InspectionSignature = z.infer<typeof InspectionSignature>;

/** What a device keeps of a pack: the exact texts, so that it can check them itself. */
export const InspectionCopy = z.object({ inspection: Inspection, manifest: z.string(), signature: InspectionSignature, document: z.string() });
export type InspectionCopy = z.infer<typeof InspectionCopy>;

/** What anybody is told of a file of which they have the fingerprint. `file`: its name in the pack; null for the pack as a whole. */
export const InspectionFound = z.object({
  organisation: z.string(),
  name: z.string(),
  frozen_at: Instant,
  frozen_by: z.string(),
  file: z.nullable(z.string()),
});
export type InspectionFound = z.infer<typeof InspectionFound>;
