import type { PackageProblem } from '#contract/entities/package.ts';

/** A refused package with all its problems: the file, the problem and how to fix it. */
export class PackageRefused extends Error {
  readonly problems: readonly PackageProblem[];
  constructor(problems: readonly PackageProblem[]) {
    super(problems.map((p) => p.problem).join(' '));
    this.problems = problems;
  }
}

export const refuse = (code: PackageProblem['code'], file: string | null, problem: string, remedy: string): never => {
  throw new PackageRefused([{ code, file, problem, remedy }]);
};

/** Refuses a file that turned out damaged while it was unpacked. What the server itself lacks goes on as it is. */
export const refuseDamaged =
  (file: string, remedy: string) =>
  (error: Error & { problems?: unknown; code?: string }): never => {
    if (error.problems || error.code === 'ENOSPC') throw error;
    return refuse('unreadable_archive', file, `“${file}” cannot be unpacked: ${error.message}.`, remedy);
  };

/** Receives the repairs made to a package: the file and what was done. */
export type Mended = (file: string | null, problem: string) => void;
/** Collects repairs as warnings for the uploader. */
export const mendingList = (): { warnings: PackageProblem[]; mended: Mended } => {
  const warnings: PackageProblem[] = [];
  return {
    warnings,
    mended: (file, problem) => void warnings.push({ code: 'mended', file, problem, remedy: 'You do not need to do anything.' }),
  };
};
