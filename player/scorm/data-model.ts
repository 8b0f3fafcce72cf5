/**
 * The run-time library accepts any property name: a value for `cmi.core` replaces everything below it, and `cmi.reset` is a
 * method. Therefore only elements of the data model are read and written. Names of groups are treated as unknown elements: error
 * 401 in both editions (SCORM 1.2: not supported; SCORM 2004: undefined).
 */
const undefinedElement = 401;

const score12 = 'score\\.(raw|min|max)';
const elements12 = [
  'core\\.(student_id|student_name|lesson_location|credit|lesson_status|entry|total_time|lesson_mode|exit|session_time)',
  `core\\.${score12}`,
  'suspend_data|launch_data|comments|comments_from_lms',
  `objectives\\.\\d+\\.(id|status|${score12})`,
  'student_data\\.(mastery_score|max_time_allowed|time_limit_action)',
  'student_preference\\.(audio|language|speed|text)',
  'interactions\\.\\d+\\.(id|time|type|weighting|student_response|result|latency|objectives\\.\\d+\\.id|correct_responses\\.\\d+\\.pattern)',
];
const score2004 = 'score\\.(scaled|raw|min|max)';
const elements2004 = [
  'completion_status|completion_threshold|credit|entry|exit|launch_data|learner_id|learner_name|location|max_time_allowed|mode',
  'progress_measure|scaled_passing_score|session_time|success_status|suspend_data|time_limit_action|total_time',
  score2004,
  'comments_from_(learner|lms)\\.\\d+\\.(comment|location|timestamp)',
  `objectives\\.\\d+\\.(id|success_status|completion_status|progress_measure|description|${score2004})`,
  'learner_preference\\.(audio_level|language|delivery_speed|audio_captioning)',
  'interactions\\.\\d+\\.(id|type|timestamp|weighting|learner_response|result|latency|description|objectives\\.\\d+\\.id|correct_responses\\.\\d+\\.pattern)',
];
const names = {
  '1.2': new RegExp(`^cmi\\.(${elements12.join('|')})$`),
  '2004': new RegExp(`^(cmi\\.(${elements2004.join('|')})|adl\\.nav\\.request|adl\\.data\\.\\d+\\.(id|store))$`),
};
/** Groups of elements, including those that the library creates on writing. */
const groups = {
  '1.2':
    /^cmi(\.(core(\.score)?|student_data|student_preference|(objectives|interactions)(\.\d+(\.(score|objectives|correct_responses)(\.\d+)?)?)?))?$/,
  '2004':
    /^(cmi(\.(score|learner_preference|comments_from_(learner|lms)(\.\d+)?|(objectives|interactions)(\.\d+(\.(score|objectives|correct_responses)(\.\d+)?)?)?))?|adl(\.(nav(\.request_valid)?|data(\.\d+)?))?)$/,
};

/** Whether a name is a property of the library that is not an element. */
const isInternal = (api: object, name: string): boolean => {
  let node: unknown = api;
  for (const part of name.split('.')) {
    if (node === null || typeof node !== 'object') return false;
    const list = (node as { childArray?: unknown[] }).childArray;
    node = list && /^\d+$/.test(part) ? list[Number(part)] : (node as Record<string, unknown>)[part];
  }
  return node !== undefined;
};

type Library = { isInitialized(): boolean; throwSCORMError(element: string, code: number): void };
/** Whether a call must be refused; sets the standard's error. */
export const refusesName = (api: Library & object, edition: '1.2' | '2004', name: unknown): boolean => {
  const text = String(name);
  if (!api.isInitialized() || text.includes('{') || names[edition].test(text) || /\._(children|count|version)$/.test(text)) return false;
  if (!groups[edition].test(text) && !(/^(cmi|adl)\b/.test(text) && isInternal(api, text))) return false;
  api.throwSCORMError(text, undefinedElement);
  return true;
};
