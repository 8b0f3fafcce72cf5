import { commitScorm } from '#src/offline/kinds/attempt/package-commands.ts';
import { noteServerCertificate, recordObservation } from '#src/offline/kinds/certificate/commands.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/** Device functions of the app, for browser tests of what has no screen yet. */
Object.assign(window, { device: { personDb, commitScorm, noteServerCertificate, recordObservation } });
