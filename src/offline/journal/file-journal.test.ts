import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepFileJournals } from '#src/offline/journal/file-journal.ts';
import { journalOf, none, setJournal } from '#src/offline/journal/journal.ts';
import { keepSecondCopy } from '#src/offline/journal/second-copy.ts';

describe('the second journal’s files', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    setJournal(() => none);
  });

  it('do not block anyone when their writer has failed', async () => {
    class FailingWorker extends EventTarget {
      private failed = false;
      postMessage(message: { kind: string }) {
        // It fails once and does not respond afterwards.
        if (message.kind !== 'append' || this.failed) return;
        this.failed = true;
        this.dispatchEvent(new Event('error'));
      }
    }
    vi.stubGlobal('Worker', FailingWorker);
    vi.stubGlobal('navigator', { storage: { getDirectory: async () => undefined } });
    keepFileJournals();
    const journal = journalOf('somebody');
    expect(await journal.append({ kind: 'gone', ids: [] })).toBe(false);
    expect(await journal.append({ kind: 'gone', ids: [] })).toBe(false);
  });

  it('leave no old copy behind if a new one cannot be written', async () => {
    const removed: string[] = [];
    const folder = {
      getDirectoryHandle: async () => folder,
      getFileHandle: async () => ({
        createWritable: async () => {
          throw new Error('full');
        },
      }),
      removeEntry: async (name: string) => void removed.push(name),
    };
    vi.stubGlobal('navigator', { storage: { getDirectory: async () => folder } });
    expect(await keepSecondCopy('key-somebody', {})).toBe(false);
    expect(removed).toEqual(['key-somebody.json']);
  });
});
