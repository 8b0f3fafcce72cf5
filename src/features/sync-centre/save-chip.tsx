import { useSaveState } from '#src/device/save-state.ts';
import classes from '#src/features/sync-centre/sync-centre.module.css';
import { describeSaveState } from '#src/features/sync-centre/save-words.ts';
import type { Tone } from '#src/ui/badge.tsx';
import { IconAlert, IconCheck, IconKey, IconOffline, IconSend, IconTablet } from '#src/ui/icons.tsx';

const icons = {
  'all-sent': IconCheck,
  waiting: IconTablet,
  sending: IconSend,
  failing: IconTablet,
  'sign-in': IconKey,
  restricted: IconTablet,
  'other-person': IconKey,
  'needs-you': IconAlert,
  loading: IconTablet,
  saving: IconTablet,
  silent: IconAlert,
  emptied: IconAlert,
  'never-came': IconAlert,
};

const tones: Readonly<Record<string, Tone>> = {
  'all-sent': 'ok',
  waiting: 'warning',
  'needs-you': 'danger',
  'sign-in': 'danger',
  'other-person': 'danger',
  saving: 'warning',
  silent: 'danger',
  emptied: 'danger',
  'never-came': 'danger',
};

/** The state of the connection and of the person's work, always visible. Opens the sync centre. */
export const SaveChip = ({ onOpen }: { onOpen: () => void }) => {
  const state = useSaveState();
  // Refused work needs the person whether online or offline.
  const quiet = state.offline && (state.kind === 'all-sent' || state.kind === 'waiting' || state.kind === 'sending');
  const Icon = quiet ? IconOffline : icons[state.kind];
  const shown = quiet ? (state.kind === 'all-sent' ? 'offline' : 'waiting') : state.kind;
  const { short, long } = describeSaveState(state);
  return (
    <button
      type="button"
      className={classes.chip}
      data-live=""
      data-state={shown}
      data-tone={tones[shown] ?? 'plain'}
      onClick={onOpen}
      aria-haspopup="dialog"
      aria-label={`${long}. Open the list.`}
    >
      <Icon size={20} />
      <span className={classes.long} aria-hidden="true">
        {long}
      </span>
      <span className={classes.short} aria-hidden="true">
        {short}
      </span>
      <span className="visually-hidden" role="status">
        {long}
      </span>
    </button>
  );
};
