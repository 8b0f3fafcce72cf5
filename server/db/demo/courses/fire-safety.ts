import type { DemoCourse } from '#server/db/demo/authoring.ts';

export const fireSafety: DemoCourse = {
  key: 'fire-safety',
  minutes: 25,
  cpd: false,
  image: 'fire.svg',
  aims: 'To prevent fires where you work, and to know what to do in the first two minutes of one.',
  outcomes: [
    'Spot and remove everyday causes of fire',
    'Raise the alarm and help people to safety',
    'Choose the right extinguisher, and know when not to use one',
  ],
  lessons: [
    {
      title: 'Stopping fires before they start',
      topics: [
        {
          title: 'Three things a fire needs',
          blocks: [
            {
              text: 'A fire needs **heat**, **fuel** and **oxygen**. Take one away and there is no fire. Preventing fire means keeping the three apart.',
            },
            {
              image: 'fire-triangle.svg',
              alt: 'A triangle whose sides are heat, fuel and oxygen, with a small flame in the middle.',
              caption: 'The fire triangle.',
            },
            {
              text: `- **Heat**: cookers, heaters, cigarettes, chargers, overloaded sockets.
- **Fuel**: bedding, paper, rubbish, cooking oil, skin creams.
- **Oxygen**: the air, and oxygen cylinders and concentrators.`,
            },
            {
              danger:
                'Many skin creams (paraffin or not) soak into clothes and bedding and make them burn fast and hot. A person who uses them and smokes needs a written risk plan. Washing does not remove it all.',
              title: 'Creams burn',
            },
          ],
        },
        {
          title: 'Your daily look-round',
          blocks: [
            {
              text: `Every shift, as you walk through:

- Fire doors are shut and not wedged open.
- Corridors and exits are clear: no hoists, no laundry, no boxes.
- No charger or heater is covered by cloth; nothing charges on a bed.
- The tumble dryer’s filter has been emptied.
- Call points and extinguishers can be seen and reached.`,
            },
            {
              example:
                'A wheelchair was charging in the only corridor to the back exit. Everybody walked round it for a week. On the fire drill it took four people to get it out of the way, in the dark.',
              title: 'From practice',
            },
            { h5p: 'look-round', title: 'Your look-round: what is wrong here?' },
          ],
        },
      ],
    },
    {
      title: 'If there is a fire',
      topics: [
        {
          title: 'The first two minutes',
          blocks: [
            {
              text: `1. **Raise the alarm**: break the nearest call point. Shout.
2. **Get people out of danger**: those nearest to the fire first.
3. **Close doors** behind you. A closed fire door holds fire back for 30 minutes or more.
4. **Call 999**, even if you think the alarm does it. Say the address and where people are.
5. **Go to the place of safety** and count heads. Nobody goes back in.`,
            },
            { remember: 'You never need permission to raise the alarm. Nobody will be blamed for a false one.', title: 'Remember' },
          ],
        },
        {
          title: 'Moving people',
          blocks: [
            {
              text: 'In many care homes you do not empty the whole building at once. People are moved **sideways**, through at least one fire door, away from the fire: this is called progressive horizontal evacuation. Downstairs comes later.',
            },
            {
              text: 'Everybody who cannot get out by themselves has a **personal emergency evacuation plan**. It says how many helpers and what equipment they need. Read the plans of the people you support before the night you need them.',
            },
            { text: 'Never use a lift, unless it is marked as an evacuation lift and you have been trained.' },
          ],
        },
        {
          title: 'Extinguishers',
          blocks: [
            {
              text: `Learn these four.

- **Water** (red label): wood, paper, cloth. Never on oil or electrics.
- **Carbon dioxide** (black): electrical equipment.
- **Wet chemical** (yellow): cooking oil.
- **Fire blanket**: small pan fires, and clothes that have caught fire.`,
            },
            { h5p: 'extinguishers', title: 'Turn the cards: which extinguisher?' },
            {
              danger:
                'Fight a fire only if it is smaller than a waste-paper bin, you have been trained, the alarm has been raised, and your way out is behind you. One extinguisher lasts less than a minute.',
              title: 'Only if all are true',
            },
          ],
        },
      ],
    },
    {
      title: 'At home and alone',
      topics: [
        {
          title: 'Fire safety in people’s homes',
          blocks: [
            {
              text: 'In home care you are often the only person who looks. Ask yourself on each visit: could this person hear an alarm, and get out?',
            },
            {
              text: `- Test the smoke alarm, or ask when it was last tested.
- Look for scorch marks on carpets, chairs and bedding.
- Look for blocked doors, and for heaters near curtains.
- Tell your office: fire services visit free of charge and fit alarms.`,
            },
            { remember: 'If there is a fire in somebody’s home: **get out, stay out, call 999**.', title: 'Remember' },
          ],
        },
      ],
    },
  ],
  quizzes: [
    {
      title: 'Fire safety check',
      randomized: false,
      quantity: 0,
      pass: 80,
      tries: 0,
      questions: [
        {
          single: 'You see smoke under a bedroom door. What comes first?',
          options: ['Open the door and look', 'Raise the alarm', 'Fetch an extinguisher', 'Call the manager'],
          right: 1,
          feedback: 'Raise the alarm. Opening the door feeds the fire with air and smoke.',
        },
        {
          order: 'Put the first two minutes in order.',
          items: ['Raise the alarm', 'Move those nearest to danger', 'Close doors behind you', 'Call 999', 'Count heads at the place of safety'],
          feedback: 'Alarm, people, doors, 999, count.',
        },
        {
          match: 'Which extinguisher for which fire?',
          pairs: [
            ['Paper in a bin', 'Water'],
            ['A burning television', 'Carbon dioxide'],
            ['A deep fat fryer', 'Wet chemical'],
          ],
          feedback: 'Water for paper, carbon dioxide for electrics, wet chemical for oil.',
        },
        {
          trueFalse: 'In a care home, everybody is always taken straight outside.',
          right: false,
          feedback: 'People are usually moved sideways through fire doors first.',
        },
        {
          multiple: 'What must all be true before you fight a fire?',
          options: ['It is smaller than a waste-paper bin', 'The alarm has been raised', 'Your way out is behind you', 'You are alone'],
          right: [0, 1, 2],
          feedback: 'And you must have been trained. Being alone is a reason not to.',
        },
      ],
    },
  ],
};
