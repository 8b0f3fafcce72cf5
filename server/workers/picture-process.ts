import { iconsOf, illustrated, inspected, reencoded, type Size, scanned } from '#server/pictures/decode.ts';
import { serveTasks } from '#server/workers/serve-tasks.ts';

type Bytes = { bytes: Uint8Array };
const asBuffer = ({ bytes }: Bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Decodes uploaded pictures in a process that may be killed at any moment. */
serveTasks({
  reencoded: async (input: Bytes & { size: Size }) => reencoded(asBuffer(input), input.size),
  icons: async (input: Bytes & { background: string }) => iconsOf(asBuffer(input), input.background),
  illustrated: async (input: Bytes) => illustrated(asBuffer(input)),
  scanned: async (input: Bytes) => scanned(asBuffer(input)),
  inspected: async (input: Bytes) => inspected(asBuffer(input)),
});
