import { demoTemplate } from '#tests/support/demo-folder.ts';

/** Creates the demo data once, before the first browser test. */
export default async () => {
  await demoTemplate(true);
};
