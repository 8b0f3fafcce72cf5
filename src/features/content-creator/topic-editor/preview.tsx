import type { Block } from '#contract/entities/content.ts';
import classes from '#src/features/content-creator/topic-editor/topic-editor.module.css';
import { type Device, DeviceFrame } from '#src/screens/authoring/device-frame.tsx';
import look from '#src/screens/block-view.module.css';
import { TriedBlock } from '#src/screens/tried-block.tsx';

type Props = {
  device: Device;
  title: string;
  blocks: readonly Block[] /** Links to other sites are seen as ones that lead nowhere. */;
  offline: boolean;
};
/** A preview of the topic on a device of this kind. */
export const Preview = ({ device, title, blocks, offline }: Props) => (
  <DeviceFrame device={device}>
    <div className={`${look.topic} ${classes.previewTopic}`} data-offline={offline || undefined}>
      <h1>{title || 'Topic'}</h1>
      {blocks.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the preview is remounted whenever the topic changes
        <TriedBlock key={i} block={block} />
      ))}
    </div>
  </DeviceFrame>
);
