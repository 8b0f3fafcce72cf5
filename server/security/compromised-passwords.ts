let known: Promise<ReadonlySet<string>> | null = null;

const load = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'] as string[]);
};

/** Whether a password is among the fifty thousand most leaked, ignoring case. Uses a local list. */
export const isCompromised = async (password: string): Promise<boolean> => {
  known ??= load();
  return (await known).has(password.toLowerCase());
};
