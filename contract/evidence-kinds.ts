/** Kinds and sizes of files that prove an observation: without a schema, for the offline core weighs on every start. */
/** What can prove an observation, by the type of its bytes. Pictures are drawn anew on the device, so nothing a camera adds travels. */
export const evidenceTypes = {
  'image/jpeg': { kind: 'photo', ending: 'jpg' },
  'audio/webm': { kind: 'audio', ending: 'webm' },
  'audio/ogg': { kind: 'audio', ending: 'ogg' },
  'audio/mp4': { kind: 'audio', ending: 'm4a' },
  'audio/mpeg': { kind: 'audio', ending: 'mp3' },
  'audio/wav': { kind: 'audio', ending: 'wav' },
  'application/pdf': { kind: 'document', ending: 'pdf' },
} as const;
export type EvidenceType = keyof typeof evidenceTypes;
export type EvidenceKind = (typeof evidenceTypes)[EvidenceType]['kind'];

export const evidenceLimits = {
  /** Of one file, in bytes. */
  bytes: 4 * 1024 * 1024,
  /** Of one record. */
  files: 20,
  /** A file travels in pieces of so many bytes: each arrives, or is sent again, by itself. */
  pieceBytes: 96 * 1024,
} as const;
