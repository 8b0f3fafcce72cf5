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
