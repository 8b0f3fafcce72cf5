/** The people of the demo: names common in British care, of many origins. `role` and `place` are keys of fill.ts. */
export type DemoPerson = {
  name: string;
  role: string;
  place: 'group' | 'home' | 'branch';
  type?: 'manager' | 'administrator' | 'trainer';
  email?: string;
};

const carers = [
  'Grace Adeyemi',
  'Sunita Patel',
  'Megan Davies',
  'Ana-Maria Ionescu',
  'Chidi Nwosu',
  'Shabnam Begum',
  'Ewa Kowalczyk',
  'Liam Murphy',
  'Thandiwe Moyo',
  'Sophie Turner',
  'Fatima Al-Sayed',
  'Rhys Evans',
  'Blessing Chukwu',
  'Karolina Nowak',
  'Daniel Osei',
  'Aisha Khan',
  'Charlotte Hughes',
  'Mihai Popescu',
  'Nomvula Dlamini',
  'Jade Robinson',
];
const homeCarers = [
  'Siân Griffiths',
  'Olu Bakare',
  'Joyce Mensah',
  'Rebecca Shaw',
  'Gurpreet Kaur',
  'Patrick O’Neill',
  'Zofia Wiśniewska',
  'Tariq Hussain',
  'Marie-Claire Tchouameni',
  'Ben Carter',
  'Precious Sibanda',
  'Ivana Petrović',
  'Hannah Lewis',
  'Mohammed Rahman',
  'Eilidh MacDonald',
];
const people = (names: string[], role: string, place: DemoPerson['place']): DemoPerson[] => names.map((name) => ({ name, role, place }));

export const demoPeople: DemoPerson[] = [
  { name: 'Amara Okafor', role: 'care', place: 'home', email: 'learner@willowbrook.test' },
  { name: 'Helen Marsh', role: 'manager', place: 'home', type: 'manager', email: 'manager@willowbrook.test' },
  { name: 'Priya Raman', role: 'office', place: 'group', type: 'administrator', email: 'admin@willowbrook.test' },
  { name: 'Tomasz Zielinski', role: 'senior', place: 'group', type: 'trainer', email: 'trainer@willowbrook.test' },
  { name: 'Gareth Pugh', role: 'manager', place: 'branch', type: 'manager' },
  ...people(carers, 'care', 'home'),
  ...people(homeCarers, 'care', 'branch'),
  ...people(['Ruth Abernathy', 'Kwame Boateng', 'Lucia Fernandes'], 'senior', 'home'),
  ...people(['Nia Thomas', 'Samuel Ade'], 'senior', 'branch'),
  ...people(['Olga Marchenko', 'Jacob Varghese', 'Margaret Sinclair', 'Arlene Santos'], 'nurse', 'home'),
  ...people(['Derek Holloway', 'Yasmin Aziz', 'Piotr Lewandowski'], 'cook', 'home'),
  ...people(
    [
      'Doreen Baxter',
      'Teresa Gomes',
      'Alisha Grant',
      'Wanjiru Kamau',
      'Nguyễn Thị Hoa',
      'Bogdan Radu',
      'Maximiliana Featherstonehaugh-Cholmondeley',
      'Jo Li',
    ],
    'domestic',
    'home',
  ),
];
