import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ActionIcon, Button, Checkbox, FileButton, TextInput } from '@mantine/core';
import type { Picture } from '#contract/entities/content.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { sendPicture } from '#src/screens/authoring/content-uploads.ts';
import { accepted } from '#src/screens/authoring/uploads.ts';
import { useAction } from '#src/screens/use-action.ts';
import { IconAlert, IconCamera } from '#src/ui/icons.tsx';
import { atMost } from '#src/lib/at-most.ts';

type AddProps = { name: string; small?: boolean; onAdd: (picture: Picture) => void };
/** Chooses and uploads a picture. `name`: what it belongs to. */
export const AddPicture = ({ name, small = false, onAdd }: AddProps) => {
  const sending = useAction(sendPicture, { onDone: (media) => onAdd({ media, alt: '' }) });
  const chosen = (file: File | null) => file && void sending.run(file);
  return (
    <FileButton accept={accepted.image} onChange={chosen}>
      {(props) =>
        small ? (
          <ActionIcon variant="subtle" aria-label={`Add a picture to ${name}`} title={`Add a picture to ${name}`} loading={sending.busy} {...props}>
            <IconCamera size={20} />
          </ActionIcon>
        ) : (
          <Button variant="default" className={shapes.start} leftSection={<IconCamera size={20} />} loading={sending.busy} {...props}>
            Add a picture to {name}
          </Button>
        )
      }
    </FileButton>
  );
};

type Props = { name: string; picture: Picture; error: string | undefined; field: string; onChange: (picture: Picture | undefined) => void };
/** An uploaded picture and its alternative text. */
export const PictureFields = ({ name, picture, error, field, onChange }: Props) => {
  const { media, alt, decorative = false } = picture;
  return (
    <div className={classes.pictureFields} data-field={field}>
      <img src={media.url} alt={`Of ${name}`} />
      <div className={`${shapes.bare} ${layout.stack}`}>
        <TextInput
          label={`What the picture of ${name} shows`}
          description="Read out to people who do not see it. Say no more than is seen: not which answer is right."
          disabled={decorative}
          {...atMost(500, alt)}
          onChange={(e) => onChange({ ...picture, alt: e.currentTarget.value })}
        />
        {alt.trim() === '' && !decorative && (
          <p className={layout.notice} data-tone="danger">
            <IconAlert size={20} /> Say what it shows, or that it is decorative.
          </p>
        )}
        <Checkbox
          label={`The picture of ${name} is decorative: it says nothing that the text does not`}
          checked={decorative}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? { media, alt: '', decorative: true } : { media, alt: '' })}
        />
        {error && (
          <p className={classes.wrong} role="alert">
            {error}
          </p>
        )}
        <Button variant="subtle" color="red" className={shapes.start} onClick={() => onChange(undefined)}>
          Remove the picture of {name}
        </Button>
      </div>
    </div>
  );
};
