/** The data keys of unlocked people in this page or worker. In memory only. */
const keys = new Map<string, Uint8Array>();

/** Thrown if encrypted data is read while its person is locked. Nothing is lost. */
export class Locked extends Error {
  constructor() {
    super('This work is locked. Unlock it with your PIN, passkey or password.');
    this.name = 'Locked';
  }
}

export const dataKeyOf = (personId: string): Uint8Array | undefined => keys.get(personId);
export const holdDataKey = (personId: string, key: Uint8Array): void => {
  keys.set(personId, key);
};
export const dropDataKey = (personId: string): void => {
  keys.delete(personId);
};
