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
