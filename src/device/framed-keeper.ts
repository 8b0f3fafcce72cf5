import { FromKeeper, type SealedWord, type ToKeeper } from '#contract/bridge.ts';
import { contentFolder } from '#contract/package-addresses.ts';
import { currentUser } from '#src/access/session.ts';
import { greetFrame } from '#src/device/greet-frame.ts';
import { takeLastWord } from '#src/device/last-words.ts';
import type { PackageKeeper } from '#src/offline/media/package-keeper.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/** Time limit for the first answer of the downloader page. */
const openMs = 15_000;
type Answer = Extract<FromKeeper, { id: number }>;
type Ask = Extract<ToKeeper, { ask: string }>;

/** A course's last report, written while its tab was closing, if it is this person's. */
const take = async (word: SealedWord, port: MessagePort) => {
  const user = currentUser();
  if (user && (await takeLastWord(personDb(user.uuid), word)))
    port.postMessage({ type: 'kept', session_id: word.session_id, ticks: word.ticks } satisfies ToKeeper);
};

/** The package downloader on the content origin, in a hidden frame, opened on first use. */
const open = (): Promise<{ port: MessagePort; waiting: Map<number, (answer: Answer) => void> }> =>
  new Promise((done, failed) => {
    const origin = currentUser()?.content_origin;
    if (!origin) {
      failed(new Error('unreachable'));
      return;
    }
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.title = 'Kept courses';
    frame.src = `${origin}${contentFolder}keeper.html`;
    let stop: () => void = () => undefined;
    const give = () => {
      stop();
      frame.remove();
      failed(new Error('unreachable'));
    };
    const late = setTimeout(give, openMs);
    const waiting = new Map<number, (answer: Answer) => void>();
    const prepare = (port: MessagePort) => {
      port.onmessage = ({ data }) => {
        const word = FromKeeper.safeParse(data).data;
        if (word?.type === 'ready') {
          clearTimeout(late);
          done({ port, waiting });
        } else if (word?.type === 'left') void take(word, port);
        else if (word) waiting.get(word.id)?.(word);
      };
    };
    frame.addEventListener(
      'load',
      () => {
        stop = greetFrame(frame, origin, prepare);
      },
      { once: true },
    );
    document.body.append(frame);
  });

let opened: ReturnType<typeof open> | null = null;
const keeper = () => {
  opened ??= open();
  return opened.catch((error) => {
    opened = null;
    throw error;
  });
};
/** Collects last reports of courses whose tab was closed. Throws if the content origin cannot be reached. */
export const hearLastWords = async (): Promise<void> => {
  await keeper();
};

let lastId = 0;
const callKeeper = async (what: Ask['ask'], tree: string, onBytes?: (count: number) => void): Promise<boolean | number> => {
  const { port, waiting } = await keeper();
  const id = ++lastId;
  return new Promise((done, failed) => {
    waiting.set(id, (answer) => {
      if (answer.type === 'bytes') {
        onBytes?.(answer.bytes);
        return;
      }
      waiting.delete(id);
      if (answer.type === 'done') done(answer.result);
      else failed(answer.why === 'full' ? new DOMException('the disk is full', 'QuotaExceededError') : new Error(answer.why));
    });
    port.postMessage({ id, ask: what, tree } satisfies ToKeeper);
  });
};

/** Downloads packages through the content origin. */
export const framedKeeper: PackageKeeper = {
  keep: async (tree, onBytes, signal) => {
    signal.throwIfAborted();
    const stop = () => void callKeeper('stop', tree);
    signal.addEventListener('abort', stop);
    try {
      await callKeeper('keep', tree, onBytes);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  },
  has: async (tree) => (await callKeeper('has', tree).catch(() => false)) === true,
  check: async (tree) => Number(await callKeeper('check', tree)),
  drop: async (tree) => {
    await callKeeper('drop', tree);
  },
};
