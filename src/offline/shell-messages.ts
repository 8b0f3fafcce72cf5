/** What page and worker say to each other about the app's own files on this device. */

/** A file that the app consists of. `later`: of pages that need a connection anyway, so that nobody waits for it. */
export type ShellFile = { url: string; hash: string; later?: true };

/** Why files are missing: no line, no room, or the server has another version of the app by now. */
export type ShellTrouble = 'unreachable' | 'full' | 'changed';

/** How many of the files that the app needs without a connection lie in the cache now; `rest`: how many others are missing. */
export type ShellState = { kept: number; needed: number; rest: number };

export type ToShell =
  /** Fetch what is missing; `all`: also what nobody waits for. */
  | { type: 'shell-keep'; all: boolean }
  /** Look into the cache; `deep`: read every file and compare it with its hash. Answered with a ShellState on the port. */
  | { type: 'shell-look'; deep: boolean };

/** To every page, while files are being kept and at the end. */
export type FromShell = ShellState & { type: 'shell'; busy: boolean; trouble: ShellTrouble | null };
