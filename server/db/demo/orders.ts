import { addMonths, defaultTimeZone } from '#contract/rules/days.ts';
import { lineAmounts } from '#contract/rules/money.ts';
import type { OrderState, OrderStep } from '#contract/rules/order-states.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { type Db, sql } from '#server/db/sql.ts';

const day = 86_400_000;
const items = [
  {
    ...{
      key: 'life-support',
      provider: 'brightpath',
      type: 'face2face',
      course: 'Basic life support',
      price_pence: 4550,
      vat_rate: 20,
      seats: 1,
      months: null,
    },
    title: 'Basic life support, half a day',
    about: 'Hands-on with manikins and a training defibrillator, for groups of up to twelve. In our rooms or in yours.',
  },
  {
    ...{
      key: 'first-aid',
      provider: 'brightpath',
      type: 'face2face',
      course: 'Emergency first aid at work',
      price_pence: 8500,
      vat_rate: 20,
      seats: 1,
      months: null,
    },
    title: 'Emergency first aid at work, one day',
    about: 'Everything that a first aider in a service needs, with an assessment in the afternoon.',
  },
  {
    ...{
      key: 'medication',
      provider: 'brightpath',
      type: 'face2face',
      course: 'Medication administration',
      price_pence: 49_500,
      vat_rate: 20,
      seats: 12,
      months: null,
    },
    title: 'Medication administration, a day for your team',
    about: 'A whole day for up to twelve people with your own charts, so that what is practised is what is used.',
  },
  {
    ...{ key: 'fire', provider: 'lantern', type: 'elearning', course: 'Fire safety', price_pence: 9900, vat_rate: 20, seats: 10, months: 12 },
    title: 'Fire safety, 10 licences',
    about: 'Twenty minutes with a film and a quiz. For everybody who works in a service, every year.',
  },
  {
    ...{
      key: 'safeguarding',
      provider: 'lantern',
      type: 'elearning',
      course: 'Safeguarding adults',
      price_pence: 39_000,
      vat_rate: 20,
      seats: null,
      months: 12,
    },
    title: 'Safeguarding adults for your whole organisation',
    about: 'For everybody who works with you, as many as they are, for a year.',
  },
  {
    ...{ key: 'nutrition', provider: 'lantern', type: 'elearning', course: 'Nutrition and hydration', price_pence: 6900, vat_rate: 20 },
    ...{ seats: 5, months: 12, title: 'Nutrition and hydration, 5 licences', about: 'A quarter of an hour for people who cook or serve meals.' },
  },
] as const;
const learners = ['grace.adeyemi', 'sunita.patel', 'megan.davies', 'liam.murphy', 'sophie.turner'];

/** What Brightpath and the platform offer, and what Willowbrook has ordered of it: an order in each state, one with its licences half used. */
export const fillWithOrders = async (tx: Db, now: Date): Promise<void> => {
  const before = (days: number) => new Date(now.getTime() - days * day);
  const [manager, admin] = [demoId('user:manager@willowbrook.test'), demoId('user:admin@willowbrook.test')];
  for (const item of items) {
    const confirmedBy = demoId(item.provider === 'brightpath' ? 'user:admin@brightpath.test' : 'user:super@lantern.test');
    await tx.run(sql`insert into marketplace_items (id, entity_id, type, course_id, title, description, price_pence, vat_rate, seats, licence_months, platform_share, published, available_to, created_by, created_at, changed_at)
      values (${demoId(`item:${item.key}`)}, ${demoId(`entity:${item.provider}`)}, ${item.type}, ${demoId(`course:${item.course}`)}, ${item.title}, ${item.about}, ${item.price_pence}, ${item.vat_rate},
        ${item.seats}, ${item.months}, ${item.provider === 'brightpath' ? 15 : 100}, true, 'all', ${confirmedBy}, ${before(90)}, ${before(90)})`);
  }
  const year = now.getUTCFullYear();
  await tx.run(
    sql`insert into training_budgets (entity_id, year, amount_pence, changed_by, changed_at) values (${demoId('entity:group')}, ${year}, 600000, ${admin}, ${before(200)})`,
  );
  /** What became of an order: which step, by whom, how many days ago. The order belongs to the care home and was made by its manager. */
  type OrderStory = { days: number; reference: string; state: OrderState; reason?: string };
  type Taken = [OrderStep, string, number];
  const stepsOf = ({ days, state }: OrderStory): Taken[] => {
    const submitted: Taken[] = [['submit', manager, days + 1]];
    const approved: Taken[] = [...submitted, ['approve', admin, days]];
    const after: Record<OrderState, Taken[]> = {
      ...{ draft: [], submitted, approved, declined: [...submitted, ['decline', admin, days]] },
      fulfilled: [...approved, ['fulfil', admin, days]],
      cancelled: [...approved, ['cancel', demoId('user:admin@brightpath.test'), days - 2]],
    };
    return after[state];
  };
  const order = async (key: string, itemKey: (typeof items)[number]['key'], quantity: number, story: OrderStory) => {
    const { days, reference, state, reason = '' } = story;
    const item = items.find((i) => i.key === itemKey) ?? items[0];
    const [id, line] = [demoId(`order:${key}`), demoId(`order line:${key}`)];
    const { gross_pence } = lineAmounts({ ...item, quantity, platform_share: 0 });
    const steps = stepsOf(story);
    const approved = steps.some(([step]) => step === 'approve');
    const submitted = state !== 'draft';
    await tx.run(sql`insert into training_orders (id, entity_id, provider_id, state, reference, created_by, created_at, submitted_at, approved_at, gross_pence, budget_entity_id, budget_year)
      values (${id}, ${demoId('entity:home')}, ${demoId(`entity:${item.provider}`)}, ${state}, ${reference}, ${manager}, ${before(days + 1)}, ${submitted ? before(days + 1) : null}, ${approved ? before(days) : null}, ${gross_pence},
        ${submitted ? demoId('entity:group') : null}, ${submitted ? year : null})`);
    await tx.run(sql`insert into training_order_lines (id, order_id, item_id, place, quantity, title, type, course_id, price_pence, vat_rate, seats, licence_months, platform_share)
      select ${line}, ${id}, i.id, 0, ${quantity}, i.title, i.type, i.course_id, i.price_pence, i.vat_rate, i.seats, i.licence_months, i.platform_share from marketplace_items i where i.id = ${demoId(`item:${itemKey}`)}`);
    for (const [step, by, at] of steps)
      await tx.run(
        sql`insert into training_order_steps (id, order_id, step, reason, by_id, at)
          values (${demoId(`order step:${key}:${step}`)}, ${id}, ${step}, ${step === 'decline' || step === 'cancel' ? reason : ''}, ${by}, ${before(at)})`,
      );
    if (!approved || item.seats === null) return;
    const expires = item.months === null ? null : addMonths(before(days).toISOString(), item.months, defaultTimeZone);
    for (let n = 0; n < item.seats * quantity; n++) {
      const holder = state === 'fulfilled' ? learners[n] : undefined;
      await tx.run(sql`insert into training_licences (id, order_id, line_id, entity_id, course_id, for_all, user_id, assigned_by, assigned_at, created_at, expires_at, ended_at)
        values (${demoId(`licence:${key}:${n}`)}, ${id}, ${line}, ${demoId('entity:home')}, ${demoId(`course:${item.course}`)}, false, ${holder ? demoId(`user:${holder}@willowbrook.test`) : null},
          ${holder ? manager : null}, ${holder ? before(days) : null}, ${before(days)}, ${expires}::timestamptz, ${state === 'cancelled' ? before(days - 2) : null}::timestamptz)`);
    }
  };
  await order('fire', 'fire', 1, { days: 40, reference: 'WH-1043', state: 'fulfilled' });
  await order('first-aid', 'first-aid', 8, {
    days: 33,
    reference: 'WH-1047',
    state: 'declined',
    reason: 'Four of them have it from where they worked before.',
  });
  await order('first-aid:fewer', 'first-aid', 4, { days: 30, reference: 'WH-1048', state: 'cancelled', reason: 'The trainer is ill for longer.' });
  await order('medication', 'medication', 1, { days: 12, reference: 'WH-1056', state: 'approved' });
  await order('life-support', 'life-support', 6, { days: 1, reference: 'WH-1061', state: 'submitted' });
  await order('first-aid:again', 'first-aid', 2, { days: 0, reference: '', state: 'draft' });
};
