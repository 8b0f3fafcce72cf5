import layout from '#src/ui/page.module.css';
import { useState } from 'react';
import { toBase64 } from '#contract/rules/bytes.ts';
import { newDataKey } from '#contract/rules/seal.ts';
import { useSession } from '#src/access/session.ts';
import { playerPage, playerSandbox, usePlayer } from '#src/device/use-player.ts';
import classes from '#src/screens/package-preview.module.css';
import { PackageProblems, type PlayerProblem, withProblem } from '#src/ui/package-problems.tsx';

/** A preview of an H5P activity in the learners’ player: nothing is stored. */
export const ActivityPreview = ({ tree, title }: { tree: string; title: string }) => {
  const user = useSession();
  const [height, setHeight] = useState(160);
  const [problems, setProblems] = useState<PlayerProblem[]>([]);
  const page = playerPage(user, 'h5p');
  const { frame, connect, stalled } = usePlayer(page ?? location.origin, (word, answer) => {
    if (word.type === 'ready')
      answer({
        type: 'activity',
        tree,
        item_id: 'preview',
        session_id: crypto.randomUUID(),
        title,
        state: null,
        key: toBase64(newDataKey()),
      });
    // Nothing is stored: tell the player that it need not keep it either.
    else if (word.type === 'statements') answer({ type: 'kept', session_id: word.session_id, ticks: word.ticks });
    else if (word.type === 'height') setHeight(Math.min(6000, Math.max(120, word.height)));
    else if (word.type === 'problem') setProblems((all) => withProblem(all, word));
  });
  return (
    <div className={`${layout.stack} ${classes.try}`}>
      <PackageProblems problems={problems} />
      {page && !stalled ? (
        <iframe ref={frame} className={classes.preview} style={{ height }} title={title} src={page} onLoad={connect} {...playerSandbox} />
      ) : (
        <p>The activity cannot be shown without a connection.</p>
      )}
    </div>
  );
};
