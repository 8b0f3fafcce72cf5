import type { SaveState } from '#src/device/save-state.ts';
import { countOf, formatTime } from '#src/lib/format.ts';

/** States that say nothing about the connection, which would take the room of their words. */
const quietStates: ReadonlySet<SaveState['kind']> = new Set(['loading', 'saving', 'silent', 'emptied', 'never-came']);

/** The texts for connection and save state: short for a phone, a sentence otherwise. */
export const describeSaveState = (state: SaveState): { short: string; long: string } => {
  const work = workWords(state);
  if (!state.offline && state.slow && (state.kind === 'all-sent' || state.kind === 'waiting' || state.kind === 'sending'))
    return { short: work.short, long: `${work.long} · the server is slow` };
  if (!state.offline || quietStates.has(state.kind)) return work;
  if (state.kind === 'all-sent') return { short: 'Offline', long: work.long.replace(/^A/, 'Offline · a') };
  return { short: state.kind === 'waiting' ? `Offline · ${state.count}` : work.short, long: `Offline · ${work.long}` };
};

const workWords = (state: SaveState): { short: string; long: string } => {
  switch (state.kind) {
    case 'loading':
      return { short: '…', long: 'Checking' };
    case 'saving':
      return {
        short: 'Saving …',
        long: state.late ? 'Still saving: the storage of this device does not answer. Keep this page open' : 'Saving on this device …',
      };
    case 'silent':
      return { short: 'Storage', long: 'The storage of this device does not answer' };
    case 'emptied':
      return {
        short: 'Keep open',
        long:
          state.count > 0
            ? `The browser has emptied this device’s storage. ${countOf(state.count, 'item')} ${state.count === 1 ? 'is' : 'are'} only in this page: keep it open`
            : 'The browser has emptied this device’s storage, and nothing can be saved on it now',
      };
    case 'never-came':
      return {
        short: `${state.count} missing`,
        long: `${countOf(state.count, 'item')} saved here ${state.count === 1 ? 'is' : 'are'} no longer on this device, and the server has not confirmed ${state.count === 1 ? 'it' : 'them'}`,
      };
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
