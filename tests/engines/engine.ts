import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A browser controlled from outside, with a profile that outlives its process. */
export type Engine = {
  /** What it says that it is, such as `Firefox 140.0`. */
  readonly version: string;
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs a function in the page. It can only use its argument. */
  evaluate<T, A extends unknown[]>(work: (...given: A) => T | Promise<T>, ...given: A): Promise<T>;
  /** What hands do, as the WebDriver standard writes it: both protocols take the same. */
  act(actions: readonly object[]): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** Ends the browser, and starts it again with the same profile. It then shows nothing. */
  reopen(): Promise<void>;
  quit(): Promise<void>;
};

/** How an engine is opened. `variant` names features that it should have or lack; each engine knows its own. */
export type OpenEngine = (profile: string, variant: string | null) => Promise<Engine>;

export const screenSize = { width: 820, height: 1180 };

/** Wraps `work` for the page: a promise of JSON, so that both protocols transport the same. It returns failures instead of throwing. */
export const inPage = (work: (...given: never[]) => unknown, given: unknown[]): string =>
  `(async () => (${work.toString()})(...${JSON.stringify(given)}))().then((value) => JSON.stringify({ value }), (error) => JSON.stringify({ error: String(error) }))`;
export const fromPage = <T>(text: string): T => {
  const { value, error } = JSON.parse(text) as { value: T; error?: string };
  if (error !== undefined) throw new Error(`in the page: ${error}`);
  return value;
};

/** Starts a program and resolves when it prints a matching line; rejects with its output if it ends before. */
export const startSaying = async (
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  line: RegExp,
): Promise<{ process: ChildProcess; said: RegExpExecArray }> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const said = await new Promise<RegExpExecArray>((resolve, reject) => {
    let output = '';
    const read = (data: Buffer) => {
      output += data.toString();
      const found = line.exec(output);
      if (found) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${command} ended with ${code}\n${output}`)));
  });
  return { process: child, said };
};

/** Ends a program that was started here. */
export const end = async (child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
};
