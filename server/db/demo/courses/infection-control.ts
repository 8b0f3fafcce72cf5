import type { DemoCourse } from '#server/db/demo/authoring.ts';

export const infectionControl: DemoCourse = {
  key: 'infection-control',
  minutes: 35,
  cpd: true,
  image: 'hands.svg',
  aims: 'To stop infection from passing between you, the people you support and your colleagues.',
  outcomes: [
    'Explain how infection spreads, and where you can break the chain',
    'Clean your hands at the right moments and in the right way',
    'Put on and take off gloves and aprons without spreading germs',
    'Deal safely with waste, laundry and spills',
  ],
  lessons: [
    {
      title: 'How infection spreads',
      topics: [
        {
          title: 'The chain of infection',
          blocks: [
            {
              text: 'An infection does not jump out of nowhere. It travels along a chain, and every link of the chain must hold for somebody to fall ill. **Break one link and the infection stops.**',
            },
            {
              image: 'chain.svg',
              alt: 'A ring of six links: germ, home of the germ, way out, journey, way in, person at risk. One link is broken.',
              caption: 'Six links. You can break most of them yourself.',
            },
            {
              text: `## The six links

1. **The germ**: a bacterium, virus, fungus or parasite.
2. **Where it lives**: a person, a tap, a commode, food, water.
3. **The way out**: coughs, blood, vomit, faeces, a wound.
4. **The journey**: hands, equipment, droplets in the air, food.
5. **The way in**: mouth, nose, eyes, broken skin, a catheter.
6. **The person at risk**: anybody, but above all people who are very old, very young, unwell, or taking medicine that weakens their defences.`,
            },
            {
              remember: 'Hands carry more infection in care than anything else does. That is why this course spends so long on them.',
              title: 'Remember',
            },
          ],
        },
        {
          title: 'Who is most at risk',
          blocks: [
            { text: 'Most of the people you support have at least one reason to catch infections more easily, and to be more ill when they do.' },
            {
              text: `- Skin becomes thinner with age and tears more easily.
- A catheter or a feeding tube is an open road into the body.
- Poor appetite and too little to drink weaken the body’s defences.
- Diabetes, and medicines such as steroids, slow healing.
- Somebody with dementia may not be able to say that they feel unwell.`,
            },
            {
              example:
                'Mrs Farrow is usually chatty at breakfast. Today she is muddled, has not touched her tea and pulls at her clothes. There is no fever. The senior carer asks for a urine test the same morning. It is an infection, caught early.',
              title: 'From practice',
            },
            { text: 'A **sudden change in behaviour** can be the first sign of infection, before any fever. Report it the same shift.' },
          ],
        },
      ],
    },
    {
      title: 'Clean hands',
      topics: [
        {
          title: 'The five moments',
          blocks: [
            { text: 'Clean your hands at the place where care happens, at these five moments:' },
            {
              text: `1. **Before** you touch the person.
2. **Before** a clean task, such as a dressing or giving medicine.
3. **After** contact with body fluids, even if you wore gloves.
4. **After** you touch the person.
5. **After** you touch what is around them: bed rails, call bell, table.`,
            },
            {
              remember: 'Gloves do not replace clean hands. Clean your hands before you put gloves on and straight after you take them off.',
              title: 'Remember',
            },
          ],
        },
        {
          title: 'How to wash',
          blocks: [
            {
              text: 'A proper wash with soap and water takes about as long as singing “Happy birthday” twice: **20 seconds of rubbing** at least, 40 to 60 seconds in all. Watch the film, then try it at the nearest basin.',
            },
            {
              video: 'hand-washing.mp4',
              title: 'Washing your hands in six steps',
              poster: 'hand-washing.jpg',
              captions: 'hand-washing.vtt',
              transcript:
                'Step one: wet your hands and take soap. Step two: rub palm to palm. Step three: rub the back of each hand, fingers between fingers. Step four: rub the backs of your fingers in the other palm. Step five: turn each thumb in the other hand. Step six: rub your finger tips in each palm. Rinse, and dry well with a paper towel. Use the towel to close the tap.',
            },
            {
              text: 'The places people miss most: **thumbs, finger tips, and between the fingers**. Rings with stones, watches and long or false nails hide germs; take them off before the shift.',
            },
            { h5p: 'hand-washing', title: 'Try it: six steps in their order' },
          ],
        },
        {
          title: 'Gel or soap?',
          child: true,
          blocks: [
            {
              text: `Alcohol gel is quick and kills most germs on hands that look clean. It does **not** work against everything.

## Use soap and water

- when your hands look or feel dirty
- after diarrhoea or vomiting, yours or anybody’s
- after you use the toilet, and before you handle food`,
            },
            {
              danger:
                'Gel does not kill the spores of _Clostridioides difficile_, and works poorly on norovirus. With diarrhoea or vomiting: always soap and water.',
              title: 'Careful',
            },
            {
              text: `| When | Gel | Soap and water |
| Hands look clean | Yes | Yes |
| Hands look dirty | No | Yes |
| Diarrhoea or vomiting | No | Yes |

+ Why does gel not work on everything?
Alcohol breaks the fatty coat of many germs. Spores and some viruses have no such coat: they have to be rinsed away.`,
            },
          ],
        },
      ],
    },
    {
      title: 'Gloves, aprons, waste and spills',
      topics: [
        {
          title: 'On and off in the right order',
          blocks: [
            {
              text: 'Protective equipment works only if you take it off without touching its dirty side. Most people who catch something from equipment catch it **while taking it off**.',
            },
            {
              image: 'ppe.svg',
              alt: 'Two rows of pictures. On: clean hands, apron, mask, gloves. Off: gloves, apron, clean hands, mask, clean hands.',
              caption: 'On: apron, then mask, then gloves. Off: gloves first.',
            },
            {
              text: `1. **On**: clean hands, apron, mask if you need one, gloves last.
2. **Off**: gloves first, then apron, clean hands, then the mask by its loops, clean hands again.`,
            },
            { h5p: 'gloves-off', title: 'Check yourself: what comes off first?' },
            { text: 'One person, one task, one set. Never go from one room to the next in the same gloves, and never answer the telephone in them.' },
          ],
        },
        {
          title: 'Waste, laundry and sharps',
          blocks: [
            {
              text: `- **Orange bag**: waste from somebody with a known infection.
- **Yellow and black bag**: pads, gloves and aprons without a known infection.
- **Sharps box**: needles, straight from use, never put the cap back on. Close the box when it is three quarters full.
- **Laundry**: carry it away from your body in the right bag; soiled laundry goes into a bag that dissolves in the wash. Never shake it.`,
            },
            {
              audio: 'needle-stick.mp3',
              title: 'What to do after a needle injury',
              transcript:
                'If a used needle pricks you: let it bleed and rinse it under running water. Do not suck the wound. Cover it with a waterproof plaster. Tell the person in charge at once, and get advice from occupational health or the emergency department within the hour. Then write the incident report.',
            },
          ],
        },
        {
          title: 'Cleaning up a spill',
          blocks: [
            {
              text: `1. Keep people away and put on apron and gloves.
2. Soak the spill up with paper towels; put them in the orange bag.
3. Clean with detergent and water first.
4. Then disinfect as the label says, and leave it for as long as the label says.
5. Take the equipment off, wash your hands, write it down.`,
            },
            { download: 'spill-card.pdf', title: 'Spill card to keep in your pocket (PDF)' },
          ],
        },
        {
          title: 'Going further',
          skippable: true,
          blocks: [
            { text: 'You may skip this page. It is for those who want to know why the rules are what they are.' },
            {
              text: 'The World Health Organization published the “five moments” in 2009, after years of watching where germs really travel in hospitals. The surprise was moment five: a bed rail or a call bell that nobody thinks of as “touching the patient” carries as much as a handshake.',
            },
          ],
        },
      ],
    },
  ],
  quizzes: [
    {
      title: 'Check what you know',
      randomized: true,
      quantity: 7,
      pass: 70,
      tries: 3,
      questions: [
        {
          single: 'What carries infection in care more often than anything else?',
          options: ['Food', 'Hands', 'The air', 'Insects'],
          right: 1,
          feedback: 'Hands. That is why cleaning them at the five moments matters more than any other measure.',
        },
        {
          multiple: 'When must you use soap and water rather than gel?',
          options: [
            'When your hands look dirty',
            'After somebody has had diarrhoea',
            'Before shaking hands with a visitor',
            'After you used the toilet',
          ],
          right: [0, 1, 3],
          feedback: 'Gel is fine for hands that look clean, but not for dirt, diarrhoea, vomiting or the toilet.',
        },
        {
          trueFalse: 'If you wore gloves, you do not need to clean your hands afterwards.',
          right: false,
          feedback: 'Gloves have tiny holes, and taking them off spreads germs. Clean your hands straight after.',
        },
        {
          match: 'Which waste goes where?',
          pairs: [
            ['Used needle', 'Sharps box'],
            ['Apron from a person with a known infection', 'Orange bag'],
            ['Pad, no known infection', 'Yellow and black bag'],
          ],
          feedback: 'Needles go straight into the sharps box; known infection is orange; everyday offensive waste is yellow and black.',
        },
        {
          order: 'Put taking off equipment in order.',
          items: ['Gloves', 'Apron', 'Clean hands', 'Mask', 'Clean hands again'],
          feedback: 'Gloves are the dirtiest and come off first; hands are cleaned before you reach for your face, and at the end.',
        },
        {
          fill: 'Rub your hands for at least [seconds] seconds, and do not forget the finger tips and the [part].',
          gaps: { seconds: ['20', 'twenty'], part: ['thumbs', 'thumb', 'nails'] },
          feedback: '20 seconds of rubbing; thumbs and finger tips are missed most.',
        },
        {
          single: 'Mr Bell, who has dementia, is suddenly confused and will not drink. What do you do?',
          options: [
            'Wait until tomorrow',
            'Report it this shift: it can be the first sign of infection',
            'Give him a biscuit',
            'Write it in next month’s review',
          ],
          right: 1,
          feedback: 'A sudden change in behaviour can be the first sign. Report it the same shift.',
        },
        {
          free: 'In your own words: at which moment of your last shift could you have broken the chain of infection better, and how?',
          minWords: 8,
          feedback: 'A good answer names one moment (for example after touching a bed rail), one link of the chain, and what you will do next time.',
        },
      ],
    },
  ],
};
