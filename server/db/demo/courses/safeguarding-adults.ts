import type { DemoCourse } from '#server/db/demo/authoring.ts';

export const safeguardingAdults: DemoCourse = {
  key: 'safeguarding-adults',
  minutes: 40,
  cpd: true,
  image: 'safeguarding.svg',
  aims: 'To recognise abuse and neglect, and to act so that the person is safe and heard.',
  outcomes: [
    'Name the kinds of abuse, and signs of each',
    'Respond well when somebody tells you',
    'Report the same day, to the right person, in writing',
    'Explain the six principles of safeguarding',
  ],
  lessons: [
    {
      title: 'What safeguarding means',
      topics: [
        {
          title: 'Everybody’s job',
          blocks: [
            {
              text: 'Safeguarding means protecting an adult’s right to live in safety, free from abuse and neglect. The Care Act 2014 puts the duty on councils for adults who have **care and support needs**, are **experiencing or at risk of** abuse or neglect, and **cannot protect themselves** because of those needs.',
            },
            { text: 'Your part is not to investigate. It is to **notice, listen, keep safe, and report**.' },
            {
              image: 'principles.svg',
              alt: 'Six rounded boxes: empowerment, prevention, proportionality, protection, partnership, accountability.',
              caption: 'The six principles.',
            },
            {
              text: `- **Empowerment**: people decide for themselves, with support.
- **Prevention**: better to act before harm happens.
- **Proportionality**: the least intrusive answer to the risk.
- **Protection**: support for those in greatest need.
- **Partnership**: services and communities together.
- **Accountability**: everybody can say what they did and why.`,
            },
          ],
        },
        {
          title: 'Kinds of abuse',
          blocks: [
            {
              text: `- **Physical**: hitting, rough handling, wrong use of medicine or restraint.
- **Psychological**: threats, shaming, ignoring, keeping somebody from their friends.
- **Sexual**: anything the person has not agreed to or cannot agree to.
- **Financial**: theft, pressure about wills, “borrowing”.
- **Neglect**: missed meals, drinks, care or medicine.
- **Self-neglect**: a person’s own health or home falls apart.
- **Discriminatory**: worse treatment because of who somebody is.
- **Organisational**: routines that serve the service, not the people.
- **Domestic abuse** and **modern slavery**.`,
            },
            {
              example:
                'In one home everybody was put to bed at six, because the night shift was short. Nobody was hit and nothing was stolen. It was organisational abuse.',
              title: 'From practice',
            },
          ],
        },
        {
          title: 'Signs to notice',
          child: true,
          blocks: [
            {
              text: `One sign proves nothing. A pattern, or a change, is a reason to speak.

- bruises in unusual places, or of different ages
- fear or silence when one certain person comes in
- unpaid bills, missing things, a new “friend” with a bank card
- weight loss, dirty clothes, sore skin
- the story of an injury that does not fit`,
            },
          ],
        },
      ],
    },
    {
      title: 'When somebody tells you',
      topics: [
        {
          title: 'Listening well',
          blocks: [
            {
              text: `## Do

- Stay calm and listen. Let them use their own words.
- Say that you take it seriously, and that it is not their fault.
- Say what you will do next, and whom you have to tell.
- Ask what they would like to happen.

## Do not

- promise to keep a secret
- ask leading questions, or question them again and again
- go to the person who is accused
- wash, tidy or throw away anything that may be evidence`,
            },
            {
              remember: '“Thank you for telling me. I believe this is important. I have to tell my manager so that we can help you.”',
              title: 'Words that help',
            },
          ],
        },
        {
          title: 'Keep safe, then report',
          blocks: [
            {
              text: `1. Is anybody in danger **now**? Call 999 and stay with the person.
2. Get medical help where it is needed.
3. Tell the manager or the safeguarding lead **the same shift**.
4. Is your manager part of it, or do they do nothing? Go above them: the council’s safeguarding team, the regulator or the police. The law protects people who speak up.
5. Write it down: what you saw and heard, when, who was there, in the person’s own words. Sign it, with date and time.`,
            },
            { h5p: 'somebody-tells-you', title: 'What would you say?', goal: 'completed' },
            { danger: 'Doing nothing because “somebody else will have said something” is how abuse goes on for years.', title: 'Not an option' },
          ],
        },
      ],
    },
    {
      title: 'Consent and capacity',
      topics: [
        {
          title: 'What does the person want?',
          blocks: [
            {
              text: 'Safeguarding is done **with** people, not to them. Ask first. An adult who can decide may decide something that you would not.',
            },
            {
              text: `You report **without** their consent when

- others may be at risk too
- a crime may have been committed
- somebody who works in care may be responsible
- they cannot make this decision, or are being pressed into it`,
            },
            { text: 'Tell them that you will, and why, unless that would put them in more danger.' },
          ],
        },
      ],
    },
  ],
  quizzes: [
    {
      title: 'Safeguarding check',
      randomized: true,
      quantity: 6,
      pass: 80,
      tries: 3,
      questions: [
        {
          trueFalse: 'If somebody asks you to keep abuse a secret, you may promise it.',
          right: false,
          feedback: 'Never promise secrecy. Say whom you have to tell, and why.',
        },
        {
          single: 'Whom do you tell if your manager is the one who is hurting people?',
          options: ['Nobody', 'The manager, politely', 'The council’s safeguarding team, the regulator or the police', 'Your friends'],
          right: 2,
          feedback: 'Go above the manager. The law protects people who speak up.',
        },
        {
          multiple: 'Which of these are kinds of abuse?',
          options: [
            'Missed medicine',
            'Everybody put to bed at six to suit the rota',
            'Asking somebody what they want for lunch',
            'Taking a resident’s bank card “to help”',
          ],
          right: [0, 1, 3],
          feedback: 'Neglect, organisational and financial abuse.',
        },
        {
          match: 'Match principle and meaning.',
          pairs: [
            ['Empowerment', 'People decide, with support'],
            ['Proportionality', 'The least intrusive answer'],
            ['Prevention', 'Act before harm happens'],
          ],
          feedback: 'Three of the six principles.',
        },
        {
          order: 'Put these in order.',
          items: ['Make sure that nobody is in danger now', 'Tell the safeguarding lead', 'Write down what you saw and heard'],
          feedback: 'Safety first, then report the same shift, then write it down.',
        },
        {
          fill: 'You report the [when] shift, and you write down the person’s own [what].',
          gaps: { when: ['same', 'same day'], what: ['words', 'word'] },
          feedback: 'The same shift; their own words.',
        },
        {
          single: 'A resident flinches whenever one colleague comes in. What do you do?',
          options: ['Ask the colleague', 'Ignore it: one sign proves nothing', 'Report what you saw', 'Move the resident'],
          right: 2,
          feedback: 'You need no proof to report what you saw.',
        },
      ],
    },
  ],
};
