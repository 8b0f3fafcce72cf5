/** What this feature shows in the shell. */
export { SaveChip } from '#src/features/sync-centre/save-chip.tsx';
export { SyncCentre } from '#src/features/sync-centre/sync-centre.tsx';
