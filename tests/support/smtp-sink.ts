import { createServer, type Socket } from 'node:net';

/** The files that a received e-mail carries. */
export const attachmentsOf = (mail: string): { name: string; type: string; bytes: Buffer }[] =>
  mail.split(/^--\S+(?:\r?\n|$)/m).flatMap((part) => {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
    const name = /^Content-Disposition: attachment;\s+filename="?([^"\r\n;]+)/im.exec(head)?.[1];
    const type = /^Content-Type: ([^;\r\n]+)/im.exec(head)?.[1] ?? '';
    return name ? [{ name, type, bytes: Buffer.from(part.slice(end).replace(/\s/g, ''), 'base64') }] : [];
  });

/** A mail server that stores what it receives. `refuse` makes it temporarily reject mail. */
export const startSmtpSink = async () => {
  const mails: { to: string; text: string }[] = [];
  const sockets = new Set<Socket>();
  const sink = { url: '', mails, refuse: false, close: async () => {} };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const say = (line: string) => socket.write(`${line}\r\n`);
    let unread = '';
    let to = '';
    let reading = false;
    say('220 sink');
    socket.on('data', (bytes) => {
      unread += bytes.toString('utf8');
      while (true) {
        const end = reading ? unread.indexOf('\r\n.\r\n') : unread.indexOf('\r\n');
        if (end < 0) return;
        const part = unread.slice(0, end);
        unread = unread.slice(end + (reading ? 5 : 2));
        if (reading) {
          mails.push({ to, text: part });
          reading = false;
          say('250 kept');
        } else if (/^RCPT TO:/i.test(part)) {
          to = /<(.*)>/.exec(part)?.[1] ?? '';
          say(sink.refuse ? '451 not now' : '250 ok');
        } else if (/^DATA/i.test(part)) {
          reading = true;
          say('354 go on');
        } else if (/^QUIT/i.test(part)) {
          say('221 bye');
          socket.end();
        } else say('250 ok');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sink.url = `smtp://127.0.0.1:${(server.address() as { port: number }).port}`;
  sink.close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return sink;
};
