import { startServer } from '#server/start.ts';

/** A server in a process of its own; it stops gracefully on a signal. */
const start = async () => {
  // Files written by the server must be readable by its account only.
  process.umask(0o077);
  const server = await startServer(process.env);
  console.log(server.words);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), 10_000).unref();
    await server.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
};

start().catch((error: Error) => {
  console.error(`\nLantern could not start.\n${error.message}\n`);
  process.exit(1);
});
