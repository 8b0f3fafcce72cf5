import { beforeEach, describe, expect, it, vi } from 'vitest';

/** A browser's local storage that loses what was not yet written to disk when the browser is killed. */
class Storage {
  now = new Map<string, string>();
  private disk = new Map<string, string>();
  getItem = (key: string) => this.now.get(key) ?? null;
  setItem = (key: string, text: string) => void this.now.set(key, text);
  removeItem = (key: string) => void this.now.delete(key);
  written() {
    this.disk = new Map(this.now);
  }
  killed() {
    this.now = new Map(this.disk);
  }
}

describe('who is signed in', () => {
  let storage: Storage;
  const open = async () => {
    vi.resetModules();
    const { isKeptTwice, keepTwice, restoreKept } = await import('#src/access/kept-twice.ts');
    const { storedValue } = await import('#src/lib/stored-value.ts');
    keepTwice();
    return { isKeptTwice, restoreKept, user: storedValue<{ name: string }>('authUser'), ending: storedValue<true>('sessionEnding') };
  };
  beforeEach(async () => {
    storage = new Storage();
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('window', new EventTarget());
    for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name as string);
  });

  it('is known after the browser was killed before it had written it', async () => {
    const before = await open();
    before.user.set({ name: 'Amara' });
    expect(await before.isKeptTwice()).toBe(true);
    storage.killed();
    const after = await open();
    expect(after.user.get()).toBeNull();
    expect(await after.restoreKept()).toBe(true);
    expect(after.user.get()).toEqual({ name: 'Amara' });
    expect(await after.restoreKept()).toBe(false);
  });

  it('is nobody after a sign-out that the browser had not written, and the session is still to be ended', async () => {
    const before = await open();
    before.user.set({ name: 'Amara' });
    storage.written();
    before.ending.set(true);
    before.user.set(null);
    expect(await before.isKeptTwice()).toBe(true);
    storage.killed();
    const after = await open();
    expect(await after.restoreKept()).toBe(true);
    expect([after.user.get(), after.ending.get()]).toEqual([null, true]);
  });

  it('is what local storage has, where that is the newer one', async () => {
    const before = await open();
    before.user.set({ name: 'Amara' });
    expect(await before.isKeptTwice()).toBe(true);
    before.user.set({ name: 'Ben' });
    expect(await before.restoreKept()).toBe(false);
    expect(before.user.get()).toEqual({ name: 'Ben' });
  });

  it('is kept of somebody who signed in before there was a second record', async () => {
    storage.setItem('authUser', '{"name":"Amara"}');
    const { isKeptTwice, restoreKept } = await open();
    expect(await restoreKept()).toBe(false);
    expect(await isKeptTwice()).toBe(true);
    storage.killed();
    // Without a newer turn the second record is not preferred: this may have been a sign-out.
    expect(await restoreKept()).toBe(false);
  });
});
