import { storedValue } from '#src/lib/stored-value.ts';

/** Why the server did not accept a sign-in that was made here without a connection. */
const problem = storedValue<string>('signInProblem');
export const noteSignInProblem = (why: string): void => problem.set(why);
/** Takes the reason, which the sign-in page shows once. */
export const takeSignInProblem = (): string | null => {
  const why = problem.get();
  if (why !== null) problem.set(null);
  return why;
};
