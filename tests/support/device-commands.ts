import { commitScorm } from '#src/offline/kinds/attempt/package-commands.ts';
import { noteServerCertificate, recordObservation } from '#src/offline/kinds/certificate/commands.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/** What a page of the app can do on the device, for browser tests of what has no screen of its own yet. */
Object.assign(window, { device: { personDb, commitScorm, noteServerCertificate, recordObservation } });
