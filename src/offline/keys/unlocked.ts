/** The data keys of the people who are unlocked in this page or worker. In memory only: a reload forgets them. */
const keys = new Map<string, Uint8Array>();

/** Thrown where something sealed is asked for while its person is locked. Nothing is lost by it. */
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
