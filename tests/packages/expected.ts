/** The expectations of one package, as in the file beside a folder of samples. Only present fields are compared. */
export type Expected = {
  file: string;
  accept?: boolean;
  valid?: boolean;
  reason?: string;
  missingLibraries?: string[];
  mainLibrary?: string;
  schemaVersion?: string;
  items?: number;
  scos?: number;
  launched?: string;
  plays?: boolean;
  maxScore?: number | null;
  firstVerbs?: string[];
  asksOutsideHost?: string;
};
export type Seen = {
  accepted: boolean;
  /** Codes and messages of its problems. */
  problems: { code: string; problem: string }[];
  standard?: string;
  items?: number;
  scos?: number;
  mainLibrary?: string;
  /** The calls that the first item made, until it was left: `LMSInitialize()=true`. Null where it was not played. */
  calls: string[] | null;
  trouble: string[];
  /** For an H5P activity that was opened: the highest score, and the verbs of its own statements. */
  opened?: boolean;
  maxScore?: number | null;
  verbs?: string[];
};

/** The editions by what manifests call them. */
const editions: Record<string, string> = {
  'CAM 1.3': '2004 2nd',
  '2004 2nd Edition': '2004 2nd',
  '2004 3rd Edition': '2004 3rd',
  '2004 4th Edition': '2004 4th',
  '1.2': '1.2',
};
/** Reasons of the reference server, as our codes. */
const reasons: Record<string, string[]> = {
  'install-missing-libraries': ['missing_libraries'],
  'unable-to-parse-package': ['malformed_json'],
  'unable-to-unzip': ['unreadable_archive'],
  'invalid-schema-library-json-file': ['invalid_definition', 'malformed_json'],
  'invalid-language-file': ['invalid_definition', 'malformed_json'],
  'library-file-missing': ['missing_file'],
  'invalid-h5p-json-file': ['not_a_package', 'invalid_definition'],
};

/** The differences between actual and expected; empty if there are none. */
export const differences = (expected: Expected, seen: Seen): string[] => {
  const wrong: string[] = [];
  const differs = (what: string, want: unknown, have: unknown) => {
    if (want !== have) wrong.push(`${what}: ${have}, not ${want}`);
  };
  const accept = expected.accept ?? expected.valid;
  if (accept !== undefined) differs('accepted', accept, seen.accepted);
  if (!seen.accepted) {
    const codes = seen.problems.map((p) => p.code);
    for (const reason of expected.reason?.split('+') ?? [])
      if (!(reasons[reason] ?? [reason]).some((code) => codes.includes(code))) wrong.push(`refused for ${codes.join(', ')}, not ${reason}`);
    for (const library of expected.missingLibraries ?? [])
      if (!seen.problems.some((p) => p.problem.includes(library))) wrong.push(`does not name ${library}`);
    return wrong;
  }
  if (expected.mainLibrary) differs('library', expected.mainLibrary, seen.mainLibrary);
  if (expected.schemaVersion && expected.schemaVersion !== 'None')
    differs('edition', editions[expected.schemaVersion] ?? expected.schemaVersion, seen.standard);
  if (expected.items !== undefined) differs('items', expected.items, seen.items);
  if (expected.scos !== undefined) differs('SCOs', expected.scos, seen.scos);
  if (expected.plays !== undefined && seen.verbs) {
    differs('plays', expected.plays, seen.opened === true && !seen.trouble.some((t) => t.startsWith('script')));
    if (expected.maxScore !== undefined) differs('highest score', expected.maxScore, seen.maxScore);
    if (expected.firstVerbs) differs('first verbs', expected.firstVerbs.join(' '), seen.verbs.slice(0, expected.firstVerbs.length).join(' '));
    if (expected.asksOutsideHost) {
      const { host } = new URL(expected.asksOutsideHost);
      if (!seen.trouble.includes(`blocked: ${host}`)) wrong.push(`does not name ${host}`);
    }
  }
  if (expected.launched !== undefined && seen.calls) {
    const { calls } = seen;
    const count = /^(\d+) API calls/.exec(expected.launched)?.[1];
    differs('calls', count ? Number(count) : 0, calls.length);
    if (count && !/^(LMS)?Initialize\(.*\)=true$/.test(calls[0] ?? '')) wrong.push(`begins with ${calls[0]}`);
    if (count && !/^(LMSFinish|Terminate)\(.*\)=true$/.test(calls.at(-1) ?? '')) wrong.push(`ends with ${calls.at(-1)}`);
  }
  return wrong;
};
