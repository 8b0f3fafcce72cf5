import layout from '#src/ui/page.module.css';
import 'react-easy-crop/react-easy-crop.css';
import { Button } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import classes from '#src/screens/authoring/authoring.module.css';
import { cropped, PictureRefused, reencoded } from '#src/lib/picture.ts';

type Props = { file: File; busy: boolean; onCropped: (picture: Blob) => void; onRefused: (why: string) => void; onCancel: () => void };

/** The aspect ratio of content pictures. */
const shape = 16 / 9;

/** Crops a picture: it is moved by touch, mouse or arrow keys, and zoomed with a slider. */
export const CropPicture = ({ file, busy, onCropped, onRefused, onCancel }: Props) => {
  const [upright, setUpright] = useState<{ url: string; blob: Blob } | null>(null);
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const slider = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file
  useEffect(() => {
    let isUnmounted = false;
    let url = '';
    reencoded(file).then(
      (blob) => {
        if (isUnmounted) return;
        url = URL.createObjectURL(blob);
        setUpright({ url, blob });
      },
      (error: unknown) =>
        isUnmounted ||
        onRefused(
          error instanceof PictureRefused && error.reason === 'too-large'
            ? 'This picture is too large: use one of up to 50 megapixels.'
            : 'This file cannot be opened as a picture. Choose a JPEG, PNG or WebP file.',
        ),
    );
    return () => {
      isUnmounted = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [file]);
  return (
    <div className={layout.stack}>
      <div className={classes.cropArea}>
        {upright && (
          <Cropper
            image={upright.url}
            crop={crop}
            zoom={zoom}
            aspect={shape}
            zoomWithScroll={false}
            disableAutomaticStylesInjection
            cropperProps={{ role: 'group', 'aria-label': 'The part that is shown: move it with the arrow keys' }}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_part, pixels) => setArea(pixels)}
          />
        )}
      </div>
      <label htmlFor={slider}>Size of the picture</label>
      <input
        id={slider}
        className={classes.slider}
        type="range"
        min={1}
        max={4}
        step={0.05}
        value={zoom}
        onChange={(e) => setZoom(Number(e.currentTarget.value))}
      />
      <div className={layout.tools}>
        <Button
          loading={busy}
          disabled={!area}
          onClick={() =>
            upright && area && cropped(upright.blob, area).then(onCropped, () => onRefused('This part could not be cut out. Choose another picture.'))
          }
        >
          Use this part
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
};
