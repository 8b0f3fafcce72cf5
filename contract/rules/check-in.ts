import { sessionInstants } from '#contract/rules/session-times.ts';

/**
 * The code for checking in: the trainer's device displays it, computed from a key of the session, and the server verifies it.
 * It changes every 30 seconds of absolute time, so time zones and clock changes do not matter. Pure.
 */
export const checkInStepMs = 30_000;
export const checkInDigits = 8;
/** How many steps a code may differ from the time at which it was seen: clocks differ, and people take time to type. */
export const checkInStepsApart = 2;
/** How many minutes before it begins people can check in to a session. Check-in ends with the session. */
export const checkInAheadMinutes = 60;

const encoder = new TextEncoder();
const moduloOf = 10 ** checkInDigits;

/** The 30-second step of an instant. */
export const checkInStep = (at: Date | string): number => Math.floor((typeof at === 'string' ? Date.parse(at) : at.getTime()) / checkInStepMs);

/** The code of a session in one step, as eight digits: HMAC-SHA-256, shortened as for authenticator apps (RFC 4226, 5.3). */
export const checkInCode = async (key: string, sessionId: string, step: number): Promise<string> => {
  const hmac = await crypto.subtle.importKey('raw', encoder.encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = new DataView(await crypto.subtle.sign('HMAC', hmac, encoder.encode(`${sessionId}:${step}`)));
  const from = mac.getUint8(mac.byteLength - 1) & 0xf;
  return String((mac.getUint32(from) & 0x7fffffff) % moduloOf).padStart(checkInDigits, '0');
};

type Planned = { date: string; startTime: string; endTime: string };
/** The period in which people can check in to a session, as instants. */
export const checkInWindow = (session: Planned, zone: string): { opens_at: string; closes_at: string } => {
  const { starts_at, ends_at } = sessionInstants(session, zone);
  return { opens_at: checkInOpens(starts_at), closes_at: ends_at };
};
/** From when people can check in to a session that begins then. */
export const checkInOpens = (starts_at: string): string => new Date(Date.parse(starts_at) - checkInAheadMinutes * 60_000).toISOString();

/** The fragment of the link, which no server is sent: the code and its step. */
export const checkInFragment = (code: string, step: number): string => `#code=${code}&step=${step}`;
/** The inverse; null if there is no code in it. */
export const checkInOfFragment = (hash: string): { code: string; step: number | null } | null => {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const code = params.get('code') ?? '';
  const step = Number(params.get('step') || Number.NaN);
  return new RegExp(`^\\d{${checkInDigits}}$`).test(code) ? { code, step: Number.isSafeInteger(step) && step >= 0 ? step : null } : null;
};
