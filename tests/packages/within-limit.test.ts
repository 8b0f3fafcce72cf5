import { describe, expect, it } from 'vitest';
import { bridgeLimits, FromPlayer } from '#contract/bridge.ts';
import type { ScormActivity } from '#contract/entities/package.ts';
import { packageWorkLimitBytes } from '#contract/entities/package-work.ts';
import { jsonBytes } from '#contract/rules/bytes.ts';
import { decodeTexts } from '#contract/rules/holdable-text.ts';
import { runTime12 } from '#player/scorm/run-time-12.ts';
import { runTime2004 } from '#player/scorm/run-time-2004.ts';
import { keepWithinLimit } from '#player/scorm/within-limit.ts';
import { wordFrom } from '#src/device/use-player.ts';

const activity = { id: 'one', title: 'One', extensions: [], launch_data: null, mastery_score: null, max_time: null, time_limit_action: null };
const launch = { activity: activity as unknown as ScormActivity, learner: { id: 'l', name: 'Learner' }, before: null };
type Calls = Record<string, (...args: string[]) => string>;
const wordOf = (cmi: Record<string, string>) => ({
  ...{ type: 'facts', item_id: 'one', session_id: '00000000-0000-4000-8000-000000000001', final: true },
  facts: { ticks: 1, seconds: 1, completion: 'completed', success: 'passed', score: 100, percent: 100, cmi },
});

describe('what a package keeps', () => {
  it('is heard whole: 6,000 interactions with answers of 200 characters', () => {
    const runTime = runTime12(launch);
    const api = runTime.api as unknown as Calls;
    api.LMSInitialize?.('');
    const cmi: Record<string, string> = {};
    for (let i = 0; i < 6000; i++) {
      cmi[`cmi.interactions.${i}.id`] = `question-${i}`;
      cmi[`cmi.interactions.${i}.type`] = 'fill-in';
      cmi[`cmi.interactions.${i}.student_response`] = 'a'.repeat(200);
      cmi[`cmi.interactions.${i}.result`] = 'correct';
    }
    const word = wordFrom(wordOf(cmi));
    expect(typeof word === 'string' ? word : word.type).toBe('facts');
    expect(jsonBytes(cmi) * 3).toBeLessThan(packageWorkLimitBytes);
  });

  it.each([
    ['1.2', () => runTime12(launch), 'LMS', 'cmi.suspend_data', '101', '101'],
    ['2004', () => runTime2004(launch), '', 'cmi.suspend_data', '351', '391'],
  ] as const)(
    'is refused by the answer to the call where it would be too much (SCORM %s)',
    (_version, make, before, field, cannotSet, cannotCommit) => {
      const runTime = make();
      let kept = true;
      let told = 0;
      keepWithinLimit(runTime, {
        limit: 5000,
        isKept: () => kept,
        full: () => {
          told++;
        },
      });
      const api = runTime.api as unknown as Calls;
      const call = (name: string, ...args: string[]) => String(api[`${before}${name}`]?.(...args));
      expect(call('Initialize', '')).toBe('true');
      // Written again and again, a value takes its room once.
      for (let i = 0; i < 20; i++) expect(call('SetValue', field, 'b'.repeat(1000))).toBe('true');
      expect(call('SetValue', field, 'c'.repeat(6000))).toBe('false');
      expect(call('GetLastError')).toBe(cannotSet);
      expect(call('GetValue', field)).toBe('b'.repeat(1000));
      expect(call('SetValue', field, 'c'.repeat(6000))).toBe('false');
      expect(told).toBe(1);
      expect(jsonBytes(runTime.cmi())).toBeLessThanOrEqual(5000);
      expect(call('Commit', '')).toBe('true');
      kept = false;
      expect(call('Commit', '')).toBe('false');
      expect(call('GetLastError')).toBe(cannotCommit);
    },
  );

  it('is kept without loss whatever characters it holds, and in a form that the database can hold', () => {
    const nul = String.fromCharCode(0);
    const cmi = { 'cmi.suspend_data': `state ${nul}${String.fromCharCode(0xd83d)} 😀` };
    const word = FromPlayer.parse(wordOf(cmi));
    expect(JSON.stringify(word)).not.toMatch(/\\u0000|\\ud83d/);
    expect(word.type === 'facts' && decodeTexts(word.facts.cmi)).toEqual(cmi);
  });

  it('is named where it cannot be taken, and never dropped without a word', () => {
    expect(wordFrom(wordOf({ a: 'x'.repeat(bridgeLimits.messageBytes) }))).toBe('too-large');
    expect(wordFrom(wordOf({ a: 'ä'.repeat(bridgeLimits.messageBytes / 2) }))).toBe('too-large');
    expect(wordFrom({ ...wordOf({}), item_id: 5 })).toBe('unheard');
    let deep: unknown = {};
    for (let i = 0; i < 50_000; i++) deep = { deep };
    expect(wordFrom({ ...wordOf({}), deep })).toBe('too-large');
  });
});
