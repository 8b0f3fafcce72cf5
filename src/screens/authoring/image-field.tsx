import layout from '#src/ui/page.module.css';
import { Button, FileButton, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Media } from '#contract/entities/content.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { CropPicture } from '#src/screens/authoring/crop-picture.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { IconAlert } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

type Props = {
  image: Media | null;
  error: ReactNode;
  /** The field for the alternative text. */
  alt: object;
  onChange: (image: Media | null) => void;
};

/** The picture of a content: chosen, cropped and uploaded, with its alternative text. */
export const ImageField = ({ image, error, alt, onChange }: Props) => {
  const [file, setFile] = useState<File | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const sending = useAction(
    (picture: Blob) => {
      const form = new FormData();
      form.append('file', picture, 'picture.jpg');
      return call('POST /content/images', {}, { form });
    },
    {
      success: texts.imageUploaded,
      onDone: (media) => {
        setFile(null);
        setFailed(null);
        onChange(media);
      },
      onFailed: (errors) => setFailed(Object.values(errors)[0] ?? texts.fallback),
    },
  );
  return (
    <div className={layout.stack} data-field="image">
      <span className={classes.label}>Picture</span>
      {image && !file && <img className={classes.image} src={image.url} alt="" />}
      {file ? (
        <CropPicture
          key={`${file.name}:${file.size}:${file.lastModified}`}
          file={file}
          busy={sending.busy}
          onCropped={(picture) => void sending.run(picture)}
          onRefused={(why) => {
            setFile(null);
            setFailed(why);
          }}
          onCancel={() => setFile(null)}
        />
      ) : (
        <div className={layout.tools}>
          <FileButton
            accept="image/png,image/jpeg,image/webp"
            onChange={(chosen) => {
              setFailed(null);
              setFile(chosen);
            }}
          >
            {(props) => (
              <Button variant="default" {...props}>
                {image ? 'Choose another picture' : 'Choose a picture'}
              </Button>
            )}
          </FileButton>
          {image && (
            <Button
              variant="subtle"
              color="red"
              onClick={() => {
                onChange(null);
                notify('success', texts.imageRemoved);
              }}
            >
              Remove the picture
            </Button>
          )}
        </div>
      )}
      {(failed || error) && (
        <p className={layout.notice} data-tone="danger" role="alert">
          <IconAlert size={20} /> {failed ?? error}
        </p>
      )}
      {image && (
        <TextInput
          label="What the picture shows"
          description="Read out to people who do not see it. Leave it empty where the picture only decorates."
          {...alt}
        />
      )}
    </div>
  );
};
