import type { Design, DesignBlock } from '#contract/entities/design.ts';
import type { DesignProblem } from '#contract/entities/designed-content.ts';
import { blocksOfPage, isScored, isToDo } from '#contract/rules/design.ts';
import { topicProblems } from '#contract/rules/topic-problems.ts';

type Steps = Extract<DesignBlock, { kind: 'scenario' }>['steps'];

/** The ids of the steps that can be reached from these, themselves included. */
const reachedFrom = (steps: Steps, from: readonly string[]): Set<string> => {
  const byId = new Map(steps.map((s) => [s.id, s]));
  const reached = new Set<string>();
  const open = from.filter((id) => byId.has(id));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const { to } of byId.get(id)?.choices ?? []) if (byId.has(to)) open.push(to);
  }
  return reached;
};

const blank = (text: string) => text.trim() === '';
const named = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return `“${line.length > 40 ? `${line.slice(0, 39)}…` : line}”`;
};

/** Problems of the paths through a scenario, with the step: null if it concerns the whole. */
export const scenarioProblems = (steps: Steps): { step: string | null; message: string }[] => {
  const [first] = steps;
  if (!first) return [{ step: null, message: 'The scenario has no steps yet.' }];
  const ids = new Set(steps.map((s) => s.id));
  const found: { step: string | null; message: string }[] = [];
  const reached = reachedFrom(steps, [first.id]);
  for (const [i, step] of steps.entries()) {
    // Steps are named by their numbers in the editor.
    const number = i + 1;
    const say = (message: string) => found.push({ step: step.id, message });
    if (blank(step.text)) say(`Step ${number} of the scenario has no text.`);
    if (step.end === null && step.choices.length === 0) say(`Step ${number} has no choices and is no end: nobody gets on from it.`);
    if (step.end !== null && step.choices.length > 0) say(`Step ${number} is an end and has choices.`);
    for (const [c, choice] of step.choices.entries()) {
      if (blank(choice.text)) say(`Choice ${c + 1} of step ${number} has no text.`);
      if (!ids.has(choice.to)) say(`Choice ${c + 1} of step ${number} leads nowhere.`);
    }
    if (!reached.has(step.id)) say(`No choice leads to step ${number}.`);
    else if (step.end === null && step.choices.length > 0 && ![...reachedFrom(steps, [step.id])].some((id) => steps.find((s) => s.id === id)?.end))
      say(`From step ${number} no end can be reached.`);
  }
  if (!steps.some((s) => s.end === 'good' && reached.has(s.id)))
    found.push({ step: null, message: 'The scenario has no good end that can be reached.' });
  return found;
};

const inBlock = (block: DesignBlock): string[] => {
  const say: string[] = [];
  const unless = (fine: boolean, message: string) => void (fine || say.push(message));
  switch (block.kind) {
    case 'text':
      return topicProblems([block]).map((p) => p.message);
    case 'picture':
      unless(block.media !== null, 'Choose a picture.');
      unless(!blank(block.alt) || (block.decorative && block.spots.length === 0), 'Describe what the picture shows, or say that it is decorative.');
      unless(!block.spots.some((s) => blank(s.title)), 'A spot of the picture has no title.');
      break;
    case 'cards':
      unless(block.cards.length > 0, 'Add a card.');
      unless(!block.cards.some((c) => blank(c.front) || blank(c.back)), 'A card is empty on one side.');
      break;
    case 'timeline':
      unless(block.entries.length > 0, 'Add an entry to the timeline.');
      unless(!block.entries.some((e) => blank(e.title)), 'An entry of the timeline has no title.');
      break;
    case 'scenario':
      unless(!blank(block.title), 'The scenario has no title.');
      return [...say, ...scenarioProblems(block.steps).map((p) => p.message)];
    case 'question':
      unless(block.question !== null, 'Write the question.');
      break;
    case 'film':
      unless(block.media !== null, 'Choose a video.');
      unless(!blank(block.title), 'The video has no title.');
      unless(block.captions.length > 0 || !blank(block.transcript), 'The video has neither captions nor a transcript.');
      unless(!block.stops.some((s) => s.question === null), 'A question of the video is not written yet.');
      break;
    case 'acknowledgement':
      unless(!blank(block.text), 'Write what is signed.');
      break;
    case 'checklist':
      unless(!blank(block.title), 'The checklist has no title.');
      unless(block.items.length > 0, 'Add an item to the checklist.');
      unless(!block.items.some((i) => blank(i.text)), 'An item of the checklist is empty.');
      break;
  }
  return say;
};

/** What prevents publishing a design, in the order of its pages. */
export const designProblems = (design: Design): DesignProblem[] => {
  const found = design.pages.flatMap((page): DesignProblem[] => {
    const blocks = blocksOfPage(page);
    const ofPage = (message: string): DesignProblem => ({ page: page.id, block: null, message });
    return [
      ...(blank(page.title) ? [ofPage('The page has no title.')] : []),
      ...(blocks.length === 0 ? [ofPage(blank(page.title) ? 'The page is empty.' : `The page ${named(page.title)} is empty.`)] : []),
      ...blocks.flatMap((block) => inBlock(block).map((message) => ({ page: page.id, block: block.id, message }))),
    ];
  });
  const whole = (message: string): DesignProblem => ({ page: null, block: null, message });
  if (design.pages.length === 0) found.push(whole('It has no page yet.'));
  else if (!design.pages.some((p) => p.required || blocksOfPage(p).some((b) => isToDo(b) || isScored(b))))
    found.push(whole('Nothing in it has to be done: choose at least one page that has to be read.'));
  return found;
};
