import { describe, expect, it } from 'vitest';
import type { ScormActivity, ScormManifest } from '#contract/entities/package.ts';
import { isSequenced } from '#contract/rules/is-sequenced.ts';
import { type Step, sequencedCourse } from '#player/scorm/sequenced-course.ts';
import { readScormManifest } from '#server/features/packages/scorm-manifest.ts';

type Part = { id: string; rules?: string; parts?: Part[]; more?: string };
const control = (flags: string) => `<imsss:controlMode ${flags}/>`;
const flows = control('choice="true" flow="true"');
const itemOf = ({ id, rules = '', parts, more = '' }: Part): string =>
  `<item identifier="${id}"${parts ? '' : ' identifierref="r"'}><title>${id}</title>${(parts ?? []).map(itemOf).join('')}<imsss:sequencing>${rules}</imsss:sequencing>${more}</item>`;
const rule = (kind: 'pre' | 'post' | 'exit', condition: string, action: string) =>
  `<imsss:${kind}ConditionRule><imsss:ruleConditions><imsss:ruleCondition ${condition}/></imsss:ruleConditions><imsss:ruleAction action="${action}"/></imsss:${kind}ConditionRule>`;
const rules = (...all: string[]) => `<imsss:sequencingRules>${all.join('')}</imsss:sequencingRules>`;
const objective = (id: string, map = '', more = '') => `<imsss:primaryObjective objectiveID="${id}"${more}>${map}</imsss:primaryObjective>`;
const objectives = (...all: string[]) => `<imsss:objectives>${all.join('')}</imsss:objectives>`;
const writes = (target: string) => `<imsss:mapInfo targetObjectiveID="${target}" writeSatisfiedStatus="true"/>`;
const reads = (target: string) => `<imsss:mapInfo targetObjectiveID="${target}"/>`;

const manifestOf = (parts: Part[], root = flows, organisation = '', ids = { organisation: 'o', chosen: 'o', reference: 'r' }): ScormManifest =>
  readScormManifest(
    Buffer.from(`<?xml version="1.0"?><manifest identifier="m" version="1" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xmlns:adlseq="http://www.adlnet.org/xsd/adlseq_v1p3" xmlns:imsss="http://www.imsglobal.org/xsd/imsss">
      <metadata><schema>ADL SCORM</schema><schemaversion>2004 4th Edition</schemaversion></metadata>
      <organizations default="${ids.chosen}"><organization identifier="other"><title>Another</title><item identifier="x" identifierref="r"><title>X</title></item></organization><organization identifier="${ids.organisation}"${organisation}><title>Course</title>${parts.map(itemOf).join('')}<imsss:sequencing>${root}</imsss:sequencing></organization></organizations>
      <resources><resource identifier="${ids.reference}" type="webcontent" adlcp:scormType="sco" href="a.html"><file href="a.html"/></resource></resources></manifest>`),
    new Set(['a.html']),
  ).manifest;

type Words = Record<string, string>;
/** A learner in a course: what is shown, what its SCO reports, and where the learner navigates. */
const learner = (manifest: ScormManifest, from: Words | null = null) => {
  let shown: ScormActivity | null = null;
  const course = sequencedCourse(manifest, from, (activity) => {
    if (activity) shown = activity;
    else if (course.ended()) shown = null;
  });
  const api = course.api as unknown as {
    Initialize(v: string): string;
    Terminate(v: string): string;
    SetValue(n: string, v: string): string;
    GetValue(n: string): string;
  };
  const kept = new Map<string, { cmi: Words; seconds: number }>();
  const here = () => shown?.id ?? null;
  let leave = (): void => undefined;

  const open = () => {
    if (!shown) return null;
    const { id } = shown;
    const runTime = course.launch({ activity: shown, learner: { id: 'l', name: 'Learner' }, before: kept.get(id) ?? null });
    api.Initialize('');
    leave = () => {
      if (course.api.isInitialized()) api.Terminate('');
      const seconds = (kept.get(id)?.seconds ?? 0) + (runTime.reportedSeconds() ?? 0);
      kept.set(id, { cmi: runTime.cmi(), seconds });
    };
    return id;
  };
  const self = {
    manifest,
    leave: () => leave(),
    course,
    kept,
    here,
    api,
    start: (at?: string) => {
      course.start(at);
      return open();
    },
    /** The SCO says this and ends; it may ask for what comes next. */
    says: (words: Words) => {
      for (const [name, value] of Object.entries(words)) expect(api.SetValue(name, value), `${name}=${value}`).toBe('true');
      leave();
      return course.ended() ? null : open();
    },
    asks: (step: Step) => {
      course.step(step, leave);
      return course.ended() ? null : open();
    },
  };
  return self;
};
const next = { 'adl.nav.request': 'continue' };
const passed = { 'cmi.success_status': 'passed', ...next };
const failed = { 'cmi.success_status': 'failed', ...next };
const parts = (...ids: string[]): Part[] => ids.map((id) => ({ id }));

describe('a course with rules', () => {
  it('flows from part to part, back again, and ends after the last', () => {
    const one = learner(manifestOf([{ id: 'a' }, { id: 'group', rules: flows, parts: parts('b', 'c') }]));
    expect(one.start()).toBe('a');
    expect(one.says(next)).toBe('b');
    expect(one.asks({ to: 'back' })).toBe('a');
    expect(one.asks({ to: 'forward' })).toBe('b');
    expect(one.says(next)).toBe('c');
    expect(one.course.ways()).toMatchObject({ forward: true, back: true });
    expect(one.says(next)).toBeNull();
    expect(one.course.ended()).toBe(true);
    expect(one.course.facts()).toMatchObject({ completion: 'completed', success: 'passed', percent: 100 });
  });

  it('takes what the person asks for before what the SCO asks for while it ends', () => {
    const one = learner(manifestOf(parts('a', 'b', 'c')));
    one.start();
    one.api.SetValue('adl.nav.request', 'continue');
    expect(one.asks({ to: 'activity', id: 'c' })).toBe('c');
  });

  it('skips what is known from elsewhere in the course, and only then', () => {
    const manifest = manifestOf([
      { id: 'test', rules: objectives(objective('t', writes('known'))) },
      { id: 'lesson', rules: rules(rule('pre', 'condition="satisfied"', 'skip')) + objectives(objective('l', reads('known'))) },
      { id: 'end' },
    ]);
    const knows = learner(manifest);
    knows.start();
    expect(knows.says(passed)).toBe('end');
    const learns = learner(manifest);
    learns.start();
    expect(learns.says(failed)).toBe('lesson');
  });

  it('keeps what its parts share over attempts at it, unless it says that each begins without', () => {
    const course = (organisation: string) =>
      manifestOf(
        [
          { id: 'test', rules: `${objectives(objective('t', writes('known')))}<imsss:deliveryControls objectiveSetByContent="true"/>` },
          { id: 'lesson', rules: rules(rule('pre', 'condition="satisfied"', 'skip')) + objectives(objective('l', reads('known'))) },
          { id: 'end' },
        ],
        flows,
        organisation,
      );
    for (const [organisation, second] of [
      ['', 'end'],
      [' adlseq:objectivesGlobalToSystem="false"', 'lesson'],
    ] as const) {
      const manifest = course(organisation);
      const first = learner(manifest);
      first.start();
      expect(first.says(passed)).toBe('end');
      first.asks({ to: 'end' });
      const again = learner(manifest, first.course.facts().cmi);
      expect(again.start()).toBe('test');
      expect(again.asks({ to: 'forward' }), organisation).toBe(second);
    }
  });

  it('opens from its contents what its rules allow and nothing else', () => {
    const one = learner(
      manifestOf([
        { id: 'a' },
        { id: 'hidden', rules: rules(rule('pre', 'condition="always"', 'hiddenFromChoice')) },
        { id: 'later', rules: `${control('flow="true"')}<adlseq:constrainedChoiceConsiderations preventActivation="true"/>`, parts: parts('x', 'y') },
        { id: 'off', rules: rules(rule('pre', 'condition="always"', 'disabled')) },
        { id: 'closed', rules: control('choice="false" flow="true"'), parts: parts('z') },
      ]),
    );
    one.start();
    const open = one.course.ways().choices;
    expect([...open].filter((id) => ['a', 'hidden', 'x', 'later', 'off', 'z', 'closed'].includes(id)).sort()).toEqual(['a', 'closed', 'later']);
    expect(one.asks({ to: 'activity', id: 'later' })).toBe('x');
    expect(one.asks({ to: 'activity', id: 'y' })).toBe('y');
  });

  it('goes forward only where it says so, and stays where choosing on is stopped', () => {
    const one = learner(
      manifestOf(
        [{ id: 'a' }, { id: 'b', rules: rules(rule('pre', 'operator="not" condition="attempted"', 'stopForwardTraversal')) }, { id: 'c' }],
        control('choice="true" flow="true" forwardOnly="true"'),
      ),
    );
    one.start();
    expect(one.course.ways().back).toBe(false);
    expect(one.course.ways().choices.has('c')).toBe(false);
    expect(one.says(next)).toBe('b');
    expect(one.course.ways().choices.has('c')).toBe(true);
    expect(one.says(next)).toBe('c');
    expect(one.course.ways().back).toBe(false);
  });

  it('repeats what was not passed, leaves a group by its exit rule, and ends when it is told to', () => {
    const one = learner(
      manifestOf([
        {
          id: 'group',
          rules:
            flows +
            rules(rule('exit', 'condition="satisfied"', 'exit')) +
            '<imsss:rollupRules><imsss:rollupRule childActivitySet="any"><imsss:rollupConditions><imsss:rollupCondition condition="satisfied"/></imsss:rollupConditions><imsss:rollupAction action="satisfied"/></imsss:rollupRule></imsss:rollupRules>',
          parts: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
        },
        {
          id: 'check',
          rules: rules(rule('post', 'operator="not" condition="satisfied"', 'retry'), rule('post', 'condition="satisfied"', 'exitAll')),
        },
        { id: 'never' },
      ]),
    );
    one.start();
    expect(one.says(failed)).toBe('b');
    expect(one.says(passed)).toBe('check');
    expect(one.says(failed)).toBe('check');
    expect(one.api.GetValue('cmi.success_status')).toBe('unknown');
    expect(one.says(passed)).toBeNull();
    expect(one.course.ended()).toBe(true);
  });

  it('gathers scores by weight, and takes what is unknown neither as reached nor as missed', () => {
    const weighing = (weight: number, by = '') => `<imsss:rollupRules objectiveMeasureWeight="${weight}"/>${by}`;
    const one = learner(
      manifestOf(
        [
          { id: 'a', rules: weighing(3) },
          { id: 'b', rules: weighing(1) },
        ],
        flows +
          objectives(
            '<imsss:primaryObjective satisfiedByMeasure="true"><imsss:minNormalizedMeasure>0.7</imsss:minNormalizedMeasure></imsss:primaryObjective>',
          ),
      ),
    );
    one.start();
    one.says({ 'cmi.score.scaled': '0.9', ...next });
    expect(one.course.facts()).toMatchObject({ score: 67.5, success: 'failed' });
    one.says({ 'cmi.score.scaled': '0.1', ...next });
    expect(one.course.facts()).toMatchObject({ score: 70, success: 'passed' });

    const none =
      '<imsss:rollupRules><imsss:rollupRule childActivitySet="none"><imsss:rollupConditions><imsss:rollupCondition condition="satisfied"/></imsss:rollupConditions><imsss:rollupAction action="completed"/></imsss:rollupRule></imsss:rollupRules>';
    const two = learner(manifestOf(parts('a', 'b'), flows + none));
    two.start();
    two.says(failed);
    expect(two.course.facts().completion).toBe('incomplete');
    two.says(failed);
    expect(two.course.facts().completion).toBe('completed');
  });

  it('opens a part no more often than its limit', () => {
    const one = learner(manifestOf([{ id: 'a', rules: '<imsss:limitConditions attemptLimit="1"/>' }, { id: 'b' }]));
    one.start();
    one.says(next);
    expect(one.course.ways().choices.has('a')).toBe(false);
    expect(one.course.ways().back).toBe(false);
  });

  it('is left and gone on with on another device, with what its SCO had noted', () => {
    const manifest = manifestOf(parts('a', 'b'));
    const first = learner(manifest);
    first.start();
    first.says(next);
    first.api.SetValue('cmi.suspend_data', 'page 3');
    first.asks({ to: 'leave' });
    const second = learner(manifest, JSON.parse(JSON.stringify(first.course.facts().cmi)) as Words);
    for (const [id, kept] of first.kept) second.kept.set(id, kept);
    expect(second.start()).toBe('b');
    expect([second.api.GetValue('cmi.entry'), second.api.GetValue('cmi.suspend_data')]).toEqual(['resume', 'page 3']);
    expect(second.says(next)).toBeNull();
    // Begun again, it is another attempt.
    const third = learner(manifest, second.course.facts().cmi);
    for (const [id, kept] of second.kept) third.kept.set(id, kept);
    expect(third.start()).toBe('a');
    expect(third.api.GetValue('cmi.entry')).toBe('ab-initio');
  });

  it('resumes after a tab was closed without notice, and starts again if the stored state cannot be read', () => {
    const manifest = manifestOf(parts('a', 'b'));
    const first = learner(manifest);
    first.start();
    first.says(next);
    expect(learner(manifest, first.course.facts().cmi).start()).toBe('b');
    expect(learner(manifest, { 'state.0': '{"tracking":{}' }).start()).toBe('a');
    expect(learner(manifest, { 'state.0': '{"tracking":{},"shared":{}}' }).start()).toBe('a');
  });

  it('is begun from its contents where it does not flow', () => {
    const one = learner(manifestOf(parts('a', 'b'), control('choice="true" flow="false"')));
    expect(one.start()).toBe('a');
    expect(one.course.ways()).toMatchObject({ forward: false, back: false });
    expect(one.asks({ to: 'activity', id: 'b' })).toBe('b');
  });

  it('tells its SCOs what would be allowed, and shares data between them', () => {
    const data = (flags: string) => `<adlcp:data><adlcp:map targetID="notes"${flags}/></adlcp:data>`;
    const one = learner(
      manifestOf([
        { id: 'a', more: data('') },
        { id: 'b', more: data(' writeSharedData="false"') },
      ]),
    );
    one.start();
    expect(one.api.GetValue('adl.nav.request_valid.continue')).toBe('true');
    expect(one.api.GetValue('adl.nav.request_valid.previous')).toBe('false');
    expect(one.api.GetValue('adl.nav.request_valid.choice.{target=b}')).toBe('true');
    one.api.SetValue('adl.data.0.store', 'from a');
    one.says(next);
    expect(one.api.GetValue('adl.data.0.store')).toBe('from a');
    expect(one.api.SetValue('adl.data.0.store', 'from b')).toBe('false');
  });

  it('leaves what a SCO is silent about as the course knows it: a shared failure is not made a success', () => {
    const one = learner(
      manifestOf([
        { id: 'a', rules: objectives(objective('p', writes('shared'))) },
        { id: 'b', rules: objectives(objective('p', '<imsss:mapInfo targetObjectiveID="shared" writeSatisfiedStatus="true"/>')) },
        { id: 'c', rules: objectives(objective('p', reads('shared'))) },
      ]),
    );
    one.start();
    one.says(failed);
    expect(one.says(next)).toBe('c');
    expect(one.api.GetValue('cmi.objectives.0.success_status')).toBe('failed');
    expect(one.says(next)).toBeNull();
    expect(one.course.facts().success).toBe('failed');
  });

  it('leaves completion as the course knows it, too', () => {
    const adl = (flags: string) =>
      `${objectives(objective('p'))}<adlseq:objectives><adlseq:objective objectiveID="p"><adlseq:mapInfo targetObjectiveID="shared" ${flags}/></adlseq:objective></adlseq:objectives>`;
    const one = learner(
      manifestOf([
        { id: 'a', rules: adl('readCompletionStatus="false" readProgressMeasure="false" writeCompletionStatus="true"') },
        { id: 'b', rules: adl('writeCompletionStatus="true"') },
        { id: 'c', rules: adl('') },
      ]),
    );
    one.start();
    one.says({ 'cmi.completion_status': 'incomplete', ...next });
    expect(one.says(next)).toBe('c');
    expect(one.api.GetValue('cmi.objectives.0.completion_status')).toBe('incomplete');
  });

  it('takes a completion that is shared as it was reached, whatever the threshold of who reads it', () => {
    const adl = (flags: string) =>
      `${objectives(objective('p'))}<adlseq:objectives><adlseq:objective objectiveID="p"><adlseq:mapInfo targetObjectiveID="shared" ${flags}/></adlseq:objective></adlseq:objectives>`;
    const threshold = (least: string) => `<adlcp:completionThreshold completedByMeasure="true" minProgressMeasure="${least}"/>`;
    const one = learner(
      manifestOf([
        {
          id: 'a',
          rules: adl('readCompletionStatus="false" readProgressMeasure="false" writeCompletionStatus="true" writeProgressMeasure="true"'),
          more: threshold('0.4'),
        },
        // Readers of the amount decide by it; readers of the completion alone use that.
        { id: 'b', rules: rules(rule('pre', 'operator="not" condition="completed"', 'skip')) + adl(''), more: threshold('0.9') },
        { id: 'c', rules: rules(rule('pre', 'condition="completed"', 'skip')) + adl('readProgressMeasure="false"'), more: threshold('0.9') },
        { id: 'd' },
      ]),
    );
    one.start();
    expect(one.says({ 'cmi.progress_measure': '0.5', ...next })).toBe('d');
  });

  it('knows nothing of a completion whose amount it reads and decides by, where no amount was reported', () => {
    const adl = (flags: string) =>
      `${objectives(objective('p'))}<adlseq:objectives><adlseq:objective objectiveID="p"><adlseq:mapInfo targetObjectiveID="shared" ${flags}/></adlseq:objective></adlseq:objectives>`;
    const threshold = '<adlcp:completionThreshold completedByMeasure="true" minProgressMeasure="0.4"/>';
    const unlessKnown = rules(rule('pre', 'operator="not" condition="activityProgressKnown"', 'skip'));
    const one = learner(
      manifestOf([
        { id: 'a', rules: adl('readCompletionStatus="false" readProgressMeasure="false" writeCompletionStatus="true" writeProgressMeasure="true"') },
        { id: 'b', rules: unlessKnown + adl(''), more: threshold },
        { id: 'c', rules: unlessKnown + adl('') },
      ]),
    );
    one.start();
    expect(one.says({ 'cmi.completion_status': 'completed', ...next })).toBe('c');
  });

  it('begins another attempt at the course without what its parts shared before the rules are asked where it begins', () => {
    const course = (organisation: string) =>
      manifestOf(
        [
          { id: 'first', rules: rules(rule('pre', 'condition="satisfied"', 'skip')) + objectives(objective('f', reads('known'))) },
          { id: 'test', rules: rules(rule('post', 'condition="always"', 'exitParent')) + objectives(objective('t', writes('known'))) },
        ],
        flows + rules(rule('post', 'condition="always"', 'retry')),
        organisation,
      );
    const forgetful = learner(course(' adlseq:objectivesGlobalToSystem="false"'));
    forgetful.start();
    expect(forgetful.says(next)).toBe('test');
    forgetful.api.SetValue('cmi.success_status', 'passed');
    expect(forgetful.says({})).toBe('first');
    const keeping = learner(course(''));
    keeping.start();
    keeping.says(next);
    keeping.api.SetValue('cmi.success_status', 'passed');
    expect(keeping.says({})).toBe('test');
    // Left at its end and opened again, it is another attempt, too.
    const ends = (organisation: string) =>
      learner(
        manifestOf(
          [
            { id: 'first', rules: rules(rule('pre', 'condition="satisfied"', 'skip')) + objectives(objective('f', reads('known'))) },
            { id: 'test', rules: objectives(objective('t', writes('known'))) },
          ],
          flows,
          organisation,
        ),
      );
    for (const [organisation, then] of [
      ['', 'test'],
      [' adlseq:objectivesGlobalToSystem="false"', 'first'],
    ] as const) {
      const one = ends(organisation);
      one.start();
      one.says(next);
      one.api.SetValue('cmi.success_status', 'passed');
      expect(one.says(next)).toBeNull();
      expect(one.start(), organisation).toBe(then);
    }
  });

  it('shows something when it is opened again, wherever and however it was left', () => {
    const choice = learner(manifestOf(parts('a', 'b', 'c'), control('choice="true" flow="false"')));
    choice.start();
    choice.asks({ to: 'activity', id: 'b' });
    // Its page ended by itself, without asking for anything.
    choice.leave();
    expect(learner(choice.manifest, choice.course.facts().cmi).start()).toBe('b');
    choice.asks({ to: 'leave' });
    expect(learner(choice.manifest, choice.course.facts().cmi).start()).toBe('b');

    const once = '<imsss:limitConditions attemptLimit="1"/>';
    const flow = learner(manifestOf([{ id: 'a', rules: once }, { id: 'b' }, { id: 'c' }], control('choice="false" flow="true"')));
    flow.start();
    flow.says(next);
    flow.leave();
    expect(learner(flow.manifest, flow.course.facts().cmi).start()).toBe('b');
  });

  it('knows objectives by what their identifiers stand for, however they are written', () => {
    const one = learner(
      manifestOf([
        {
          id: 'a',
          rules: objectives(
            '<imsss:primaryObjective/>',
            '<imsss:objective objectiveID=" my%20objective  1 "><imsss:mapInfo targetObjectiveID="shared" writeSatisfiedStatus="true"/></imsss:objective>',
          ),
        },
        {
          id: 'b',
          rules:
            rules(rule('pre', 'referencedObjective="my objective%201" condition="satisfied"', 'skip')) +
            objectives(
              '<imsss:primaryObjective/>',
              '<imsss:objective objectiveID="my objective 1"><imsss:mapInfo targetObjectiveID="shared"/></imsss:objective>',
            ),
        },
        { id: 'c' },
      ]),
    );
    one.start();
    expect(one.api.GetValue('cmi.objectives.0.id')).toBe('my%20objective 1');
    expect(one.says({ 'cmi.objectives.0.success_status': 'passed', 'cmi.success_status': 'failed', ...next })).toBe('c');
    expect(one.api.GetValue('cmi.objectives._count')).toBe('0');
  });

  it('finds its organisation by an identifier with blanks around it, and its items and resources', () => {
    const manifest = manifestOf([{ id: '&#32;a ' }, { id: 'b' }], flows, '', { organisation: '&#10;o&#32;', chosen: 'o&#x9;', reference: '&#32;r' });
    expect(manifest.activities.map((a) => a.id)).toEqual(['a', 'b']);
    expect(manifest.title).toBe('Course');
    // The course itself is known by that identifier.
    const one = learner(manifest);
    one.start();
    one.says(next);
    expect(one.api.GetValue('adl.nav.request_valid.choice.{target=o}')).toBe('true');
    expect(one.says({ 'adl.nav.request': '{target=o}choice' })).toBe('a');
  });

  it('loses no fraction of a second of the time that a part took', () => {
    const one = learner(manifestOf(parts('a', 'b')));
    one.start();
    for (const [said, total] of [
      ['PT1.25S', 'PT1.25S'],
      ['PT0.5S', 'PT1.75S'],
      ['PT10.01S', 'PT11.76S'],
      ['PT0.25S', 'PT12.01S'],
    ]) {
      one.api.SetValue('cmi.session_time', said as string);
      one.api.SetValue('cmi.exit', 'suspend');
      one.asks({ to: 'leave' });
      one.start();
      expect(one.api.GetValue('cmi.total_time')).toBe(total);
    }
    // What is counted is whole seconds, and never more than half a second beside the truth.
    expect(one.kept.get('a')?.seconds).toBe(12);
  });

  it('is known by its rules', () => {
    expect(isSequenced(manifestOf(parts('a', 'b')))).toBe(true);
    expect(isSequenced(manifestOf(parts('a', 'b'), control('choice="true"')))).toBe(false);
    expect(isSequenced(manifestOf(parts('a')))).toBe(false);
    expect(isSequenced({ ...manifestOf(parts('a', 'b')), standard: '1.2' })).toBe(false);
  });
});
