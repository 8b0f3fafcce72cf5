import type { Register } from '#contract/entities/training-session.ts';
import { dayWords } from '#contract/rules/days.ts';
import { currentMark, isOnRegister } from '#contract/rules/register.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import { brandOf } from '#server/features/branding/branding.rows.ts';
import { registerOf } from '#server/features/training-sessions/registers.rows.ts';
import { pdfPages } from '#server/pdf/pages.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** Blank lines for walk-ins: one for each place left, within these limits. */
const leastBlank = 3;
const mostBlank = 8;

/** The columns to fill in by hand beside each name, by what completes the training. */
const resultHeads: Record<Register['grading_method'], string | null> = {
  attendance: null,
  practical: 'Practical',
  pass_fail: 'Passed?',
  score: 'Score',
  practical_theory: 'Practical, theory',
};

/** The register of a session as a PDF to sign on paper, where no device is available; the entries are then typed in on the session's page. */
export const printedRegister = async ({ db, now }: Pick<Services, 'db' | 'now'>, actor: Actor, id: string) => {
  const register = await registerOf(db, actor, id);
  const { whitelabel: brand } = await brandOf(db, register.entity.id);
  const people = register.delegates.filter(isOnRegister).toSorted((a, b) => a.name.localeCompare(b.name, 'en-GB'));
  const room = register.maxDelegates === null ? mostBlank : register.maxDelegates - people.length;
  const blank = Math.min(mostBlank, Math.max(leastBlank, room));
  const result = resultHeads[register.grading_method];
  const place = [register.venue, register.room].filter(Boolean).join(', ');
  const when = `${dayWords(register.date)}, ${timesWords(register)}`;
  const file = await pdfPages(
    {
      ...{ title: 'Register', name: register.course.name, organisation: register.entity.name, brand, logo: null },
      ...{ about: `${when} · ${place} · Trainer: ${register.external_trainer || register.trainer.name}` },
      ...{ at: now(), zone: actor.user.time_zone },
    },
    [
      { word: 'Name', from: 0 },
      { word: 'From', from: 0.34 },
      { word: 'Until', from: 0.44 },
      ...(result ? [{ word: result, from: 0.54 }] : []),
      { word: 'Signature', from: result ? 0.72 : 0.54 },
    ],
    ({ row, paragraph }) => {
      const line = (...texts: string[]) =>
        row(
          [...texts, ...(result ? [''] : []), ''].map((text) => ({ text })),
          true,
        );
      for (const delegate of people) {
        const mark = currentMark(delegate);
        const absent = mark?.presence === 'absent';
        const [from, until] = absent ? ['Absent', ''] : [mark?.arrived ?? '', mark?.left ?? ''];
        line([delegate.name, delegate.place].filter(Boolean).join(' · '), from, until);
      }
      for (let i = 0; i < blank; i++) line('', '', '');
      paragraph(
        '“From” and “Until” are for people who were not there from beginning to end. The empty lines are for people who come without being on the list.',
      );
      paragraph('Signature of the trainer, and date: ______________________________________');
    },
  );
  return { file, type: 'application/pdf', headers: { 'Content-Disposition': `attachment; filename*=UTF-8''Register-${register.date}.pdf` } };
};
