import fs from 'node:fs';

/**
 * Loaded into the server before anything else (`node --import`): while the file LANTERN_TEST_DISK exists, the volume of the
 * embedded database is as full, or as broken, as that file says.
 */
const marker = process.env.LANTERN_TEST_DISK;
const { openSync, writeSync, fdatasyncSync } = fs;
const paths = new Map();
const fault = () => (marker && fs.existsSync(marker) ? fs.readFileSync(marker, 'utf8') : '');
const failing = (code, text) => Object.assign(new Error(`${code}: ${text}`), { code, errno: code === 'ENOSPC' ? -28 : -5 });
const inDatabase = (fd) => /[\\/]database(\.new)?[\\/]/.test(paths.get(fd) ?? '');
fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest);
  paths.set(fd, String(path));
  return fd;
};
fs.writeSync = (fd, ...rest) => {
  if (inDatabase(fd)) {
    const now = fault();
    if (now === 'full' || (now === 'log full' && paths.get(fd).includes('pg_wal'))) throw failing('ENOSPC', 'no space left on device, write');
  }
  return writeSync(fd, ...rest);
};
fs.fdatasyncSync = (fd) => {
  if (inDatabase(fd) && fault() === 'flush fails') throw failing('EIO', 'i/o error, fdatasync');
  return fdatasyncSync(fd);
};
