/** Numbers and names that client and server must agree on. Units are part of the names. */
export const protocol = {
  /** Raised when an older client can no longer talk to the server; compared by its major number only. */
  version: { major: 1, minor: 0, patch: 0 },
  apiPrefix: '/api',
  idempotencyHeader: 'Idempotency-Key',
  replayedHeader: 'Idempotency-Replayed',
  csrfCookie: 'XSRF-TOKEN',
  csrfHeader: 'X-XSRF-TOKEN',
  actorHeader: 'X-Lantern-Actor',
  /** The id of the organisation for which a call is made, if not the caller's own. Ours. */
  actingAsHeader: 'X-Acting-As',
  /** How many of the chosen things a file leaves out; the file says why. Ours. */
  leftOutHeader: 'X-Left-Out',
  ledgerAnswerDays: 90,
  ledgerIdDays: 400,
  settledKeptDays: 14,
  pollIntervalMs: 5000,
  reloadAfterLostConnectionMs: 1000,
  narrowBreakpointPx: 768,
  hashScrollOffsetPx: 15,
  graphPageSizeAll: 100,
  coursesPageSize: 10,
  modal: { layerStart: 99, widthPx: 600, maxWidthPx: 1200 },
  confetti: { size: 10, dropRate: 10 },
  bodyLimitBytes: 2_000_000,
  /** A sealed copy contains files: with more than this many entries it is sent in several pieces. */
  sealedWorkLimitBytes: 12_000_000,
  sealedEntriesAtOnce: 2000,
  /** The most abandoned changes that a device reports at once. */
  givenUpAtOnce: 50,
  /** Ids of waiting changes named in one check-in. */
  unsentIdsAtOnce: 500,
  /** For how long a device keeps files that the server has received, in case the server is restored from a backup. */
  settledFilesKeptDays: 3,
  /** Course files are downloaded and stored in pieces of this size. */
  mediaPieceBytes: 262_144,
} as const;

/**
 * Marks an answer as ours: a captive portal's page does not have it. `contractHeader` is ours: the fingerprint of the server's
 * contract, which the app compares with its own (decision 058).
 */
export const serverMark = { header: 'X-Lantern', value: '1', contractHeader: 'X-Lantern-Contract' } as const;
