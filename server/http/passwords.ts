import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2) as (algorithm: 'argon2id', options: object) => Promise<Buffer>;
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** argon2id, as a text that carries its own parameters. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
};

const nobody = await hashPassword('nobody has this password');

/** Whether the password is the one that was hashed. Takes as long where there is no hash, so that time tells nothing. */
export const verifyPassword = async (password: string, hash: string | null | undefined): Promise<boolean> => {
  const [, , , parameters = '', nonce = '', tag = ''] = (hash ?? nobody).split('$');
  const { m, t, p } = Object.fromEntries(parameters.split(',').map((pair) => pair.split('='))) as Record<string, string>;
  const expected = Buffer.from(tag, 'base64url');
  const got = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64url'),
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: expected.length,
  });
  return timingSafeEqual(got, expected) && hash !== null && hash !== undefined;
};
