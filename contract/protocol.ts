/** Numbers and names that client and server must agree on. Units stand in the names. */
export const protocol = {
  /** Raised when an older client can no longer talk to the server; compared by its major number only. */
  version: { major: 1, minor: 0, patch: 0 },
  apiPrefix: '/api',
  idempotencyHeader: 'Idempotency-Key',
  replayedHeader: 'Idempotency-Replayed',
  csrfCookie: 'XSRF-TOKEN',
  csrfHeader: 'X-XSRF-TOKEN',
  actorHeader: 'X-Lantern-Actor',
  /** The id of the organisation that a call is made for, where it is not the caller's own. Ours. */
  actingAsHeader: 'X-Acting-As',
  /** How many of what was chosen are left out of a file, which says why. Ours. */
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
  /** A sealed copy brings files with it: more of them than this come in several pieces. */
  sealedWorkLimitBytes: 12_000_000,
  sealedEntriesAtOnce: 2000,
  /** How many of the changes that a device has given up it tells at once. */
  givenUpAtOnce: 50,
  /** Files that the server has are kept on a device for so long, in case it forgets them. */
  settledFilesKeptDays: 3,
  /** Course files travel and lie on devices in pieces of this size. */
  mediaPieceBytes: 262_144,
} as const;

/**
 * Marks an answer as ours: a captive portal's page does not carry it. `contractHeader` is ours: the fingerprint of the server's
 * contract, which the app compares with the one that it was built with (decision 058).
 */
export const serverMark = { header: 'X-Lantern', value: '1', contractHeader: 'X-Lantern-Contract' } as const;
