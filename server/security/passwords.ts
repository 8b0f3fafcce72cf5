import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ProductError } from '#server/product-error.ts';
import { createWorkerPool, WorkerLimitError } from '#server/workers/worker-pool.ts';

/**
 * Passwords are hashed on separate threads: Node's own pool also reads files, and many simultaneous sign-ins must not block
 * those. When the queue is full, callers get `unavailable`.
 */
const pool = createWorkerPool({
  module: new URL('../workers/password-worker.ts', import.meta.url),
  workers: Math.max(1, Math.min(4, availableParallelism() - 1)),
  memoryMb: 64,
  waiting: 500,
  idleMs: 60_000,
});
const mostMs = 20_000;
const derive = async (options: { message: string; nonce: Uint8Array; memory: number; passes: number; parallelism: number; tagLength: number }) => {
  try {
    return Buffer.from(await pool.run<Uint8Array>('argon2id', options, mostMs));
  } catch (error) {
    throw error instanceof WorkerLimitError ? new ProductError('unavailable') : error;
  }
};
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** An argon2id hash including its parameters. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16);
  const tag = await derive({ message: password, nonce, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
};

/** A hash of the same cost that matches no password. */
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${randomBytes(16).toString('base64url')}$${randomBytes(cost.tagLength).toString('base64url')}`;

/** Whether the password matches the hash. Takes equally long without a hash, so that timing reveals nothing. */
export const verifyPassword = async (password: string, hash: string | null | undefined): Promise<boolean> => {
  const [, , , parameters = '', nonce = '', tag = ''] = (hash ?? nobody).split('$');
  const { m, t, p } = Object.fromEntries(parameters.split(',').map((pair) => pair.split('='))) as Record<string, string>;
  const expected = Buffer.from(tag, 'base64url');
  const got = await derive({
    message: password,
    nonce: Buffer.from(nonce, 'base64url'),
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: expected.length,
  });
  return timingSafeEqual(got, expected) && hash !== null && hash !== undefined;
};
