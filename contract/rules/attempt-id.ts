/**
 * The id of a person's attempt, derived from its content. Two devices that start the same attempt independently create the same
 * id, so both work on one attempt.
 */
export const attemptIdOf = async (userId: string, contentId: string, tryNo: number): Promise<string> => {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`attempt:${userId}:${contentId}:${tryNo}`)));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = [...bytes.slice(0, 16)].map((b) => b.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
