import { iconsOf, lookedAt, redrawn, type Size, scanned } from '#server/pictures/decode.ts';
import { serveTasks } from '#server/workers/serve-tasks.ts';

type Bytes = { bytes: Uint8Array };
const asBuffer = ({ bytes }: Bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Decodes uploaded pictures in a process that may be killed at any moment. */
serveTasks({
  redrawn: async (input: Bytes & { size: Size }) => redrawn(asBuffer(input), input.size),
  icons: async (input: Bytes & { background: string }) => iconsOf(asBuffer(input), input.background),
  scanned: async (input: Bytes) => scanned(asBuffer(input)),
  lookedAt: async (input: Bytes) => lookedAt(asBuffer(input)),
});
