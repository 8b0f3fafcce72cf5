/** What binds a sealed entry to itself: the fields that lie in the clear and may not be exchanged. Both sides agree on it. */
export const sealedEntryIdentity = ['id', 'lane', 'command', 'actor', 'at'] as const;
