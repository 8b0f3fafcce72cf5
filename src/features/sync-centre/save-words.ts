import type { SaveState } from '#src/device/save-state.ts';
import { countOf, formatTime } from '#src/lib/format.ts';

/** The texts for connection and save state: short for a phone, a sentence otherwise. */
export const describeSaveState = (state: SaveState): { short: string; long: string } => {
  const work = workWords(state);
  if (!state.offline || state.kind === 'loading') return work;
  if (state.kind === 'all-sent') return { short: 'Offline', long: work.long.replace(/^A/, 'Offline · a') };
  return { short: state.kind === 'waiting' ? `Offline · ${state.count}` : work.short, long: `Offline · ${work.long}` };
};

const workWords = (state: SaveState): { short: string; long: string } => {
  switch (state.kind) {
    case 'loading':
      return { short: '…', long: 'Checking' };
    case 'all-sent':
      return { short: 'All sent', long: state.lastReceivedAt ? `All sent · ${formatTime(state.lastReceivedAt)}` : 'All sent' };
    case 'waiting':
      return { short: `${state.count} saved`, long: `${state.count} saved on this device${state.offline ? '' : ', waiting to be sent'}` };
    case 'sending':
      return { short: 'Sending', long: `Sending ${state.count}` };
    case 'sign-in':
      return { short: 'Sign in', long: `Sign in to send ${state.count}` };
    case 'restricted':
      return {
        short: `${state.count} saved`,
        long: `Your organisation has closed access for now. ${state.count} saved on this device, sent when it is open again`,
      };
    case 'failing':
      return { short: `${state.count} saved`, long: `${state.count} saved on this device. The server cannot take it just now; it is tried again` };
    case 'other-person':
      return { short: 'Sign in', long: `Somebody else is signed in with the server. Sign in again to send ${state.count}` };
    case 'needs-you':
      return { short: 'Needs you', long: `${countOf(state.count, 'thing needs', 'things need')} you` };
  }
};
