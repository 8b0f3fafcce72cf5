import type { PackageProblem } from '#contract/entities/package.ts';

/** A package that cannot be taken, with everything that is wrong with it: which file, what, and how to mend it. */
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

/** Told of what was put right so that a package could be taken: which file, and what was done. */
export type Mended = (file: string | null, problem: string) => void;
/** Gathers what was mended, as warnings for the person who uploads. */
export const mendingList = (): { warnings: PackageProblem[]; mended: Mended } => {
  const warnings: PackageProblem[] = [];
  return {
    warnings,
    mended: (file, problem) => void warnings.push({ code: 'mended', file, problem, remedy: 'Nothing needs to be done.' }),
  };
};
