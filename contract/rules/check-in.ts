import { instantOf } from '#contract/rules/days.ts';

/**
 * The code that somebody in the room checks in with: the trainer's device shows it, from a key of the session, and the server knows it again.
 * It changes every 30 seconds of the time that passes everywhere alike, so neither a time zone nor a clock change touches it. Pure.
 */
export const checkInStepMs = 30_000;
export const checkInDigits = 8;
/** How many steps a code may lie beside the time at which it was seen: two clocks never agree entirely, and people take time to type. */
export const checkInStepsApart = 2;
/** How many minutes before it begins people can check in to a session. It ends with the session. */
export const checkInAheadMinutes = 60;

const encoder = new TextEncoder();
const moduloOf = 10 ** checkInDigits;

/** Which 30 seconds an instant lies in. */
export const checkInStep = (at: Date | string): number => Math.floor((typeof at === 'string' ? Date.parse(at) : at.getTime()) / checkInStepMs);

/** The code of a session in one step, as eight digits: HMAC-SHA-256, shortened as for authenticator apps (RFC 4226, 5.3). */
export const checkInCode = async (key: string, sessionId: string, step: number): Promise<string> => {
  const hmac = await crypto.subtle.importKey('raw', encoder.encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = new DataView(await crypto.subtle.sign('HMAC', hmac, encoder.encode(`${sessionId}:${step}`)));
  const from = mac.getUint8(mac.byteLength - 1) & 0xf;
  return String((mac.getUint32(from) & 0x7fffffff) % moduloOf).padStart(checkInDigits, '0');
};

type Planned = { date: string; startTime: string; endTime: string };
/** From when until when people can check in to a session, as instants. */
export const checkInWindow = ({ date, startTime, endTime }: Planned, zone: string): { opens_at: string; closes_at: string } => ({
  opens_at: checkInOpens(instantOf(date, startTime, zone)),
  closes_at: instantOf(date, endTime, zone),
});
/** From when on people can check in to a session that begins then. */
export const checkInOpens = (starts_at: string): string => new Date(Date.parse(starts_at) - checkInAheadMinutes * 60_000).toISOString();

/** What stands in the part of the link that no server is sent: the code, and the step that it is of. */
export const checkInFragment = (code: string, step: number): string => `#code=${code}&step=${step}`;
/** The same read again; null where there is no code in it. */
export const checkInOfFragment = (hash: string): { code: string; step: number | null } | null => {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  const code = said.get('code') ?? '';
  const step = Number(said.get('step') || Number.NaN);
  return new RegExp(`^\\d{${checkInDigits}}$`).test(code) ? { code, step: Number.isSafeInteger(step) && step >= 0 ? step : null } : null;
};
