import { doneBit, emptySheet, stateByte } from '#contract/matrix/sheet.ts';
import type { MatrixData } from '#src/features/matrix/grid/matrix-view.ts';

const firstNames = ['Amara', 'Grace', 'Liam', 'Sophie', 'Chidi', 'Ewa', 'Rhys', 'Fatima', 'Oluwaseun', 'Zoë'];
const lastNames = ['Okafor', 'Adeyemi', 'Murphy', 'Evans', 'Nowak', 'Khan', 'Davies', 'Begum', 'Featherstonehaugh', 'Smith'];
const jobs = ['Care assistant', 'Senior carer', 'Registered nurse', 'Cook', 'Domestic assistant'];
const places = ['Rowan House', 'Elm Court', 'Willow Bank', 'Harbour View', 'Home care, north', 'Home care, south'];
const titles = [
  'Fire safety',
  'Moving and assisting people',
  'Safeguarding adults',
  'Infection prevention and control',
  'Basic life support',
  'Medication administration',
  'Food hygiene',
  'Mental capacity and deprivation of liberty',
  'Data protection',
  'Learning disability and autism',
];
const firstDay = 9_500;

/** Cells as a care organisation has them: most in date, some expired or missing, many not required. */
export const dataOf = (rows: number, columns: number): MatrixData => {
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return seed / 0x7fff_ffff;
  };
  const sheet = emptySheet(rows, columns);
  const states = (['in_date', 'expiring', 'expired', 'missing', 'starter'] as const).flatMap((status, i) =>
    Array.from({ length: [78, 7, 6, 6, 3][i] as number }, () => status),
  );
  for (let at = 0; at < rows * columns; at++) {
    if (random() < 0.35) continue;
    const status = states[Math.floor(random() * 100)] ?? 'in_date';
    const done = status !== 'missing' && status !== 'starter';
    const kind = random();
    const type = done && kind > 0.96 && status === 'in_date' ? 'none' : kind > 0.8 ? 'secondary' : 'primary';
    sheet.states[at] = stateByte({ status, type, exempt: status === 'in_date' && random() < 0.03, other: false, done });
    if (((sheet.states[at] as number) & doneBit) === 0) continue;
    const left = { in_date: 90, expiring: 5, expired: -300 }[status as 'in_date' | 'expiring' | 'expired'];
    sheet.completed[at] = firstDay - Math.floor(random() * 300);
    sheet.expires[at] = status === 'in_date' && random() < 0.1 ? 0 : firstDay + left + Math.floor(random() * (status === 'in_date' ? 700 : 50));
  }
  const names = Array.from({ length: rows }, (_, i) => `${firstNames[i % 10]} ${lastNames[Math.floor(i / 10) % 10]}${i < 100 ? '' : ` ${i}`}`);
  const collator = new Intl.Collator('en-GB', { sensitivity: 'base' });
  const people = names
    .sort(collator.compare)
    .map((name, i) => ({ id: `p${i}`, name, place: places[i % 6] as string, role: jobs[i % 5] as string, tags: i % 4 === 0 ? ['Nights'] : [] }));
  const courses = Array.from({ length: columns }, (_, i) => ({
    id: `c${i}`,
    title: i < 10 ? (titles[i] as string) : `${titles[i % 10]}, part ${Math.floor(i / 10) + 1}`,
    short_title: null,
  }));
  return { sheet, loaded: new Uint8Array(rows).fill(1), people, courses };
};
