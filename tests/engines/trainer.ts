import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { appIsKept, chip, countOf, lineIsBack, onServer, same, signIn, type Story, title, waitingIds } from '#tests/engines/story.ts';

const user = demoId('user:trainer@willowbrook.test');
const certificate = demoId('certificate:megan.davies@willowbrook.test');
const session = demoId('session:moving');
const seen = 'Offered water and juice, and put the glass where it could be reached.';
const seenBox = { role: 'textbox', name: /^What you saw or heard/ } as const;

/** A register is taken and somebody observed without the server, in a browser that is closed on the way, and received once. */
export const trainer: Story = {
  name: 'a trainer takes a register and observes somebody without the server',
  tell: async (telling) => {
    const { screen, server, picture } = telling;
    await signIn(telling, 'trainer@willowbrook.test');
    await screen.engine.goto(`${server.url}/care-certificate/${certificate}/record`);
    await screen.see({ role: 'button', name: /^Offering drinks/ });
    await screen.engine.goto(`${server.url}/training-sessions/${session}`);
    await screen.see({ role: 'button', name: 'Everybody is here' });
    await appIsKept(telling);

    await server.stop();
    await screen.engine.reload();
    await screen.tap({ role: 'button', name: 'Everybody is here' });
    await screen.see({ role: 'text', name: /4 people, 4 here/ });
    await screen.tap({ role: 'button', name: 'Absent: Daniel Osei' });
    await screen.see({ role: 'text', name: /4 people, 3 here/ });
    await picture('register');

    await screen.engine.goto(`${server.url}/care-certificate/${certificate}/record`);
    await screen.tap({ role: 'button', name: /^Offering drinks/ });
    await screen.tap({ role: 'text', name: 'Met', within: { role: 'radiogroup', name: /^\d/ } });
    await screen.fill(seenBox, seen);
    await picture('observation');
    const before = await waitingIds(telling);

    // Closed in the middle of it, and opened again where there is still no server.
    await screen.engine.reopen();
    await screen.engine.goto(`${server.url}/care-certificate/${certificate}/record`);
    await screen.valueIs(seenBox, seen);
    await screen.tap({ role: 'button', name: 'Save' });
    await screen.see(title('Sign the record of Megan Davies'));
    await screen.says(chip, /\d+ saved on this device/);
    const waiting = await waitingIds(telling);
    same(
      'what waited before the browser was closed and is not there',
      before.filter((id) => !waiting.includes(id)),
      [],
    );

    await lineIsBack(telling);
    await onServer(telling, user, waiting, async (db) => {
      const records = await countOf(
        db,
        sql`select count(*) as n from observations where certificate_id = ${certificate} and assessor_id = ${user} and record->>'seen' = ${seen}`,
      );
      same('observations', records, 1);
      const marks = await db.all<{ presence: string; n: number }>(
        sql`select presence, count(*)::int as n from register_marks where session_id = ${session} and by_id = ${user} group by presence order by presence`,
      );
      same('marks in the register', marks, [
        { presence: 'absent', n: 1 },
        { presence: 'present', n: 4 },
      ]);
    });
  },
};
