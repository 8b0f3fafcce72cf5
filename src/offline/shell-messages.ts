/** Messages between page and worker about the app's own files on this device. */

/** A file of the app. `later`: needed only online, so nothing waits for it. */
export type ShellFile = { url: string; hash: string; later?: true };

/** Why files are missing: no connection, no space, or the server has another version of the app. */
export type ShellTrouble = 'unreachable' | 'full' | 'changed';

/** Number of files needed offline that are in the cache; `rest`: how many others are missing. */
export type ShellState = { kept: number; needed: number; rest: number };

export type ToShell =
  /** Fetch missing files; `all`: including those only needed online. */
  | { type: 'shell-keep'; all: boolean }
  /** Check the cache; `deep`: compare every file with its hash. Answered with a ShellState on the port. */
  | { type: 'shell-look'; deep: boolean };

/** Sent to every page while files are stored and at the end. */
export type FromShell = ShellState & { type: 'shell'; busy: boolean; trouble: ShellTrouble | null };
