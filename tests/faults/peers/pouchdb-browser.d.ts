/** The parts of PouchDB used in the comparison. */
declare module 'pouchdb-browser' {
  type Push = Promise<unknown> & { on(event: 'denied', listener: (error: { doc?: { id?: string } }) => void): void };
  // biome-ignore lint/style/noDefaultExport: it has one
  export default class PouchDB {
    constructor(name: string, options?: { skip_setup?: boolean; fetch?: typeof fetch });
    put(doc: { _id: string }): Promise<unknown>;
    replicate: { to(target: PouchDB, options: { retry: boolean }): Push };
    close(): Promise<void>;
  }
}
