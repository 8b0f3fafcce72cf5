import { FromKeeper, type SealedWord, type ToKeeper } from '#contract/bridge.ts';
import { contentFolder } from '#contract/package-addresses.ts';
import { currentUser } from '#src/access/session.ts';
import { greetFrame } from '#src/device/greet-frame.ts';
import { takeLastWord } from '#src/device/last-words.ts';
import { isPackageOpenHere, watchOpenPackages } from '#src/lib/open-package.ts';
import { type PackageKeeper, treeOfFile } from '#src/offline/media/package-keeper.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/** Time limit for the first answer of the downloader page. */
const openMs = 15_000;
type Answer = Extract<FromKeeper, { id: number }>;
type Ask = Extract<ToKeeper, { ask: string }>;
type Opened = { port: MessagePort };

/** Requests that are not answered, which a new downloader page gets again. */
const waiting = new Map<number, { asked: Ask; hear: (answer: Answer) => void }>();

/** A course's last report, written while its tab was closing, if it is this person's. */
const take = async (word: SealedWord, port: MessagePort) => {
  const user = currentUser();
  if (user && (await takeLastWord(personDb(user.uuid), word)))
    port.postMessage({ type: 'kept', session_id: word.session_id, ticks: word.ticks } satisfies ToKeeper);
};

/** Removes the downloader page at once, also one that is being opened. */
let closeNow: () => void = () => undefined;

/** The package downloader on the content origin, in a hidden frame, opened on first use. */
const open = (): Promise<Opened> =>
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
      clearTimeout(late);
      stop();
      frame.remove();
      failed(new Error('unreachable'));
    };
    closeNow = give;
    const late = setTimeout(give, openMs);
    const prepare = (port: MessagePort) => {
      port.onmessage = ({ data }) => {
        const word = FromKeeper.safeParse(data).data;
        if (word?.type === 'ready') {
          clearTimeout(late);
          done({ port });
        } else if (word?.type === 'left') void take(word, port);
        else if (word) waiting.get(word.id)?.hear(word);
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

const nextId = (() => {
  let last = 0;
  return () => ++last;
})();

/** Lets the downloader delete what packages have stored by themselves, and packages that nobody on this device needs. */
const tidy = async ({ port }: Opened) => {
  const trees = (await deviceDb().media.toArray()).flatMap((file) => treeOfFile(file.url) ?? []);
  port.postMessage({ id: nextId(), ask: 'tidy', trees } satisfies ToKeeper);
};

/**
 * A package's code can reach every frame of its origin in this tab, and so could speak for the downloader and stay in its page after the
 * package is closed. While one is open there is no downloader page: requests wait, and a new page gets them.
 */
let opened: Promise<Opened> | null = null;
let closed = Promise.withResolvers<void>();
watchOpenPackages(() => {
  if (isPackageOpenHere()) {
    closeNow();
    opened = null;
    return;
  }
  closed.resolve();
  closed = Promise.withResolvers();
  if (waiting.size > 0) void again();
});
const keeper = async (): Promise<Opened> => {
  for (;;) {
    while (isPackageOpenHere()) await closed.promise;
    if (!opened) {
      opened = open();
      const page = opened;
      page.then(tidy).catch(() => {
        if (opened === page) opened = null;
      });
    }
    try {
      return await opened;
    } catch (error) {
      if (!isPackageOpenHere()) throw error;
    }
  }
};
const fail = (id: number, why: Extract<Answer, { type: 'failed' }>['why']) => waiting.get(id)?.hear({ type: 'failed', id, why });
const again = async () => {
  const unanswered = [...waiting].map(([id, { asked }]) => ({ id, asked }));
  const page = await keeper().catch(() => null);
  for (const { id, asked } of unanswered)
    if (page) page.port.postMessage(asked satisfies ToKeeper);
    else fail(id, 'unreachable');
};
/** Collects last reports of courses whose tab was closed. Throws if the content origin cannot be reached. */
export const hearLastWords = async (): Promise<void> => {
  await keeper();
};

const callKeeper = async (
  ask: 'keep' | 'stop' | 'has' | 'check' | 'drop',
  tree: string,
  onBytes?: (count: number) => void,
): Promise<boolean | number> => {
  const { port } = await keeper();
  const id = nextId();
  const asked = { id, ask, tree } satisfies ToKeeper;
  return new Promise((done, failed) => {
    const hear = (answer: Answer) => {
      if (answer.type === 'bytes') {
        onBytes?.(answer.bytes);
        return;
      }
      waiting.delete(id);
      if (answer.type === 'done') done(answer.result);
      else failed(answer.why === 'full' ? new DOMException('the disk is full', 'QuotaExceededError') : new Error(answer.why));
    };
    waiting.set(id, { asked, hear });
    port.postMessage(asked);
  });
};
/** Ends a download, also one that waits until a package is closed. */
const stopKeeping = (tree: string) => {
  for (const [id, { asked }] of waiting)
    if (asked.ask === 'keep' && asked.tree === tree) {
      if (isPackageOpenHere()) fail(id, 'stopped');
      else void callKeeper('stop', tree).catch(() => undefined);
    }
};

/** Downloads packages through the content origin. */
export const framedKeeper: PackageKeeper = {
  keep: async (tree, onBytes, signal) => {
    signal.throwIfAborted();
    const stop = () => stopKeeping(tree);
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
