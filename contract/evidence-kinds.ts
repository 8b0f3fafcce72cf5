/** Kinds and sizes of files that can be evidence of an observation. No schema here: the offline core, which loads at every start, imports it. */
/** What can be evidence of an observation, by MIME type. Pictures are re-encoded on the device, so the metadata that cameras add is not sent. */
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
  /** A file is uploaded in pieces of this many bytes: each arrives, or is sent again, by itself. */
  pieceBytes: 96 * 1024,
} as const;
