import { describe, expect, it } from 'vitest';
import { companyMessage, companyMessageKinds, companyMessages, factsOf, messageFacts, messageProblem } from '#contract/rules/company-messages.ts';

describe('messages of a training company', () => {
  it('have a standard text of each kind, without a word that is not known', () => {
    for (const kind of companyMessageKinds) {
      expect([kind, messageProblem(kind, companyMessages[kind].text)]).toEqual([kind, null]);
      expect(companyMessage([], kind, messageFacts)).not.toMatch(/[{}]/);
    }
  });

  it('are written by the company’s own text where it has one', () => {
    const own = [{ kind: 'booked' as const, email: false, text: 'Dear {name}, see you at {start}.' }];
    expect(companyMessage(own, 'booked', messageFacts)).toBe('Dear Grace Adeyemi, see you at 09:30.');
    expect(companyMessage(own, 'removed', messageFacts)).toBe(
      'You are no longer booked on “Basic life support” on 27/11/2026 at 09:30, Mill Lane, Hall.',
    );
    // A fact is text, whatever it looks like.
    expect(companyMessage(own, 'booked', { name: '{start} $& $1', start: '10:00' })).toBe('Dear {start} $& $1, see you at 10:00.');
  });

  it('are refused with a word that is not known to their kind, or without the one they need', () => {
    expect(messageProblem('booked', 'Because of {reason}')).toMatch(/^\{reason\} is not known here\. Use \{name\}, \{course\}/);
    expect(messageProblem('cancelled', 'Because of {reason}')).toBeNull();
    expect(messageProblem('booked', 'Hello { name }')).toMatch(/^\{ name \} is not known/);
    expect(messageProblem('joining_link', 'Join “{course}” tomorrow.')).toMatch(/\{link\}/);
    expect(factsOf('moved')).toContain('old_start');
  });
  it('says what to bring to people who join online, who get no other reminder', () => {
    const facts = { course: 'Basic life support', date: '27/11/2026', start: '09:30', link: 'https://meet.example.org/1' };
    const text = companyMessage([], 'joining_link', { ...facts, bring: 'What to bring: a chair.' });
    expect(text).toMatch(/Join it here: https:\/\/meet\.example\.org\/1\nWhat to bring: a chair\.$/);
    expect(companyMessage([], 'joining_link', { ...facts, bring: '' })).toMatch(/\/1$/);
  });
});
