import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { QuestionFile } from '#contract/entities/question-file.ts';
import { readGift } from '#server/features/content-creator/reading/gift.ts';
import { textOfHtml } from '#server/features/content-creator/reading/html-text.ts';
import { readQuestionFile } from '#server/features/content-creator/reading/read-question-file.ts';
import { zip } from '#tests/support/archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'questions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const readBytes = (bytes: Buffer | string): Promise<QuestionFile> => {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  return readQuestionFile({ path });
};
const refusal = (bytes: Buffer | string): Promise<string> =>
  readBytes(bytes).then(
    () => 'taken',
    (error: { fields?: { file: string[] }; problems?: { problem: string }[] }) =>
      error.fields?.file[0] ?? error.problems?.[0]?.problem ?? String(error),
  );
/** The one question of a file in GIFT. */
const gift = async (text: string) => {
  const { questions } = await readBytes(text);
  expect(questions).toHaveLength(1);
  const [found] = questions;
  if (!found) throw new Error('none');
  return found;
};

describe('a question in GIFT', () => {
  it.each([
    [
      'one right answer',
      'Who?{=Ann#Yes! ~Bob#No, he is not.####She was first.}',
      {
        kind: 'single',
        prompt: 'Who?',
        feedback: 'She was first.',
        options: [
          { text: 'Ann', correct: true, feedback: 'Yes!' },
          { text: 'Bob', correct: false, feedback: 'No, he is not.' },
        ],
      },
    ],
    [
      'several right answers',
      'Which?{~%50%Soap ~%50%Water ~%-100%Sand}',
      {
        kind: 'multiple',
        options: [
          { text: 'Soap', correct: true },
          { text: 'Water', correct: true },
          { text: 'Sand', correct: false },
        ],
      },
    ],
    [
      'true or false',
      '::Gloves::Gloves replace washing.{FALSE####Never.}',
      { kind: 'true_false', correct: false, prompt: 'Gloves replace washing.', feedback: 'Never.' },
    ],
    ['a word', 'What do you use?{=soap =Soap}', { kind: 'fill_gap', segments: [{ gap: 'g1', accepted: ['soap', 'Soap'] }] }],
    ['a word without a sign', 'What do you use? {soap}', { kind: 'fill_gap', segments: [{ accepted: ['soap'] }] }],
    [
      'a word within a sentence',
      'Wash your {=hands} before meals.',
      { kind: 'fill_gap', prompt: 'Fill in the gaps.', segments: ['Wash your ', { accepted: ['hands'] }, ' before meals.'] },
    ],
    ['a choice within a sentence', 'Wash for {~5 =20} seconds.', { kind: 'single', prompt: 'Wash for _____ seconds.' }],
    [
      'pairs',
      'Match.{=cat -> feline\n\n=dog -> canine}',
      {
        kind: 'match',
        pairs: [
          { left: 'cat', right: 'feline' },
          { left: 'dog', right: 'canine' },
        ],
      },
    ],
    ['a number', 'How many?{#20}', { kind: 'fill_gap', segments: [{ accepted: ['20'] }] }],
    ['a text', 'Why?{}', { kind: 'free_text', min_words: 0 }],
    [
      'signs that are none',
      'Is 1 \\= 1 \\{or not\\}?\\nSay.{=yes \\~ no ~no}',
      { prompt: 'Is 1 = 1 {or not}?\nSay.', options: [{ text: 'yes ~ no' }, { text: 'no' }] },
    ],
    [
      'HTML',
      '[html]<p>Wash&nbsp;<b>your</b> hands</p><script>alert(1)</script>{=<i>Yes</i> ~No}',
      { prompt: 'Wash your hands', options: [{ text: 'Yes' }, { text: 'No' }] },
    ],
  ])('has %s', async (_, text, expected) => {
    const { question, why } = await gift(text as string);
    expect(why).toBeNull();
    expect(question).toMatchObject(expected as object);
    expect(AuthoredQuestion.safeParse(question).success).toBe(true);
  });

  it.each([
    ['When?{#1822:2}', 'A numerical answer with a range has no counterpart here.'],
    ['When?{#1..5}', 'A numerical answer with a range has no counterpart here.'],
    ['Read this first.', 'It is a text without a question. Put it into a topic.'],
    ['Who?{=Ann', 'One of its braces { } is missing.'],
    ['Who?{=Ann =Eve ~Bob}', 'Several of its answers are each right alone. Here one is right, or all have to be chosen.'],
    ['Who?{~Ann ~Bob}', 'It does not say which answer is right.'],
    ['Match.{=cat -> animal =dog -> animal}', 'A quiz cannot have it as it is: Two pairs have the same right side: nobody could tell them apart.'],
    [`${'x'.repeat(2001)}{T}`, 'A quiz cannot have it as it is: Use no more than 2,000 characters.'],
    ['[html]Which?{=<img src\\="a.png"> ~No}', 'One of its answers has no text: here answers are words.'],
  ])('says of %s why it cannot be taken', async (text, why) => {
    const all = await readBytes(`Fine?{T}\n\n${text}`);
    expect(all.questions.map((q) => [q.place, q.why])).toEqual([
      ['question 1', null],
      ['question 2', why],
    ]);
  });

  it('says what of it is left behind', async () => {
    expect((await gift('Hands are clean.{TRUE#No, look again#Right}')).notes).toEqual([
      'What is said about a wrong answer is left behind: “No, look again”',
      'What is said about a right answer is left behind: “Right”',
    ]);
    expect((await gift('[html]Look: <img src\\="x.png" alt\\="A sink">{=a ~%50%b ~c}')).notes).toEqual([
      'One picture is left behind (“A sink”): not in this file. Add it by hand if the question needs it.',
      'Part of the marks for “b” is left behind: it counts as wrong.',
    ]);
    expect((await readBytes('$CATEGORY: hands\n\n// a remark\nFine?{T}')).notes).toEqual([
      'Categories are left behind: questions of a quiz have none.',
    ]);
  });

  it('is found again after one whose brace was never closed', async () => {
    const { questions } = await readBytes('::One::Who?{=Ann\n\n::Two::Fine?{T}');
    expect(questions.map((q) => q.why)).toEqual(['One of its braces { } is missing.', null]);
  });
});

const moodle = (type: string, inside: string) =>
  `<?xml version="1.0"?><quiz><question type="category"><category><text>x</text></category></question><question type="${type}"><name><text>Named</text></name>${inside}</question></quiz>`;
const asked = '<questiontext format="html"><text><![CDATA[<p>What is <b>right</b>?</p>]]></text></questiontext>';
const answer = (fraction: number, text: string, feedback = '') =>
  `<answer fraction="${fraction}"><text>${text}</text><feedback><text>${feedback}</text></feedback></answer>`;

describe('a question in Moodle XML', () => {
  it.each([
    [
      'multichoice',
      `${asked}<single>true</single>${answer(100, 'Soap', 'Yes')}${answer(0, 'Sand')}`,
      { kind: 'single', prompt: 'What is right?', options: [{ text: 'Soap', correct: true, feedback: 'Yes' }, { text: 'Sand' }] },
    ],
    [
      'multichoice',
      `${asked}<single>false</single>${answer(50, 'A')}${answer(50, 'B')}${answer(-100, 'C')}`,
      { kind: 'multiple', options: [{ correct: true }, { correct: true }, { correct: false }] },
    ],
    [
      'truefalse',
      `${asked}${answer(0, 'true')}${answer(100, 'false')}<generalfeedback><text>So.</text></generalfeedback>`,
      { kind: 'true_false', correct: false, feedback: 'So.' },
    ],
    ['shortanswer', `${asked}${answer(100, 'soap')}${answer(0, '*')}`, { kind: 'fill_gap', segments: [{ accepted: ['soap'] }] }],
    [
      'matching',
      `${asked}<subquestion><text>cat</text><answer><text>feline</text></answer></subquestion><subquestion><text>dog</text><answer><text>canine</text></answer></subquestion>`,
      { kind: 'match', pairs: [{ left: 'cat', right: 'feline' }, {}] },
    ],
    ['ordering', `${asked}${answer(1, 'Wet')}${answer(2, 'Soap')}`, { kind: 'order', items: [{ text: 'Wet' }, { text: 'Soap' }] }],
    ['essay', `${asked}<minwordlimit>30</minwordlimit>`, { kind: 'free_text', min_words: 30 }],
    [
      'gapselect',
      '<questiontext format="html"><text>The [[2]] sat.</text></questiontext><selectoption><text>dog</text><group>1</group></selectoption><selectoption><text>cat</text><group>1</group></selectoption>',
      { kind: 'fill_gap', segments: ['The ', { accepted: ['cat'] }, ' (cat / dog) sat.'] },
    ],
    [
      'gapfill',
      '<questiontext format="html"><text>Wash [hands|fingers] often.</text></questiontext>',
      { kind: 'fill_gap', segments: ['Wash ', { accepted: ['hands', 'fingers'] }, ' often.'] },
    ],
    [
      'cloze',
      '<questiontext><text>Use {1:SHORTANSWER:=soap~%0%sand#No} and {1:MULTICHOICE:=water~oil}.</text></questiontext>',
      { kind: 'fill_gap', segments: ['Use ', { accepted: ['soap'] }, 'and ', { accepted: ['water'] }, ' (oil / water) .'] },
    ],
  ])('of the kind %s is taken', async (type, inside, expected) => {
    const { questions, notes } = await readBytes(moodle(type as string, inside as string));
    expect(questions.map((q) => q.why)).toEqual([null]);
    expect(questions[0]?.question).toMatchObject(expected as object);
    expect(notes).toEqual(['Categories are left behind: questions of a quiz have none.']);
  });
  it('says why it cannot be taken, and what is left behind', async () => {
    const numerical = await readBytes(moodle('numerical', `${asked}<answer fraction="100"><text>4</text><tolerance>1</tolerance></answer>`));
    expect(numerical.questions[0]).toMatchObject({ why: 'A numerical answer with a range has no counterpart here.', answers: 1 });
    const unknown = await readBytes(moodle('wizardry', asked));
    expect(unknown.questions[0]?.why).toBe('A question of the kind “wizardry” has no counterpart here.');
    const more = `${asked}<defaultgrade>3</defaultgrade><incorrectfeedback><text>Think of germs.</text></incorrectfeedback><hint><text>It foams.</text></hint>${answer(100, 'Soap')}${answer(20, 'Water')}`;
    expect((await readBytes(moodle('multichoice', more))).questions[0]?.notes).toEqual([
      'Part of the marks for “Water” is left behind: it counts as wrong.',
      'What is said to wrong answers is left behind: “Think of germs.”',
      'A hint is left behind: “It foams.”',
      'It counted 3 marks. Here every question counts alike.',
    ]);
  });
});

const item = (declared: string, body: string, more = '', head = '') =>
  `<?xml version="1.0"?><assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="Named" adaptive="false" ${head}>${declared}<itemBody>${body}</itemBody>${more}</assessmentItem>`;
const response = (values: string[], cardinality = 'single', id = 'R') =>
  `<responseDeclaration identifier="${id}" cardinality="${cardinality}" baseType="identifier"><correctResponse>${values.map((v) => `<value>${v}</value>`).join('')}</correctResponse></responseDeclaration>`;
const choices =
  '<simpleChoice identifier="a">Soap <feedbackInline identifier="a" outcomeIdentifier="F">Yes</feedbackInline></simpleChoice><simpleChoice identifier="b">Sand</simpleChoice>';

describe('an item of QTI 2', () => {
  it.each([
    [
      'one choice',
      item(
        response(['a']),
        `<p>Look.</p><choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>Which?</prompt>${choices}</choiceInteraction>`,
      ),
      {
        kind: 'single',
        prompt: 'Look.\nWhich?',
        options: [
          { text: 'Soap', correct: true, feedback: 'Yes' },
          { text: 'Sand', correct: false },
        ],
      },
    ],
    [
      'several choices',
      item(
        response(['a', 'b'], 'multiple'),
        `<choiceInteraction responseIdentifier="R" maxChoices="0"><prompt>Which?</prompt>${choices}</choiceInteraction>`,
      ),
      { kind: 'multiple', options: [{ correct: true }, { correct: true }] },
    ],
    [
      'an order',
      item(response(['b', 'a'], 'ordered'), `<orderInteraction responseIdentifier="R"><prompt>In order</prompt>${choices}</orderInteraction>`),
      { kind: 'order', items: [{ text: 'Sand' }, { text: 'Soap' }] },
    ],
    [
      'pairs',
      item(
        response(['a x', 'b y'], 'multiple'),
        '<matchInteraction responseIdentifier="R"><prompt>Match</prompt><simpleMatchSet><simpleAssociableChoice identifier="a">cat</simpleAssociableChoice><simpleAssociableChoice identifier="b">dog</simpleAssociableChoice></simpleMatchSet><simpleMatchSet><simpleAssociableChoice identifier="y">canine</simpleAssociableChoice><simpleAssociableChoice identifier="x">feline</simpleAssociableChoice></simpleMatchSet></matchInteraction>',
      ),
      {
        kind: 'match',
        pairs: [
          { left: 'cat', right: 'feline' },
          { left: 'dog', right: 'canine' },
        ],
      },
    ],
    [
      'typed words',
      item(
        `${response(['hands'])}${response(['20'], 'single', 'S')}`,
        '<p>Wash your <textEntryInteraction responseIdentifier="R"/> for <textEntryInteraction responseIdentifier="S"/> seconds.</p>',
      ),
      { kind: 'fill_gap', prompt: 'Named', segments: ['Wash your ', { accepted: ['hands'] }, ' for ', { accepted: ['20'] }, ' seconds.'] },
    ],
    [
      'a list within a text',
      item(
        response(['y']),
        '<p>Wash for <inlineChoiceInteraction responseIdentifier="R"><inlineChoice identifier="x">5</inlineChoice><inlineChoice identifier="y">20</inlineChoice></inlineChoiceInteraction> seconds.</p>',
      ),
      {
        kind: 'single',
        prompt: 'Wash for _____ seconds.',
        options: [
          { text: '5', correct: false },
          { text: '20', correct: true },
        ],
      },
    ],
    [
      'words for gaps',
      item(
        response(['a g'], 'multiple'),
        '<gapMatchInteraction responseIdentifier="R"><prompt>Fill</prompt><gapText identifier="a">hands</gapText><gapText identifier="b">feet</gapText><p>Wash your <gap identifier="g"/>.</p></gapMatchInteraction>',
      ),
      { kind: 'fill_gap', segments: ['Wash your ', { accepted: ['hands'] }, '. (feet / hands)'] },
    ],
    [
      'a text',
      item('', '<extendedTextInteraction responseIdentifier="R"><prompt>Why?</prompt></extendedTextInteraction>'),
      { kind: 'free_text', prompt: 'Why?' },
    ],
  ])('with %s is taken', async (_, source, expected) => {
    const { questions, format } = await readBytes(source as string);
    expect([format, questions.map((q) => q.why)]).toEqual(['qti', [null]]);
    expect(questions[0]?.question).toMatchObject(expected as object);
  });
  it.each([
    ['<hotspotInteraction responseIdentifier="R"/>', '', 'Choosing a place on a picture has no counterpart here.'],
    [
      `<choiceInteraction responseIdentifier="X">${choices}</choiceInteraction>`,
      '',
      'It does not say which answer is right in a way that can be read.',
    ],
    [
      `<choiceInteraction responseIdentifier="R">${choices}</choiceInteraction><choiceInteraction responseIdentifier="S">${choices}</choiceInteraction>`,
      '',
      'It asks 2 things at once. Divide it into several questions.',
    ],
    [
      `<choiceInteraction responseIdentifier="R">${choices}</choiceInteraction>`,
      '<templateDeclaration identifier="t" cardinality="single" baseType="integer"/>',
      'Its numbers or words are generated for each person, which has no counterpart here.',
    ],
    ['<p>Nothing.</p>', '', 'It asks nothing.'],
  ])('with %s says why it cannot be taken', async (body, more, why) => {
    expect((await readBytes(item(response(['a']), body, more))).questions[0]).toMatchObject({ question: null, why });
  });

  const manifest = (resources: string) =>
    `<manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><organizations/><resources>${resources}</resources></manifest>`;
  const whole = item(response(['a']), `<choiceInteraction responseIdentifier="R"><prompt>Which?</prompt>${choices}</choiceInteraction>`);
  const listed = (href: string) => `<resource identifier="r" type="imsqti_item_xmlv2p2" href="${href}"><file href="${href}"/></resource>`;
  it('comes in a package, in the order of its test, and one that is broken costs only itself', async () => {
    const archive = await zip({
      'imsmanifest.xml': manifest(
        `${listed('a.xml')}${listed('b%20b.xml')}${listed('gone.xml')}<resource identifier="t" type="imsqti_test_xmlv2p2" href="test/t.xml"/>`,
      ),
      'a.xml': '<assessmentItem><itemBody></assessmentItem>',
      'b b.xml': whole,
      'test/t.xml': '<assessmentTest title="Hands"><assessmentItemRef href="../b%20b.xml"/></assessmentTest>',
    });
    const file = await readBytes(archive);
    expect(file.title).toBe('Hands');
    expect(file.questions.map((q) => [q.place, q.question?.kind ?? q.why?.slice(0, 34)])).toEqual([
      ['question 1 (b b.xml)', 'single'],
      ['question 2 (a.xml)', '“a.xml” is not well-formed at line'],
      ['question 3 (gone.xml)', 'Its file is not in the archive.'],
    ]);
  });
  it('is refused in a package that is none, or that leads out of itself', async () => {
    expect(await refusal(await zip({ 'a.xml': whole }))).toContain('There is no imsmanifest.xml in this archive');
    expect(await refusal(await zip({ 'q/imsmanifest.xml': manifest(''), 'q/a.xml': whole }))).toContain('is in the folder “q” instead of at the top');
    expect(await refusal(await zip({ 'imsmanifest.xml': manifest('') }))).toContain('names no question');
    const out = await readBytes(await zip({ 'imsmanifest.xml': manifest(listed('../../etc/passwd')) }));
    expect(out.questions.map((q) => q.why)).toEqual(['Its file is not in the archive.']);
  });
});

describe('an item of QTI 1.2', () => {
  const labels =
    '<response_label ident="1"><material><mattext>Soap</mattext></material></response_label><response_label ident="2"><material><mattext texttype="text/html">&lt;b&gt;Sand&lt;/b&gt;</mattext></material></response_label>';
  const condition = (inside: string, score: string, shows = '') =>
    `<respcondition><conditionvar>${inside}</conditionvar>${score ? `<setvar varname="SCORE" action="Set">${score}</setvar>` : ''}${shows && `<displayfeedback linkrefid="${shows}"/>`}</respcondition>`;
  const item1 = (asks: string, conditions: string, more = '') =>
    `<questestinterop><assessment title="Pretest"><section><item ident="q" title="One"><presentation><material><mattext texttype="text/html">&lt;p&gt;What cleans?&lt;/p&gt;</mattext></material>${asks}</presentation><resprocessing>${conditions}</resprocessing>${more}</item></section></assessment></questestinterop>`;
  it.each([
    [
      'one choice',
      item1(
        `<response_lid ident="r" rcardinality="Single"><render_choice>${labels}</render_choice></response_lid>`,
        `${condition('<varequal respident="r">2</varequal>', '', '2_fb')}${condition('<varequal respident="r">1</varequal>', '100')}`,
        '<itemfeedback ident="2_fb"><flow_mat><material><mattext>It scratches.</mattext></material></flow_mat></itemfeedback>',
      ),
      {
        kind: 'single',
        prompt: 'What cleans?',
        options: [
          { text: 'Soap', correct: true },
          { text: 'Sand', correct: false, feedback: 'It scratches.' },
        ],
      },
    ],
    [
      'several choices',
      item1(
        `<response_lid ident="r" rcardinality="Multiple"><render_choice>${labels}</render_choice></response_lid>`,
        condition('<and><varequal respident="r">1</varequal><not><varequal respident="r">2</varequal></not></and>', '100'),
        '',
      ),
      { kind: 'multiple', options: [{ correct: true }, { correct: false }] },
    ],
    [
      'a typed word',
      item1('<response_str ident="r"><render_fib/></response_str>', condition('<varequal respident="r">soap</varequal>', '100')),
      { kind: 'fill_gap', segments: [{ accepted: ['soap'] }] },
    ],
    ['a text', item1('<response_str ident="r"><render_fib/></response_str>', condition('<other/>', '')), { kind: 'free_text' }],
  ])('with %s is taken', async (_, source, expected) => {
    const { title, questions } = await readBytes(source as string);
    expect([title, questions.map((q) => q.why)]).toEqual(['Pretest', [null]]);
    expect(questions[0]?.question).toMatchObject(expected as object);
  });
});

describe('a Common Cartridge', () => {
  const cartridge = (resources: string) =>
    `<manifest identifier="m"><metadata><schema>IMS Common Cartridge</schema><schemaversion>1.3.0</schemaversion></metadata><organizations/><resources>
      <resource identifier="w" type="webcontent" href="a.html"><file href="a.html"/></resource>
      <resource identifier="l" type="imswl_xmlv1p3"><file href="l.xml"/></resource><resource identifier="k" type="imswl_xmlv1p3"><file href="k.xml"/></resource>
      <resource identifier="d" type="imsdt_xmlv1p3"><file href="d.xml"/></resource>${resources}</resources></manifest>`;
  const beside = 'It also has 1 page or file, 2 web links, 1 discussion, which are left behind.';
  it('gives its questions, and says what else it holds', async () => {
    const quiz = '<resource identifier="q" type="imsqti_xmlv1p2/imscc_xmlv1p3/assessment"><file href="q/quiz.xml"/></resource>';
    const essay =
      '<questestinterop><assessment title="Check"><section><item><presentation><material><mattext>Why?</mattext></material><response_str ident="r"><render_fib/></response_str></presentation></item></section></assessment></questestinterop>';
    const read = await readBytes(await zip({ 'imsmanifest.xml': cartridge(quiz), 'q/quiz.xml': essay }));
    expect(read).toMatchObject({
      format: 'qti',
      title: 'Check',
      notes: [`This is a Common Cartridge: only its questions are taken here. The whole of it is imported among e-learning. ${beside}`],
    });
    expect(read.questions.map((q) => [q.place, q.question?.kind])).toEqual([['question 1 (q/quiz.xml)', 'free_text']]);
    expect(await refusal(await zip({ 'imsmanifest.xml': cartridge('') }))).toBe(`There is no question in this Common Cartridge. ${beside}`);
  });
});

describe('a file that is not what it should be', () => {
  it.each([
    ['nothing', '', 'This file is empty.'],
    ['a letter', 'Dear Sir,\n\nthank you.', 'There is no question in this file.'],
    ['bytes', Buffer.from([0, 1, 2, 3, 255, 0, 9, 0]), 'This is no text.'],
    ['another XML', '<?xml version="1.0"?><rss/>', 'starts with <rss>'],
    ['QTI 3', '<qti-assessment-item/>', 'This is QTI 3'],
    [
      'an entity',
      '<?xml version="1.0"?><!DOCTYPE q [<!ENTITY x SYSTEM "file:///etc/passwd">]><quiz><question type="essay"><questiontext><text>&x;</text></questiontext></question></quiz>',
      'defines a document type',
    ],
    ['deep nesting', `<quiz>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</quiz>`, 'nests its elements more than 100 deep'],
    ['100,000 questions', 'Fine?{T}\n\n'.repeat(100_000), 'This file has 100,000 questions; 1,000 is the most. Divide it into several files.'],
  ])('is refused in words: %s', async (_, bytes, words) => {
    expect(await refusal(bytes)).toContain(words);
  });
  it('is read whatever its encoding', async () => {
    const words = (file: QuestionFile) => file.questions[0]?.text;
    expect(words(await readBytes(Buffer.from('Où?{T}', 'latin1')))).toBe('Où?');
    expect(words(await readBytes(Buffer.from('\ufeffOù?{T}', 'utf16le')))).toBe('Où?');
    expect(words(await readBytes('\ufeffOù?{T}'))).toBe('Où?');
  });
});

describe('HTML as text', () => {
  it.each([
    ['<p>One</p><p>two<br>three</p>', 'One\ntwo\nthree'],
    ['<ul><li>a</li><li>b</li></ul>', '• a\n• b'],
    ['a &lt; b &amp;&nbsp;c &#8211; &unknown; &#0;', 'a < b & c – &unknown; \ufffd'],
    ['1 < 2 and <b>3 > 2', '1 < 2 and 3 > 2'],
    ['<style>p{}</style>x<script>alert("</b>")</script>y<!-- z -->', 'xy'],
    ['<span style="display:none">hidden</span>shown', 'shown'],
    ['<img alt="a" src=x onerror=alert(1)>', ''],
    ['<script>never closed', ''],
    ['<a title="a > b">link</a>', 'link'],
  ])('%s', (html, text) => expect(textOfHtml(html).text).toBe(text));
  it('takes a long and hostile one in time', () => {
    const before = performance.now();
    for (const piece of ['<', '<a "', '<!--', '&#', '<script>', '</', '<b style="']) textOfHtml(`${piece.repeat(50_000)}>`);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});

describe('a hostile file of questions', () => {
  const bytes = 50_000;
  const times = (part: string) => part.repeat(Math.ceil(bytes / part.length)).slice(0, bytes);
  const files: Record<string, string> = {
    'zeros after a number': `a {#1:${times('0')}x}`,
    'blanks after a number': `a {#1:${times(' ')}x}`,
    'signs of answers': `a {${times('=')}}`,
    percentages: `a {${times('=%')}}`,
    'open tags': `a ${times('<')} {T}`,
    'open attributes': `${times('<a href="')} {T}`,
    escapes: times('\\'),
    'open braces': `a {${times('{')}}`,
    arrows: `a {=${times('->')}}`,
  };
  const timeOf = (text: string) => {
    const began = performance.now();
    try {
      readGift(text, () => ({ why: 'missing' }) as never);
    } catch (error) {
      if (!(error as { problems?: unknown }).problems) throw error;
    }
    return performance.now() - began;
  };
  it.each(Object.entries(files))('of 50 kB is read in about the time of a usual one: %s', (_, text) => {
    const usual = Array.from({ length: 300 }, (__, i) => `::Question ${i}:: Which ${'one '.repeat(30)}? {=right#yes ~wrong ~other}`).join('\n\n');
    timeOf(usual);
    const plain = Math.max(20, timeOf(usual));
    // What was quadratic took thousands of times as long.
    expect(timeOf(text)).toBeLessThan(plain * 50);
  });
});
