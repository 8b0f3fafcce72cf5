import layout from '#src/ui/page.module.css';
import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ScormActivity, ScormManifest } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { toBase64 } from '#contract/rules/bytes.ts';
import { launchableActivities } from '#contract/rules/package-completion.ts';
import { newDataKey } from '#contract/rules/seal.ts';
import { useSession } from '#src/access/session.ts';
import { playerPage, playerSandbox, usePlayer } from '#src/device/use-player.ts';
import classes from '#src/screens/package-preview.module.css';
import { PackageProblems, type PlayerProblem, withProblem } from '#src/ui/package-problems.tsx';

const completions = { 'not attempted': 'not begun', incomplete: 'begun', completed: 'completed' } as const;
/** The progress that a part has reported, in words; an item's first report comes from the player itself. */
const reportedOf = (part: ScormActivity, facts: ScormFacts | undefined): string => {
  if (part.kind === 'asset') return 'This part is a page that reports nothing; it is completed by opening it.';
  if (!facts || facts.ticks < 2) return 'It has reported nothing so far. A course that never does needs another rule for when it is completed.';
  const { completion, success, score } = facts;
  return `It has reported: ${[completions[completion], ...(success === 'unknown' ? [] : [success]), ...(score === null ? [] : [`${score} %`])].join(', ')}.`;
};

type Props = { tree: string; manifest: ScormManifest /** Whether it says what the course reports, for its author. */; reports?: boolean };
/** A preview of a SCORM course in the learners’ player: nothing is stored. */
export const PackagePreview = ({ tree, manifest, reports = false }: Props) => {
  const user = useSession();
  const parts = launchableActivities(manifest.activities);
  const [current, setCurrent] = useState(parts[0]?.id ?? '');
  const [facts, setFacts] = useState<Record<string, ScormFacts>>({});
  const [problems, setProblems] = useState<PlayerProblem[]>([]);
  const [ready, setReady] = useState(false);
  const page = playerPage(user, 'scorm');
  const { frame, connect, say, stalled } = usePlayer(page ?? location.origin, (word, answer) => {
    if (word.type === 'ready') {
      answer({ type: 'play', tree, manifest, learner: { id: user?.uuid ?? '', name: user?.name ?? '' }, course: null });
      setReady(true);
    } else if (word.type === 'facts') {
      setFacts((all) => ({ ...all, [word.item_id]: word.facts }));
      answer({ type: 'kept', session_id: word.session_id, ticks: word.facts.ticks });
    } else if (word.type === 'problem') setProblems((all) => withProblem(all, word));
  });
  useEffect(() => {
    setProblems([]);
    if (!ready || !current) return;
    setFacts(({ [current]: _before, ...others }) => others);
    say({ type: 'open', item_id: current, session_id: crypto.randomUUID(), before: null, key: toBase64(newDataKey()) });
  }, [ready, current, say]);
  const part = parts.find((p) => p.id === current);
  return (
    <div className={`${layout.stack} ${classes.try}`}>
      {parts.length > 1 && (
        <NativeSelect
          label="Part"
          data={parts.map((p) => ({ value: p.id, label: p.title }))}
          value={current}
          onChange={(e) => setCurrent(e.currentTarget.value)}
        />
      )}
      <PackageProblems problems={problems} />
      {page && !stalled ? (
        <>
          {reports && part && <p role="status">{reportedOf(part, facts[current])}</p>}
          <iframe
            ref={frame}
            className={`${classes.preview} ${classes.course}`}
            title={part?.title ?? manifest.title}
            src={page}
            onLoad={connect}
            {...playerSandbox}
          />
        </>
      ) : (
        <p>The course cannot be shown without a connection.</p>
      )}
    </div>
  );
};
