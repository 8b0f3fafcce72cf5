/** The unencrypted fields of a sealed entry that are authenticated with it. */
export const sealedEntryIdentity = ['id', 'lane', 'command', 'actor', 'at'] as const;
