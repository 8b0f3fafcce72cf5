/**
 * The 16 standards of the care certificate as of March 2025: their codes, with our own paraphrases. One line each: a standard (`3`), an
 * outcome (`3.1`), or a criterion (`3.1a`) with `k` for knowledge, `p` for practice, `s` for practice that may be shown in a simulation.
 */
export const england2025 = `
1 Understand your role
1.1 Know your own job
1.1a k Describes the main duties of the job and what they are responsible for
1.1b k Names the standards and codes of practice that apply to the job
1.1c p Works in the ways agreed with the employer
1.1d k Explains how their own experience, attitudes and beliefs can affect how they work
1.2 Work in ways that are agreed with the employer
1.2a k Describes their rights and duties as an employee
1.2b k Names the aims and values of the organisation
1.2c k Explains why agreed ways of working matter
1.2d p Finds the agreed ways of working, in full and up to date
1.2e k Explains how and when to pass on a concern
1.2f k Explains why errors are admitted, and to whom they are told
1.3 Know what working relationships are
1.3a k Describes what they owe to the people they support
1.3b k Explains how a working relationship differs from a private one
1.3c k Describes the working relationships of a care setting
1.4 Work together with others
1.4a k Explains why teams and partners have to work together
1.4b k Explains why family, friends and advocates are partners too
1.4c p Behaves in ways that make working together better
1.4d p Asks for help with working together and with disagreements, at the right time
2 Your personal development
2.1 Agree a plan for your development
2.1a k Names who and what supports their learning
2.1b k Describes how a development plan is agreed, and with whom
2.1c k Explains why feedback helps to get better
2.1d p Takes part in agreeing their own plan
2.2 Develop what you know and can do
2.2a k Explains why reading, writing, numbers and talking matter in the job
2.2b k Describes how to check how good they are at these
2.2c k Describes how something they learned made them better
2.2d k Describes how thinking back on a situation made them better
2.2e k Describes how feedback made them better
2.2f p Measures their own knowledge and work against the standards
2.2g k Names the learning that is open to them
2.2h p Keeps a record of their development
2.2i k Explains why learning goes on throughout a career
3 Duty of care
3.1 Know how duty of care makes care safe
3.1a k Says what duty of care means
3.1b k Describes what it asks of them in the job
3.2 Know where to find support with dilemmas
3.2a k Describes dilemmas between keeping somebody safe and respecting their rights
3.2b k Explains what they must and must not do about them
3.2c k Explains where support and advice are found
3.3 Deal with comments and complaints
3.3a p Responds to comments and complaints as agreed
3.3b k Describes whom to ask for advice on complaints
3.3c k Explains why complaints are learned from
3.4 Deal with incidents, errors and near misses
3.4a k Describes how an incident, an error or a near miss is recognised
3.4b k Explains what they must and must not do about one
3.4c k Names the rules for reporting them
3.5 Deal with confrontation
3.5a k Names what can lead to confrontation
3.5b k Describes how good communication makes it less likely
3.5c k Describes how the risk in such a situation is judged and lowered
3.5d p Asks for support in a conflict, at the right time
3.5e k Explains how a confrontation is reported
4 Equality, diversity, inclusion and human rights
4.1 Know why they matter
4.1a k Explains equality, diversity, inclusion, discrimination and human rights
4.1b k Describes how discrimination happens, meant or not
4.1c k Explains how inclusive ways of working make it less likely
4.2 Work in an inclusive way
4.2a k Names the laws and codes that apply to the job
4.2b p Meets people with respect for their beliefs, culture, values and wishes
4.2c k Describes how to challenge discrimination so that things get better
4.3 Find information and support
4.3a k Names sources of advice on equality and human rights
4.3b k Describes how and when to use them
5 Work in a person-centred way
5.1 Know what person-centred values are
5.1a k Describes how to live these values in everyday work
5.1b k Explains why they matter
5.1c k Names ways to promote dignity
5.2 Know how to work in a person-centred way
5.2a k Describes why a person’s history, wishes and needs are asked for
5.2b k Explains why a plan has to follow changing needs
5.2c k Explains why people are supported to plan ahead, also for the end of life
5.3 Notice surroundings that cause distress
5.3a p Takes away or lessens what disturbs: light, noise, cold, smells
5.3b p Reports what they cannot change themselves
5.4 Speak up about what others do
5.4a p Raises a concern with the person who causes the discomfort
5.4b p Raises a concern with a senior person
5.4c p Raises a concern in another way where that is needed
5.5 Help to lessen pain and discomfort
5.5a p Makes sure that somebody who cannot move well is comfortable
5.5b p Notices signs of pain and discomfort
5.5c p Does the right thing where somebody is in pain
5.6 Support identity and self-esteem
5.6a k Explains how identity and self-esteem belong to wellbeing
5.6b p Shows by their own manner that wellbeing matters
5.6c p Encourages a person’s own sense of who they are
5.6d p Reports worries about somebody’s wellbeing
5.7 Support people by person-centred values
5.7a p Acts so that individuality, independence, choice, privacy and rights are kept
6 Communication
6.1 Know why communication matters
6.1a k Describes the different ways in which people communicate
6.1b k Explains how communication affects relationships at work
6.1c k Explains why reactions are watched for
6.2 Know how to meet needs and wishes
6.2a k Describes how to find out what somebody needs to communicate
6.2b k Names methods and styles that can help
6.3 Know how to make it work
6.3a k Names what gets in the way of communication
6.3b k Describes how these barriers are lowered
6.3c k Describes how to check that they were understood
6.3d k Describes where help with communication is found
6.4 Know about confidentiality
6.4a k Describes what confidentiality means in the job
6.4b k Names the rules on confidentiality
6.4c k Describes when something confidential has to be passed on
6.4d k Explains how and when to ask for advice on it
6.5 Communicate well with words and without
6.5a p Uses tone, words, eye contact and position so that the other person is at ease
6.5b p Checks that they were understood, and says it another way where not
6.6 Support the use of communication aids
6.6a p Makes sure that an aid is clean, at hand and working
6.6b p Reports what is wrong with an aid
7 Privacy and dignity
7.1 Know what support for privacy and dignity is
7.1a k Describes what privacy and dignity mean
7.1b k Names situations in which they are at risk
7.1c k Describes ways to keep them
7.2 Keep privacy and dignity in your own work
7.2a p Speaks about a person where and as loudly as that person would want
7.2b p Uses doors, curtains, covers and a knock so that dignity is kept
7.2c k Explains why what somebody wants private is not passed on
7.2d p Reports a worry about privacy or dignity
7.3 Know how to support choice
7.3a k Describes how people are helped to choose for themselves
7.3b k Explains how assessing risks supports the right to choose
7.3c k Explains why their own opinion must not sway a choice
7.3d k Describes how to support somebody who questions a decision about them
7.4 Support people in making choices
7.4a p Supports somebody to make an informed choice
7.4b p Uses risk assessments so that choice stays possible
7.4c p Keeps their own opinion out of another person’s choice
7.5 Know how to support active participation
7.5a k Explains why being valued makes people take part
7.5b k Describes how to support somebody to take part in their own care
7.5c k Explains why independence and own networks matter
7.6 Support active participation
7.6a p Lets a person do themselves what they can
7.6b p Keeps their own opinion from limiting what a person does
8 Fluids and nutrition
8.1 Know about nutrition, hydration and food safety
8.1a k Describes why food safety and hygiene matter
8.1b k Explains why eating and drinking enough matter
8.1c k Names signs of too little food or drink
8.1d k Explains how to encourage enough of both
8.2 Support people to drink, by their plan
8.2a p Keeps drinks within reach, and fresh
8.2b p Has the cup or aid at hand that the person needs
8.2c p Offers drinks as the plan says
8.2d p Notes what was drunk where that is asked for
8.2e p Reports a worry about drinking
8.3 Support people to eat, by their plan
8.3a p Serves food that is right by plan, warmth and look
8.3b p Places food, cutlery and aids within reach
8.3c p Helps at the person’s own pace
8.3d p Reports a worry about eating
9 Awareness of mental health and dementia
9.1 Know what people live with
9.1a k Describes how somebody with a mental health condition may feel
9.1b k Describes how somebody with dementia may feel
9.1c k Explains how these conditions change what a person needs
9.2 Know why wellbeing is promoted
9.2a k Explains how support for wellbeing changes a life
9.2b k Describes what helps people to live well
9.3 Know how care is adapted
9.3a k Describes how support is adapted for a mental health condition
9.3b k Describes how support is adapted for dementia
9.3c k Describes how to report that support no longer fits
9.4 Know why early signs matter
9.4a k Explains why a condition is better found early
9.4b k Describes what early signs can be
9.4c k Describes to whom such signs are told
9.5 Know the law and the rules
9.5a k Names the laws that protect people with these conditions
9.5b k Explains how they show in everyday care
9.6 Know what capacity means
9.6a k Explains what capacity to decide means
9.6b k Explains why it is assumed until shown otherwise
9.6c k Explains what consent is, and what to do without it
10 Adult safeguarding
10.1 Know the principles
10.1a k Explains what safeguarding adults means
10.1b k Explains their own part in it
10.1c k Describes what harm is
10.1d k Names the kinds of abuse
10.1e k Describes signs of each kind
10.1f k Describes why somebody can be more at risk
10.1g k Names ways in which staff can cause harm
10.2 Know how abuse is made less likely
10.2a k Explains how person-centred care protects
10.2b k Explains how choice and rights protect
10.2c k Explains how a good complaints procedure protects
10.2d k Describes how risk is managed in a positive way
10.3 Respond to a suspicion or disclosure
10.3a k Explains what to do when abuse is suspected or told of
10.3b k Explains what to do when a concern is not taken up
10.4 Know how people are protected locally and nationally
10.4a k Names the laws and policies
10.4b k Explains the part of different agencies
10.4c k Describes what was learned from serious failures
10.4d k Names sources of advice
10.4e k Explains how whistleblowing is protected
11 Safeguarding children
11.1 Protect children
11.1a k Explains what to do when a child may be harmed, whom they meet at work or elsewhere
11.1b k Describes signs that a child may be harmed
11.1c k Names the kinds of abuse of children
11.1d k Explains who is told, and that this cannot be kept secret
12 Basic life support
12.1 Give basic life support
12.1a s Checks for danger and response, opens the airway and checks breathing
12.1b s Calls for help and for a defibrillator
12.1c s Gives chest compressions and rescue breaths as now taught
12.1d s Uses an automated defibrillator as it tells them
12.1e s Puts somebody who breathes into the recovery position
12.1f s Helps somebody who chokes
13 Health and safety
13.1 Know who is responsible for what
13.1a k Names the laws on health and safety at work
13.1b k Describes what the agreed ways of working say
13.1c k Describes what they, the employer and others must do
13.1d k Names tasks that need training first
13.1e k Explains how to find more on health and safety
13.2 Know about risk assessment
13.2a k Explains why risks are assessed
13.2b k Describes how and when a risk is reported
13.3 Move and assist safely
13.3a k Names the rules on moving and assisting
13.3b k Explains what moving safely rests on
13.3c p Moves and assists people and things as the plan and the training say
13.4 Act in accidents and sudden illness
13.4a k Describes accidents and illnesses that can happen at work
13.4b k Explains what to do, and what not
13.5 Know the limits around medicines and health tasks
13.5a k Describes what is agreed on medicines and health tasks
13.5b k Names what they may not do without training
13.6 Handle hazardous substances
13.6a k Names hazardous substances of the workplace
13.6b p Stores, uses and disposes of them safely
13.7 Promote fire safety
13.7a k Explains how fires are kept from starting or spreading
13.7b k Describes what to do when there is a fire
13.7c p Keeps escape routes clear
13.8 Work securely
13.8a p Checks who somebody is before letting them in or telling them anything
13.8b p Keeps themselves and others secure as agreed
13.8c k Explains why others should know where they are
13.9 Deal with stress
13.9a k Names signs of stress
13.9b k Names what can cause it
13.9c k Describes ways to deal with it, and where help is found
14 Handling information
14.1 Handle information securely
14.1a k Names the rules on handling information
14.1b k Explains why information systems are secure
14.1c p Keeps records up to date, complete, accurate and readable
14.1d p Stores and shares information only as agreed
14.1e k Explains how and to whom a misuse of information is told
15 Infection prevention and control
15.1 Stop infection from spreading
15.1a k Describes how infection gets into the body
15.1b p Cleans their hands in the right way at the right moments
15.1c k Explains how their own health and hygiene are a risk to others
15.1d k Names protective clothing and equipment, and when each is used
15.1e p Puts on, takes off and disposes of protective equipment as taught
15.1f p Handles soiled linen and waste as agreed
15.1g p Keeps surfaces and equipment clean as agreed
16 Awareness of learning disability and autism
16.1 Know what a learning disability is
16.1a k Explains what a learning disability is, and is not
16.1b k Describes how it can affect everyday life
16.1c k Describes how communication is adapted
16.2 Know what autism is
16.2a k Explains what autism is, and how different autistic people are
16.2b k Describes differences in the senses, and what can overload
16.2c k Describes how communication is adapted
16.3 Know what makes care fair
16.3a k Explains what reasonable adjustments are
16.3b k Explains why their health is often worse, and what to watch for
16.3c k Names the laws that protect them
`;

/** What a care worker does in front of an assessor, and the criteria for which it can be evidence. */
export const activities2025: readonly { id: string; title: string; criteria: string }[] = [
  {
    id: 'waking',
    title: 'Getting up, washing and dressing',
    criteria: '1.1c 4.2b 5.3a 5.5a 5.5b 5.7a 6.5a 6.5b 7.2a 7.2b 7.4a 7.4c 7.6a 7.6b 13.3c 15.1b 15.1e 15.1f',
  },
  { id: 'meal', title: 'A meal or a snack', criteria: '4.2b 5.3a 5.7a 6.5a 7.4a 7.6a 8.2a 8.2b 8.2c 8.3a 8.3b 8.3c 8.3d 15.1b' },
  { id: 'drinks', title: 'Offering drinks', criteria: '6.5a 7.4a 8.2a 8.2b 8.2c 8.2d 8.2e 15.1b' },
  { id: 'moving', title: 'Moving and assisting, with or without a hoist', criteria: '1.1c 5.5a 5.5b 5.5c 6.5a 6.5b 7.2b 7.6a 13.3c 13.7c 15.1b' },
  { id: 'toilet', title: 'Help with using the toilet', criteria: '5.5a 5.7a 6.5a 7.2a 7.2b 7.2d 7.6a 13.3c 15.1b 15.1e 15.1f' },
  { id: 'talk', title: 'A conversation, or time together', criteria: '4.2b 5.6b 5.6c 5.6d 5.7a 6.5a 6.5b 6.6a 7.2a 7.4c 7.6a' },
  { id: 'activity', title: 'An activity or an outing', criteria: '4.2b 5.6b 5.6c 5.7a 6.5a 7.4a 7.4b 7.6a 7.6b 13.3c 13.8b' },
  { id: 'handover', title: 'Handover and working in the team', criteria: '1.1c 1.2d 1.4c 1.4d 5.3b 5.4b 5.6d 7.2a 8.2e 8.3d 14.1d' },
  { id: 'records', title: 'Writing in records', criteria: '1.1c 1.2d 8.2d 14.1c 14.1d' },
  { id: 'cleaning', title: 'Cleaning, linen and waste', criteria: '5.3a 13.6b 13.7c 15.1b 15.1e 15.1f 15.1g' },
  { id: 'visitor', title: 'A visitor at the door, or a call', criteria: '4.2b 6.5a 7.2a 13.8a 13.8b 14.1d' },
  { id: 'upset', title: 'Somebody who is upset, in pain or complains', criteria: '3.3a 3.5d 4.2b 5.3a 5.4a 5.4b 5.4c 5.5b 5.5c 5.6b 5.6d 6.5a 6.5b' },
  { id: 'aids', title: 'Hearing aids, glasses and communication aids', criteria: '6.5a 6.5b 6.6a 6.6b 7.6a' },
  { id: 'resuscitation', title: 'Basic life support, with a manikin', criteria: '12.1a 12.1b 12.1c 12.1d 12.1e 12.1f' },
  { id: 'supervision', title: 'Supervision, appraisal or a learning log', criteria: '1.2d 1.4d 2.1d 2.2f 2.2h' },
];
